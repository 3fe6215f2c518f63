/**
 * What a person can see of a command's output. It is taken from the bytes and not from the screen, so the
 * style is followed from where the output begins, also over the parts that are not shown.
 */
import { hasInvisible, leaveOutInvisible } from '../../invisible-characters.ts';
import type { Screen } from '../../screen/screen.ts';
import { isWriting } from '../../screen/xterm/row-reader.ts';
import { StyleInForce } from '../../screen/xterm/style-in-force.ts';

/** SGR, and what else is not text: its letters must stay as they are. */
const SEQUENCE = /(\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b\[[\d;:?]*[ -/]*[@-~]|\x1b[ -/]*[0-~])/;
const SGR = /^\x1b\[[\d;:]*m$/;

export class OutputVisibility {
  readonly #screen: Screen;
  /** Absent if nothing was printed that can conceal text. */
  readonly #style: StyleInForce | undefined;
  #position: number;
  #hidden = 0;

  /** Undefined if nothing in the session's output can hide text. */
  static of(screen: Screen, from: number): OutputVisibility | undefined {
    const { conceals, isInvisible } = screen.hidingSigns;
    return conceals || isInvisible ? new OutputVisibility(screen, from, conceals) : undefined;
  }

  private constructor(screen: Screen, from: number, conceals: boolean) {
    this.#screen = screen;
    this.#style = conceals ? new StyleInForce(screen.styleAt(from)) : undefined;
    this.#position = from;
  }

  /** The style in force, as SGR. */
  get style(): string {
    return this.#style?.sgr ?? '';
  }

  /** Returns how many characters were left out. */
  end(): number {
    this.#style?.dispose();
    return this.#hidden;
  }

  /** Follows the style up to where the next part of the output begins. */
  passUpTo(position: number): void {
    const style = this.#style;
    if (style === undefined || position <= this.#position) return;
    const slices = [...this.#screen.history.bytes.slices(this.#position, position)];
    const printed = Buffer.concat(slices.map(({ bytes }) => bytes)).toString();
    for (const part of printed.split(SEQUENCE)) if (SGR.test(part)) style.take(part);
    this.#position = position;
  }

  /** Counts what was left out of a part that was drawn on a screen of its own, up to `end`. */
  countDrawn(hidden: number, end: number): void {
    this.#hidden += hidden;
    this.passUpTo(end);
  }

  /** `lines`: what `plainText` makes of what was printed up to `end`. */
  visibleLines(
    { lines, printed, end }: { lines: readonly string[]; printed: string; end: number },
    plainText: (printed: string) => string | undefined,
  ): string[] {
    const blanked = this.#blankConcealed(printed);
    this.#position = end;
    const shown = blanked === printed ? lines : (plainText(blanked)?.split('\n') ?? []);
    return lines.map((line, at) => {
      const seen = withoutBlankedEnd(shown[at] ?? '', line);
      if (!hasInvisible(seen)) return seen;
      const { text, hidden } = leaveOutInvisible(seen);
      this.#hidden += hidden;
      return text;
    });
  }

  #blankConcealed(printed: string): string {
    const style = this.#style;
    if (style === undefined) return printed;
    const parts = printed.split(SEQUENCE).map((part, at) => {
      const isSequence = at % 2 === 1;
      if (isSequence && SGR.test(part)) style.take(part);
      if (isSequence || !style.isConcealed) return part;
      return part.replaceAll(/[^\s\x00-\x1f\x7f]\p{M}*/gu, (letter) => {
        if (!isWriting(letter)) return letter;
        this.#hidden++;
        return ' ';
      });
    });
    return parts.join('');
  }
}

/** Blanks in place of concealed letters at the end of a line are no part of it. Those printed there are. */
const withoutBlankedEnd = (shown: string, printed: string): string => {
  const printedBlanks = printed.length - printed.trimEnd().length;
  const end = shown.length - printedBlanks;
  const isBlanked = shown !== printed && /\s$/.test(shown.slice(0, end));
  return isBlanked ? shown.trimEnd() : shown;
};
