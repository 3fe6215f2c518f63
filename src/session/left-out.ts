/** What a view leaves out: the echo of what was typed, and the prompt at the end. */
import type { LiveLine } from '../screen/live-lines.ts';
import type { Screen } from '../screen/screen.ts';
import type { Verdict } from '../state/verdict.ts';
import type { Span } from '../views/text.ts';
import type { Echo } from './echo.ts';

export class LeftOut {
  readonly #screen: Screen;
  readonly #echo: Echo;
  #lastPrompt: string | undefined;
  /** How many lines the prompt of the session's own shell has: the fewest that were seen. */
  #ownPromptLines = Number.POSITIVE_INFINITY;

  constructor(screen: Screen, echo: Echo) {
    this.#screen = screen;
    this.#echo = echo;
  }

  /** The prompt only where a verdict says that there is one. */
  spans(verdict?: Verdict): readonly Span[] {
    const { spans } = this.#echo;
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
    return [...spans, this.#upToNow(cursorLine.position)];
  }

  /** `[1]+ Done`, and what a job prints meanwhile, stand behind the mark too, and are no prompt. */
  #ownPromptFrom(markedAt: number, cursorLine: LiveLine | undefined): number {
    if (cursorLine === undefined) return markedAt;
    const starts: number[] = [];
    if (cursorLine.position > markedAt) {
      for (const { position } of this.#screen.lines(this.#screen.firstLiveLine))
        if (position > markedAt && position <= cursorLine.position) starts.push(position);
    }
    this.#ownPromptLines = Math.min(this.#ownPromptLines, starts.length + 1);
    return starts.at(-this.#ownPromptLines) ?? markedAt;
  }

  #upToNow(from: number): Span {
    return { from, to: this.#screen.anchor() };
  }
}
