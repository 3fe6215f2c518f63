/** What a view leaves out: the echo of what was typed, the prompt at the end, a shell's own signs. */

import type { LiveLine } from '../../screen/lines/live-lines.ts';
import type { Screen } from '../../screen/screen.ts';
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import type { Verdict } from '../../state/verdict.ts';
import type { OutputSpan } from '../../views/text.ts';
import type { EchoDetector } from './echo-detector.ts';
import { LineEndSigns } from './line-end-signs.ts';

export class HiddenSpans {
  readonly #screen: Screen;
  readonly #echo: EchoDetector;
  readonly #signs: LineEndSigns;
  #lastPrompt: string | undefined;
  /** How many lines the prompt of the session's own shell has: the fewest that were seen. */
  #ownPromptLines = Number.POSITIVE_INFINITY;
  /** The last of these lines. */
  #ownPromptEnd = '';
  /** What stood behind the last mark where that was more. */
  #more = { markedAt: -1, text: '' };

  constructor(screen: Screen, echo: EchoDetector) {
    this.#screen = screen;
    this.#echo = echo;
    this.#signs = new LineEndSigns(screen);
  }

  onScreenEvent(event: ScreenEvent): void {
    this.#signs.onScreenEvent(event);
  }

  /** The prompt only where a verdict says that there is one. */
  spans(verdict?: Verdict): readonly OutputSpan[] {
    const spans = inOrder(this.#echo.spans, this.#signs.spans);
    const prompt = verdict?.state === 'waiting' ? verdict.prompt : undefined;
    if (prompt === undefined) return spans;
    const { ownPromptAt, cursorLine } = this.#screen;
    if (ownPromptAt !== undefined)
      return [...spans, this.#upToNow(this.#ownPromptFrom(ownPromptAt, cursorLine))];
    const known = this.#lastPrompt;
    // Output without a line end runs into the prompt: then the line has more than the prompt in it.
    const hasMore = known !== undefined && prompt !== known && prompt.endsWith(known);
    if (cursorLine === undefined || hasMore) return spans;
    this.#lastPrompt = prompt;
    const { id, text, position } = cursorLine;
    // With what is drawn below: blank lines, which ipython keeps for a menu.
    const span = this.#upToNow(position);
    const isAlone = text === prompt.trimEnd() && this.#beginsWithAnother(cursorLine);
    return [...spans, isAlone ? { ...span, line: { id, text } } : span];
  }

  /** In zsh, a line onto which the one above had wrapped begins where that one does. */
  #beginsWithAnother({ id, position }: LiveLine): boolean {
    for (const line of this.#screen.lines(this.#screen.firstLiveLine)) {
      if (line.id === id) return false;
      if (line.position === position && line.text !== '') return true;
    }
    return false;
  }

  /** `[1]+ Done`, and what a job prints meanwhile, stand behind the mark too, and are no prompt. */
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

  /** The user has given it one of more lines: it ends in another way, and all of it comes again. */
  #isNewPrompt(markedAt: number, text: string, end: string): boolean {
    const before = this.#more;
    this.#more = { markedAt, text };
    return end !== this.#ownPromptEnd && before.markedAt !== markedAt && before.text === text;
  }

  #upToNow(from: number): OutputSpan {
    return { from, to: this.#screen.anchor() };
  }
}

/** Both come in the order of their ends. */
const inOrder = (
  spans: readonly OutputSpan[],
  few: readonly OutputSpan[],
): readonly OutputSpan[] =>
  few.length === 0 ? spans : [...spans, ...few].sort((one, other) => one.to - other.to);
