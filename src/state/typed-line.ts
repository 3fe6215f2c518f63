import { withoutInvisible } from '../invisible-characters.ts';
import type { Verdict } from './verdict.ts';

export interface TypedLineSnapshot {
  text: string;
  entered?: string;
  prompt?: TypedAtPrompt;
  enters: number;
}

/** What a program showed when it waited for input. */
export interface TypedAtPrompt {
  text: string;
  /** It was likely that it waited for a line, not certain: it ticks. */
  isLikelyLine: boolean;
}

/**
 * The last typed line, to recognise its echo and the prompt after it. Over a slow connection the echo of a
 * command arrives before the echo of its Enter, and looks like a prompt.
 */
export class TypedLine {
  #text = '';
  #entered: string | undefined;
  #prompt: TypedAtPrompt | undefined;
  #enters = 0;

  /** `prompt`: what the program showed, if it was waiting for this input. */
  note(input: string | Uint8Array, prompt?: TypedAtPrompt): void {
    const text = withoutInvisible(
      typeof input === 'string' ? input : Buffer.from(input).toString(),
    );
    const lines = text.split(/[\r\n]/);
    const rest = lines.pop()!;
    const line = lines.at(-1);
    if (this.#text === '' && prompt !== undefined) {
      this.#prompt = prompt;
      this.#enters = 0;
    }
    this.#enters += lines.length;
    if (line !== undefined) this.#entered = line || this.#text;
    if (line !== undefined || rest !== '') this.#text = '';
    if (rest === '') return;
    this.#entered = undefined;
    // A key is not text, and its effect on the line is unknown.
    if (!/[\x00-\x1f\x7f]/.test(rest)) this.#text = rest;
  }

  snapshot(): TypedLineSnapshot {
    const snapshot: TypedLineSnapshot = { text: this.#text, enters: this.#enters };
    if (this.#entered !== undefined) snapshot.entered = this.#entered;
    if (this.#prompt !== undefined) snapshot.prompt = this.#prompt;
    return snapshot;
  }

  restore({ text, entered, prompt, enters }: TypedLineSnapshot): void {
    this.#text = text;
    this.#entered = entered;
    this.#prompt = prompt;
    this.#enters = enters;
  }

  /** Whether Enter was the last key. */
  get isEntered(): boolean {
    return this.#entered !== undefined;
  }

  /** Text that was typed without Enter after it. */
  get unfinished(): string {
    return this.#text;
  }

  /**
   * Whether `beforeCursor` ends with the text before the last Enter, and nothing was typed since. Only
   * text written in one go counts: keys before it may have been for another program, such as a
   * pager's `q`.
   */
  isEcho(beforeCursor: string): boolean {
    const entered = this.#entered;
    return !!entered && beforeCursor.endsWith(entered);
  }

  /**
   * Whether `beforeCursor` is the prompt at which one line was typed, so that this line has been answered.
   * Many programs count in their prompts.
   */
  isPromptAgain(beforeCursor: string): boolean {
    const isOneLine = this.#enters === 1 && this.#entered !== undefined;
    const prompt = this.#prompt?.text;
    return isOneLine && !!prompt?.trim() && counted(beforeCursor) === counted(prompt);
  }

  get wasLikelyLine(): boolean {
    return this.#prompt?.isLikelyLine ?? false;
  }
}

const counted = (prompt: string): string => prompt.replace(/\d+/g, '0');

export const typedAtPrompt = ({
  prompt = '',
  waitingFor,
  certainty,
}: Extract<Verdict, { state: 'waiting' }>): TypedAtPrompt => ({
  text: prompt,
  isLikelyLine: waitingFor === 'line' && certainty !== 'certain',
});
