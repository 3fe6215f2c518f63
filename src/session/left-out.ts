/** What a view leaves out: the echo of what was typed, and the prompt at the end. */
import type { Screen } from '../screen/screen.ts';
import type { Verdict } from '../state/verdict.ts';
import type { Span } from '../views/text.ts';
import type { Echo } from './echo.ts';

export class LeftOut {
  readonly #screen: Screen;
  readonly #echo: Echo;
  #lastPrompt: string | undefined;

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
    if (ownPromptAt !== undefined) return [...spans, this.#upToNow(ownPromptAt)];
    const known = this.#lastPrompt;
    // Output without a line end runs into the prompt: then the line has more than the prompt in it.
    const hasMore = known !== undefined && prompt !== known && prompt.endsWith(known);
    if (cursorLine === undefined || hasMore) return spans;
    this.#lastPrompt = prompt;
    return [...spans, this.#upToNow(cursorLine.position)];
  }

  #upToNow(from: number): Span {
    return { from, to: this.#screen.anchor() };
  }
}
