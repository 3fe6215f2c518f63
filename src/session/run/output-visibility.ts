/**
 * What a person can see of a command's output. It is taken from the bytes and not from the screen, so the
 * style is followed from where the output begins, also over the parts that are not shown.
 */
import { hasInvisible, leaveOutInvisible } from '../../invisible-characters.ts';
import { Screen } from '../../screen/screen.ts';
import { type PrintingState, showsAsPrinted } from '../../screen/xterm/printing-state.ts';
import { isWriting } from '../../screen/xterm/row-reader.ts';
import { StyleInForce } from '../../screen/xterm/style-in-force.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { CommandRange } from './command-tracker.ts';
import { readPlainOutput, replaceText } from './plain-output.ts';

/** A gap in the output is followed without being shown, so the smallest screen does. */
const SMALLEST = { cols: 2, rows: 1 };

export class OutputVisibility {
  readonly #screen: Screen;
  #position: number;
  #printing: PrintingState | undefined;
  /** How many characters were left out. */
  hidden = 0;

  constructor(screen: Screen, { from, printing }: CommandRange) {
    this.#screen = screen;
    this.#position = from;
    this.#printing = printing;
  }

  /** How text is printed where the next part of the output begins. Undefined: as in a new terminal. */
  get printing(): PrintingState | undefined {
    return this.#printing;
  }

  /** Whether plain output is shown as it is printed. */
  get showsAsPrinted(): boolean {
    return this.#printing === undefined || showsAsPrinted(this.#printing);
  }

  /** Follows the output up to where its next part begins. */
  passUpTo(position: number): void {
    if (position <= this.#position) return;
    const follower = new Screen({ ...SMALLEST, ...ifDefined('printing', this.#printing) });
    for (const { bytes } of this.#screen.history.bytes.slices(this.#position, position))
      follower.write(bytes);
    this.#printing = follower.printing;
    this.#position = position;
    follower.dispose();
  }

  /** Takes over from a screen on which a part was drawn, up to `end`. */
  takeDrawn(hidden: number, { printing }: Screen, end: number): void {
    this.hidden += hidden;
    this.#printing = printing;
    this.#position = end;
  }

  /** `lines`: what `readPlainOutput` makes of what was printed up to `end`. */
  visibleLines({
    lines,
    printed,
    end,
  }: {
    lines: readonly string[];
    printed: string;
    end: number;
  }): readonly string[] {
    this.#position = end;
    const { conceals, isInvisible } = this.#screen.hidingSigns;
    if (!conceals && !isInvisible) return lines;
    const blanked = conceals ? this.#blankConcealed(printed) : printed;
    const shown = blanked === printed ? lines : (readPlainOutput(blanked)?.split('\n') ?? []);
    return lines.map((line, at) => {
      const seen = withoutBlankedEnd(shown[at] ?? '', line);
      if (!hasInvisible(seen)) return seen;
      const { text, hidden } = leaveOutInvisible(seen);
      this.hidden += hidden;
      return text;
    });
  }

  #blankConcealed(printed: string): string {
    const style = new StyleInForce(this.#printing);
    const blanked = replaceText(
      printed,
      (text) => (style.isConcealed ? this.#blank(text) : text),
      (sgr) => style.take(sgr),
    );
    this.#printing = style.printing;
    style.dispose();
    return blanked;
  }

  #blank(text: string): string {
    return text.replaceAll(/[^\s\x00-\x1f\x7f]\p{M}*/gu, (letter) => {
      if (!isWriting(letter)) return letter;
      this.hidden++;
      return ' ';
    });
  }
}

/** Blanks in place of concealed letters at the end of a line are no part of it. Those printed there are. */
const withoutBlankedEnd = (shown: string, printed: string): string => {
  const printedBlanks = printed.length - printed.trimEnd().length;
  const end = shown.length - printedBlanks;
  const isBlanked = shown !== printed && /\s$/.test(shown.slice(0, end));
  return isBlanked ? shown.trimEnd() : shown;
};
