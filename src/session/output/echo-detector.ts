/**
 * Finds out which lines are only the echo of what was typed.
 *
 * Line editors redraw what they echo, so bytes cannot be compared; lines can. The first line typed
 * is echoed on the line where the cursor stood; those after it end with what was typed, behind a
 * prompt of their own. Such lines hold a prompt and an echo and nothing else: views leave them out.
 */
import type { LiveLine } from '../../screen/lines/live-lines.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OutputSpan } from '../../views/text.ts';

const LINE_FEED = 0x0a;
/** Lines that may come between typing and its echo: from a job in the background, say. */
const PATIENCE_LINES = 3;
/**
 * Lines that may come between typing and its second echo: from the command before. A look at each of
 * them costs time, so that a flood is not looked at to its end.
 */
const AGAIN_PATIENCE_LINES = 64;
/** A program that neither echoes nor says anything must not make us keep all that is typed. */
const MAX_EXPECTED = 256;
/** Older echoes have long left what can be read again. */
const MAX_SPANS = 2048;

export class EchoDetector {
  readonly #screen: Screen;
  readonly #spans: OutputSpan[] = [];
  /** The lines typed whose echo has not been seen yet. */
  #expected: string[] = [];
  /** The line on which the first of them is echoed, and what stood on it. */
  #firstLine: { id: number; text: string } | undefined;
  /** What stood before the last echo on its line. */
  #lastPrompt = '';
  #patience = 0;
  /** Some of the lines typed were blank. */
  #hasBlanks = false;
  /**
   * Lines typed ahead. The kernel echoes them at once, and the line editor once more when it reads
   * them, behind the prompt that it draws then.
   */
  #again: { prompt: string; lines: string[]; patience: number } | undefined;
  /** Whether there has been no word of an answer since something was typed. */
  #isUnanswered = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** What views are to leave out: the echoes, and one that is still being drawn. */
  get spans(): readonly OutputSpan[] {
    const line = this.#expected.length > 0 ? this.#screen.cursorLine : undefined;
    if (line === undefined || !this.#isBegunEcho(line)) return this.#spans;
    return [...this.#spans, { from: line.position, to: this.#screen.anchor() }];
  }

  /** These lines, each with Enter behind it, are about to be typed. */
  expect(lines: readonly string[]): void {
    if (this.#screen.modes.alternateScreen) return;
    const line = this.#screen.cursorLine;
    const text = this.#screen.textBeforeCursor;
    const { length } = this.#expected;
    const isBehind = this.#isUnanswered && length > 0 && length < MAX_EXPECTED;
    this.#expectAgain(lines, isBehind ? (this.#firstLine?.text ?? '') : text, isBehind);
    if (!isBehind) {
      this.#expected = [];
      this.#firstLine = line && { id: line.id, text };
    }
    this.#expected.push(...lines);
    this.#patience = PATIENCE_LINES;
    this.#hasBlanks = this.#expected.some((typed) => typed.trim() === '');
    this.#isUnanswered = true;
  }

  /** Without a prompt before the cursor, a program that has shown one is busy. */
  #expectAgain(lines: readonly string[], before: string, isBehind: boolean): void {
    const isAhead = isBehind || before.trim() === '';
    const prompt = before.trim() === '' ? (this.#again?.prompt ?? this.#lastPrompt) : before;
    const earlier = this.#again?.lines ?? [];
    const patience = AGAIN_PATIENCE_LINES;
    this.#again =
      isAhead && prompt.trim() !== '' && earlier.length < MAX_EXPECTED
        ? { prompt, lines: [...earlier, ...lines], patience }
        : undefined;
  }

  /** The next line feed at which to call `onLineEnd`; -1 while no echo is expected, or at none. */
  nextLineEnd(bytes: Buffer, from: number): number {
    const isExpecting = this.#expected.length > 0 || this.#again !== undefined;
    return isExpecting ? bytes.indexOf(LINE_FEED, from) : -1;
  }

  /** The rest of some output is on the screen. Returns whether there is no word of an answer yet. */
  onOutput(rest: Buffer): boolean {
    this.#isUnanswered &&= !rest.includes(LINE_FEED) && this.#isBlankOrEcho;
    return this.#isUnanswered;
  }

  /** Whether there is nothing on the cursor's line, or what was typed as far as it is drawn. */
  get #isBlankOrEcho(): boolean {
    if (this.#screen.modes.alternateScreen) return false;
    const line = this.#screen.cursorLine;
    return line === undefined || (this.#expected.length > 0 && this.#isBegunEcho(line));
  }

  /** A line has ended, and stood so on the screen. Returns whether it was found to be an echo. */
  onLineEnd(line: LiveLine | undefined): boolean {
    const { length } = this.#spans;
    this.#compare(line);
    return this.#spans.length > length;
  }

  #compare(line: LiveLine | undefined): void {
    const isPaste = this.#hasBlanks && this.#screen.modes.bracketedPaste;
    // A line editor that draws a paste anew ends its lines again: those are not the ones to come.
    if (line !== undefined && this.#isKnown(line)) {
      if (isPaste) this.#leaveOutBlanksAbove(line);
      return;
    }
    const at =
      line === undefined ? -1 : this.#expected.findIndex((typed) => this.#isEcho(line, typed));
    // An empty line may leave no line of its own, where a paste is taken as a whole.
    const isNext = at >= 0 && this.#expected.slice(0, at).every((typed) => typed.trim() === '');
    if (line !== undefined && isNext) {
      this.#lastPrompt = promptBefore(line.text, this.#expected[at]!) ?? '';
      this.#leaveOut(line);
      if (at > 0 || isPaste) this.#leaveOutBlanksAbove(line);
      this.#takeAgain(line);
      this.#expected.splice(0, at + 1);
      this.#firstLine = undefined;
      this.#patience = PATIENCE_LINES;
      return;
    }
    if (line !== undefined && this.#takeAgain(line)) {
      this.#leaveOut(line);
      return;
    }
    if (isPaste && (line === undefined || line.text === '')) return;
    this.#leaveOutLeft();
    this.#isUnanswered = false;
    if (--this.#patience === 0) this.#expected = [];
    if (this.#again !== undefined && --this.#again.patience <= 0) this.#again = undefined;
  }

  /** irb goes down from the first line by a movement of the cursor, so that it never ends. */
  #leaveOutLeft(): void {
    const first = this.#firstLine;
    if (first === undefined || this.#expected.length === 0) return;
    for (const line of this.#screen.lines(this.#screen.firstLiveLine)) {
      if (line.id !== first.id || !this.#isEcho(line, this.#expected[0]!)) continue;
      this.#leaveOut(line);
      this.#expected.shift();
      this.#firstLine = undefined;
      this.#patience = PATIENCE_LINES;
      return;
    }
  }

  /** Whether this is the second echo of the next line typed ahead, which then is done with. */
  #takeAgain({ text }: LiveLine): boolean {
    const again = this.#again;
    if (again === undefined || text !== shown(`${again.prompt}${again.lines[0]}`).trimEnd())
      return false;
    this.#lastPrompt = again.prompt;
    again.lines.shift();
    if (again.lines.length === 0) this.#again = undefined;
    return true;
  }

  #isKnown({ id }: { id: number }): boolean {
    return this.#spans.some(({ line }) => line?.id === id);
  }

  /** By its id: node's REPL shows a preview below, comes back, and ends the line a second time. */
  #leaveOut({ id, position, text }: Omit<LiveLine, 'hasCursor'>): void {
    this.#spans.push({ from: position, to: this.#screen.position, line: { id, text } });
    if (this.#spans.length > MAX_SPANS) this.#spans.shift();
  }

  /** Blank lines between two that were echoed were typed as well. */
  #leaveOutBlanksAbove({ id }: LiveLine): void {
    const blanks: Omit<LiveLine, 'hasCursor'>[] = [];
    let isBelowEcho = false;
    for (const line of this.#screen.lines(this.#screen.firstLiveLine)) {
      if (line.id === id) break;
      if (line.text === '') blanks.push(line);
      else blanks.length = 0;
      if (line.text !== '') isBelowEcho = this.#isKnown(line);
    }
    if (isBelowEcho) for (const blank of blanks) this.#leaveOut(blank);
  }

  #isBegunEcho({ id, text }: LiveLine): boolean {
    const first = this.#firstLine;
    return first?.id === id && shown(`${first.text}${this.#expected[0]}`).startsWith(text);
  }

  #isEcho({ id, text }: LiveLine, typed: string): boolean {
    const first = this.#firstLine;
    // An empty line leaves nothing but its prompt to go by.
    if (first === undefined && typed.trim() === '') return text === this.#lastPrompt.trimEnd();
    if (first === undefined) return promptBefore(text, typed) !== undefined;
    return id === first.id && text === shown(`${first.text}${typed}`).trimEnd();
  }
}

/** What stands before the echo at the end of a line. Blanks before a tab are one with its own. */
const promptBefore = (line: string, typed: string): string | undefined => {
  let before = line;
  for (const [index, part] of typed.trimEnd().split('\t').reverse().entries()) {
    const echoed = index === 0 ? part : part.trimEnd();
    if (index > 0) before = before.trimEnd();
    if (!before.endsWith(echoed)) return undefined;
    before = before.slice(0, before.length - echoed.length);
  }
  return before;
};

/** A tab goes on to the next column that is a multiple of eight. */
const shown = (line: string): string => {
  const parts = line.split('\t');
  const last = parts.pop()!;
  return parts.map((part) => part.padEnd(Math.floor(part.length / 8) * 8 + 8)).join('') + last;
};
