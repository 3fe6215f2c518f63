/**
 * Finds the lines that are only the echo of what was typed.
 *
 * Line editors redraw what they echo, so bytes cannot be compared; lines can. The first typed line is
 * echoed on the cursor's line. Each later one ends its line, after a prompt of its own. Such a line
 * holds a prompt and an echo and nothing else, so views leave it out.
 */
import { withoutInvisible } from '../../invisible-characters.ts';
import type { LiveLine } from '../../screen/lines/live-lines.ts';
import type { Screen } from '../../screen/screen.ts';
import type { OutputSpan } from '../../views/text.ts';
import type { EchoSnapshot, ExpectedEchoSnapshot } from '../snapshot/session-snapshot.ts';
import { promptBefore, withoutRight, withTabs, withWholeEcho } from './echo-text.ts';

const LINE_FEED = 0x0a;
/** Other lines that may come between typing and the echo, such as from a background job. */
const MAX_OTHER_LINES = 3;
/**
 * Lines of the previous command that may come between typing ahead and the second echo. Each one costs
 * time to compare, so a flood is not compared to its end.
 */
const MAX_LINES_BEFORE_SECOND = 64;
/** A program that neither echoes nor prints must not make us keep everything that is typed. */
const MAX_EXPECTED = 256;
/** Older echoes can no longer be read anyway. */
const MAX_SPANS = 2048;

type EndedLine = Omit<LiveLine, 'hasCursor'>;

