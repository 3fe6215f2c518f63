/** The output that views leave out: echoes, the prompt at the end, a shell's line-end signs, our hooks. */

import type { LiveLine } from '../../screen/lines/live-lines.ts';
import type { Screen } from '../../screen/screen.ts';
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import type { Verdict } from '../../state/verdict.ts';
import type { OutputSpan } from '../../views/text.ts';
import type { HiddenSnapshot } from '../snapshot/session-snapshot.ts';
import type { EchoDetector } from './echo-detector.ts';
import { HookEchoes } from './hook-echoes.ts';
import { LineEndSigns } from './line-end-signs.ts';

/** What a verdict says of the prompt. */
export interface PromptAtEnd {
  state: Verdict['state'];
  /** Absent unless the program waits. */
  prompt?: string;
}

export class HiddenSpans {
  readonly #screen: Screen;
  readonly #echo: EchoDetector;
  readonly #signs: LineEndSigns;
  readonly #hooks: HookEchoes;
  #lastPrompt: string | undefined;
  /**
   * How many lines the prompt of the session's own shell has. This is the smallest number of lines
   * that was seen between a prompt mark and the cursor.
   */
  #ownPromptLines = Number.POSITIVE_INFINITY;
  /** The last line of the own shell's prompt. */
  #ownPromptEnd = '';
  /** The last text between a prompt mark and the cursor with more lines than `#ownPromptLines`. */
  #longerPrompt = { markedAt: -1, text: '' };

  constructor(screen: Screen, echo: EchoDetector) {
    this.#screen = screen;
    this.#echo = echo;
    this.#signs = new LineEndSigns(screen);
    this.#hooks = new HookEchoes(screen);
  }

  onScreenEvent(event: ScreenEvent): void {
    this.#signs.onScreenEvent(event);
    this.#hooks.onScreenEvent(event);
  }

  /** The prompt is included only if the verdict says that there is one. */
  spans(verdict?: PromptAtEnd): readonly OutputSpan[] {
    const spans = inOrder(this.#echo.spans, this.#signs.spans, this.#hooks.spans);
    const prompt = verdict?.state === 'waiting' ? verdict.prompt : undefined;
    if (prompt === undefined) return spans;
    const {
      marks: { ownPromptAt },
      cursorLine,
    } = this.#screen;
    if (ownPromptAt !== undefined) {
      const span = this.#upToNow(this.#ownPromptFrom(ownPromptAt, cursorLine));
      return [...spans, span, ...this.#rightPrompt(ownPromptAt, cursorLine)];
    }
    const last = this.#lastPrompt;
    // Output without a line end stands before the prompt on the same line, and must not be hidden.
    const hasOutput = last !== undefined && prompt !== last && prompt.endsWith(last);
    if (cursorLine === undefined || hasOutput) return spans;
    this.#lastPrompt = prompt;
    const { id, text, position } = cursorLine;
    // Including the lines below: ipython keeps blank lines there for a menu.
    const span = this.#upToNow(position);
    const mustHideById = text === prompt.trimEnd() && this.#sharesPosition(cursorLine);
    return [...spans, mustHideById ? { ...span, line: { id, text } } : span];
  }

  /** A prompt on the right stands behind the cursor. Output without a line end may stand before both. */
  #rightPrompt(markedAt: number, cursorLine: LiveLine | undefined): OutputSpan[] {
    if (cursorLine === undefined) return [];
    const { id, text, position } = cursorLine;
    const start = this.#screen.locate(markedAt);
    const hasOutput = start?.id === id && start.index > 0;
    const isRight = text.length > this.#screen.textBeforeCursor.length;
    return isRight && !hasOutput ? [{ ...this.#upToNow(position), line: { id, text } }] : [];
  }

  snapshot(): HiddenSnapshot {
    const lastPrompt = this.#lastPrompt;
    const ownPromptLines = this.#ownPromptLines;
    return {
      ...(lastPrompt !== undefined && { lastPrompt }),
      ...(Number.isFinite(ownPromptLines) && { ownPromptLines }),
      ownPromptEnd: this.#ownPromptEnd,
      longerPrompt: this.#longerPrompt,
      signs: this.#signs.snapshot(),
      hooks: [...this.#hooks.spans],
    };
  }

  restore(snapshot: HiddenSnapshot): void {
    const { ownPromptLines = Number.POSITIVE_INFINITY, signs } = snapshot;
    this.#lastPrompt = snapshot.lastPrompt;
    this.#ownPromptLines = ownPromptLines;
    this.#ownPromptEnd = snapshot.ownPromptEnd;
    this.#longerPrompt = snapshot.longerPrompt;
    this.#signs.restore(signs);
    this.#hooks.restore(snapshot.hooks);
  }

  /** In zsh, a line that the line above had wrapped onto has the same position as that line. */
  #sharesPosition({ id, position }: LiveLine): boolean {
    for (const line of this.#screen.liveLinesAt(position)) {
      if (line.id === id) return false;
      if (line.text !== '') return true;
    }
    return false;
  }

  /** Not everything after the mark is prompt: `[1]+ Done` and output of a job may come before it. */
  #ownPromptFrom(markedAt: number, cursorLine: LiveLine | undefined): number {
    if (cursorLine === undefined) return markedAt;
    const starts: number[] = [];
    let text = '';
    if (cursorLine.position > markedAt) {
      for (const line of this.#screen.lines(this.#screen.firstLiveLine)) {
        if (line.position < markedAt || line.position > cursorLine.position) continue;
        if (line.position > markedAt) starts.push(line.position);
        text += `${line.text}\n`;
      }
    }
    const lines = starts.length + 1;
    if (lines <= this.#ownPromptLines || this.#isNewPrompt(markedAt, text, cursorLine.text)) {
      this.#ownPromptLines = lines;
      this.#ownPromptEnd = cursorLine.text;
    }
    return starts.at(-this.#ownPromptLines) ?? markedAt;
  }

  /** Whether the user has set a longer prompt: it has a new last line, and is the same twice. */
  #isNewPrompt(markedAt: number, text: string, lastLine: string): boolean {
    const before = this.#longerPrompt;
    this.#longerPrompt = { markedAt, text };
    return lastLine !== this.#ownPromptEnd && before.markedAt !== markedAt && before.text === text;
  }

  #upToNow(from: number): OutputSpan {
    return { from, to: this.#screen.anchor() };
  }
}

/** All spans in the order of their ends, as each of the lists is. */
const inOrder = (
  echoes: readonly OutputSpan[],
  ...rest: (readonly OutputSpan[])[]
): readonly OutputSpan[] => {
  const others = rest.flat();
  return others.length === 0
    ? echoes
    : [...echoes, ...others].sort((one, other) => one.to - other.to);
};