export class EchoDetector {
  readonly #screen: Screen;
  readonly #spans: OutputSpan[] = [];
  /** The lines of these spans. */
  readonly #lineIds = new Set<number>();
  /** The typed lines that have not been echoed yet. */
  #expected: string[] = [];
  /** The line on which the first of them is echoed, the text before the echo, and a prompt on the right. */
  #firstLine: { id: number; position: number; text: string; right?: string } | undefined;
  /** They are one paste of so many lines, which a line editor echoes as a whole before it takes it. */
  #paste: { lines: number; from?: number } | undefined;
  /** The text before the last echo on its line. */
  #lastPrompt = '';
  /** Other lines that may still come before the next echo. */
  #linesLeft = 0;
  /** Some of the typed lines were blank. */
  #hasBlanks = false;
  /**
   * Lines typed ahead. The kernel echoes them at once. The line editor echoes them a second time when
   * it reads them, after the prompt it draws then.
   */
  #second: { prompt: string; lines: string[]; linesLeft: number } | undefined;
  /** Whether only echo has been printed since the last input. */
  #isUnanswered = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** What views leave out: all echoes, also one that is still being drawn. */
  get spans(): readonly OutputSpan[] {
    const line = this.#expected.length > 0 ? this.#screen.cursorLine : undefined;
    if (line === undefined || !this.#isPartOfEcho(line)) return this.#spans;
    return [...this.#spans, { from: line.position, to: this.#screen.anchor() }];
  }

  /**
   * Called before these lines are typed, each with Enter after it. `unfinished`: what was typed
   * earlier on the same line, without Enter. The kernel echoes it, but perhaps later.
   */
  expect(typed: readonly string[], unfinished = ''): void {
    if (this.#screen.modes.alternateScreen) return;
    const lines = typed.map(withoutInvisible);
    const line = this.#screen.cursorLine;
    const text = withWholeEcho(this.#screen.textBeforeCursor, unfinished);
    const { length } = this.#expected;
    const isQueued = this.#isUnanswered && length > 0 && length < MAX_EXPECTED;
    this.#expectSecond(lines, isQueued ? (this.#firstLine?.text ?? '') : text, isQueued);
    const isPaste = !isQueued && this.#screen.modes.bracketedPaste;
    this.#paste = isPaste
      ? { lines: lines.length, ...(line && { from: line.position }) }
      : undefined;
    if (!isQueued) {
      this.#expected = [];
      const { textBeforeCursor } = this.#screen;
      const right = line?.text.slice(textBeforeCursor.length).trim();
      const { id, position } = line ?? {};
      this.#firstLine =
        id === undefined || position === undefined
          ? undefined
          : { id, position, text, ...(right && { right }) };
    }
    this.#expected.push(...lines);
    this.#linesLeft = MAX_OTHER_LINES;
    this.#hasBlanks = this.#expected.some((typed) => typed.trim() === '');
    this.#isUnanswered = true;
  }

  /**
   * Notes lines typed ahead, which are echoed a second time. The program is busy if there is no prompt
   * before the cursor although it has shown one before.
   */
  #expectSecond(lines: readonly string[], before: string, isQueued: boolean): void {
    const isAhead = isQueued || before.trim() === '';
    const prompt = before.trim() === '' ? (this.#second?.prompt ?? this.#lastPrompt) : before;
    const earlier = this.#second?.lines ?? [];
    const linesLeft = MAX_LINES_BEFORE_SECOND;
    this.#second =
      isAhead && prompt.trim() !== '' && earlier.length < MAX_EXPECTED
        ? { prompt, lines: [...earlier, ...lines], linesLeft }
        : undefined;
  }

  /**
   * Called when the session's own shell begins, at this position, to run what was typed. Its echo is over then: a message that
   * ends like the command is not one. A transient prompt has drawn it anew, perhaps on another line.
   * `isAllEchoed`: the shell has read all lines that were typed, not only the first.
   */
  onCommandStart(position: number, { isAllEchoed = false } = {}): void {
    const first = this.#firstLine;
    const [typed] = this.#expected;
    if (first !== undefined && typed?.trim()) {
      const lines = [...this.#screen.lines(this.#screen.firstLiveLine)];
      const echo = lines.findLast(
        ({ position: at, text }) => at >= first.position && promptBefore(text, typed) !== undefined,
      );
      if (echo !== undefined) this.#hide(echo, position);
    }
    // fish draws a paste that does not fit the screen again and again.
    const paste = this.#paste;
    if (paste?.from !== undefined && paste.lines > this.#screen.modes.rows)
      this.#addSpan({ from: paste.from, to: position });
    if (paste !== undefined || isAllEchoed) this.#expected = [];
    else if (first !== undefined) this.#expected.shift();
    this.#paste = undefined;
    this.#firstLine = undefined;
  }

  /** The next line feed at which to call `onLineEnd`. -1 if there is none, or no echo is expected. */
  nextLineEnd(bytes: Buffer, from: number): number {
    const isExpecting = this.#expected.length > 0 || this.#second !== undefined;
    return isExpecting ? bytes.indexOf(LINE_FEED, from) : -1;
  }

  /**
   * Called when output is on the screen, with the part after its last line end. Returns whether only
   * echo has been printed since the last input.
   */
  onOutput(rest: Buffer): boolean {
    this.#isUnanswered &&= !rest.includes(LINE_FEED) && this.#isBlankOrEcho;
    return this.#isUnanswered;
  }

  /** Whether the cursor's line is blank, or holds only an echo or the first part of one. */
  get #isBlankOrEcho(): boolean {
    if (this.#screen.modes.alternateScreen) return false;
    const line = this.#screen.cursorLine;
    return line === undefined || (this.#expected.length > 0 && this.#isPartOfEcho(line));
  }

  /** Called at the end of a line, with the line as it was then. Returns whether it is an echo. */
  onLineEnd(line: LiveLine | undefined): boolean {
    const { length } = this.#spans;
    this.#compare(line);
    return this.#spans.length > length;
  }

  snapshot(): EchoSnapshot {
    return { spans: [...this.#spans], ...this.expectedSnapshot() };
  }

  restore({ spans, ...expected }: EchoSnapshot): void {
    for (const span of spans) this.#addSpan(span);
    this.restoreExpected(expected);
  }

  /** What typing changes. The echoes that were found come from the output. */
  expectedSnapshot(): ExpectedEchoSnapshot {
    const second = this.#second;
    const snapshot: ExpectedEchoSnapshot = {
      expected: [...this.#expected],
      lastPrompt: this.#lastPrompt,
      linesLeft: this.#linesLeft,
      hasBlanks: this.#hasBlanks,
      isUnanswered: this.#isUnanswered,
    };
    if (this.#firstLine) snapshot.firstLine = this.#firstLine;
    if (second) snapshot.second = { ...second, lines: [...second.lines] };
    if (this.#paste) snapshot.paste = this.#paste;
    return snapshot;
  }

  restoreExpected(snapshot: ExpectedEchoSnapshot): void {
    this.#expected = snapshot.expected;
    this.#firstLine = snapshot.firstLine;
    this.#lastPrompt = snapshot.lastPrompt;
    this.#linesLeft = snapshot.linesLeft;
    this.#hasBlanks = snapshot.hasBlanks;
    this.#second = snapshot.second;
    this.#isUnanswered = snapshot.isUnanswered;
    this.#paste = snapshot.paste;
  }

  #compare(line: LiveLine | undefined): void {
    const isPaste = this.#hasBlanks && this.#screen.modes.bracketedPaste;
    // A line editor that redraws a paste ends its lines again: these are not new echoes.
    if (line !== undefined && this.#isKnown(line)) {
      if (isPaste) this.#hideBlanksAbove(line);
      return;
    }
    const at =
      line === undefined ? -1 : this.#expected.findIndex((typed) => this.#isEcho(line, typed));
    // A blank line may leave no line on the screen, if a paste is taken as a whole.
    const isNext = at >= 0 && this.#expected.slice(0, at).every((typed) => typed.trim() === '');
    if (line !== undefined && isNext) {
      this.#lastPrompt = promptBefore(line.text, this.#expected[at]!) ?? '';
      this.#hide(line);
      if (at > 0 || isPaste) this.#hideBlanksAbove(line);
      this.#matchSecond(line);
      this.#expected.splice(0, at + 1);
      this.#firstLine = undefined;
      this.#linesLeft = MAX_OTHER_LINES;
      return;
    }
    if (line !== undefined && this.#matchSecond(line)) {
      this.#hide(line);
      return;
    }
    if (isPaste && (line === undefined || line.text === '')) return;
    this.#hideUnended();
    this.#isUnanswered = false;
    if (--this.#linesLeft === 0) this.#expected = [];
    if (this.#second !== undefined && --this.#second.linesLeft <= 0) this.#second = undefined;
  }

  /** irb leaves the first line by a cursor movement, so this line never gets a line end. */
  #hideUnended(): void {
    const first = this.#firstLine;
    if (first === undefined || this.#expected.length === 0) return;
    for (const line of this.#screen.liveLinesAt(first.position)) {
      if (line.id !== first.id || !this.#isEcho(line, this.#expected[0]!)) continue;
      this.#hide(line);
      this.#expected.shift();
      this.#firstLine = undefined;
      this.#linesLeft = MAX_OTHER_LINES;
      return;
    }
  }

  /** Whether this is the second echo of the next line typed ahead. If so, it is expected no longer. */
  #matchSecond({ text }: LiveLine): boolean {
    const second = this.#second;
    if (second === undefined || text !== withTabs(`${second.prompt}${second.lines[0]}`).trimEnd())
      return false;
    this.#lastPrompt = second.prompt;
    second.lines.shift();
    if (second.lines.length === 0) this.#second = undefined;
    return true;
  }

  #isKnown({ id }: { id: number }): boolean {
    return this.#lineIds.has(id);
  }

  /** Hides a line by its id: node's REPL shows a preview below, returns, and ends the line again. */
  #hide({ id, position, text }: EndedLine, to = this.#screen.position): void {
    this.#addSpan({ from: position, to, line: { id, text } });
    const oldest = this.#spans.length > MAX_SPANS ? this.#spans.shift() : undefined;
    if (oldest?.line) this.#lineIds.delete(oldest.line.id);
  }

  #addSpan(span: OutputSpan): void {
    this.#spans.push(span);
    if (span.line) this.#lineIds.add(span.line.id);
  }

  /** Blank lines between two echoed lines were typed too. */
  #hideBlanksAbove({ id }: LiveLine): void {
    const blanks: EndedLine[] = [];
    let isBelowEcho = false;
    for (const line of this.#screen.lines(this.#screen.firstLiveLine)) {
      if (line.id === id) break;
      if (line.text === '') blanks.push(line);
      else blanks.length = 0;
      if (line.text !== '') isBelowEcho = this.#isKnown(line);
    }
    if (isBelowEcho) for (const blank of blanks) this.#hide(blank);
  }

  /** Whether this is the first part of the next echo. */
  #isPartOfEcho({ id, text }: LiveLine): boolean {
    const first = this.#firstLine;
    if (first?.id !== id) return false;
    const echo = withTabs(`${first.text}${this.#expected[0]}`);
    return echo.startsWith(withoutRight(text, first.right));
  }

  #isEcho({ id, text }: LiveLine, typed: string): boolean {
    const first = this.#firstLine;
    // The echo of a blank line is only its prompt.
    if (first === undefined && typed.trim() === '') return text === this.#lastPrompt.trimEnd();
    if (first === undefined) return promptBefore(text, typed) !== undefined;
    if (id !== first.id) return false;
    return withoutRight(text, first.right) === withTabs(`${first.text}${typed}`).trimEnd();
  }
}
