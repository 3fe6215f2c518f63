/**
 * The text view: what the program said, as a person would have seen it scroll by.
 *
 * A reader gets each line once, and again only if it was redrawn since. A line that was read while
 * it was being written is not repeated: what was added to it is given. What is to be left out (an
 * echo, a prompt) comes in as positions: nothing here knows why.
 */
import type { LostOutput, ReaderPosition } from '../screen/history/retention.ts';
import type { Screen, ScreenLine } from '../screen/screen.ts';
import type { MissingOutput, ViewLine } from './budget.ts';

/**
 * Output from one position up to another. Both are line starts, or were anchored on the screen.
 * A span may be forgotten once a reader has read past it, unless its lines change after that.
 * Several come in the order of their ends.
 */
export interface OutputSpan {
  from: number;
  to: number;
  /** It is just this line, wherever that ends, as long as it says this. */
  line?: { id: number; text: string };
}

export interface TextView {
  lines: ViewLine[];
  /** The first line goes on where the last one of the view before ended. */
  continues: boolean;
  /** Lines that are no longer kept, if there are any. */
  gone?: MissingOutput;
  /** Up to where the output was read. */
  position: number;
}

export const viewText = ({ lines }: TextView): string => lines.map(({ text }) => text).join('\n');

/** Text from the line on that holds a position, whoever has read it before. */
export function textFrom(
  screen: Screen,
  position: number,
  leftOut: readonly OutputSpan[] = [],
): TextView {
  const from = screen.lineAt(position);
  const lines: ViewLine[] = [];
  let gone: MissingOutput | undefined;
  let isJoining = false;
  for (const { line, text, isLeftOut } of visibleLines(screen, from, leftOut)) {
    if (line.lost) gone = add(gone, lostSince(position, line.position, line.lost), lines.length);
    const continues = isJoining && line.continues && !line.lost;
    isJoining = !isLeftOut;
    if (isLeftOut) continue;
    if (continues) lines.at(-1)!.text += text;
    else lines.push({ position: line.position, text });
  }
  return { lines, continues: false, position: screen.position, ...(gone && { gone }) };
}

/** What a reader has seen of the lines that may still change. */
interface Seen {
  /** The first line that was on the screen when it was read, and the last one read. */
  from: number;
  to: number;
  /** By the line's id: its text, and what was shown of it. */
  texts: ReadonlyMap<number, { whole: string; shown: string }>;
  /** The line that was being written. */
  unfinished?: number;
}

const LINE_END_BYTES = '\r\n'.length;

const nothingSeen: Seen = { from: 0, to: -1, texts: new Map() };

export class TextReader implements ReaderPosition {
  /** Up to where this reader has read. */
  position = 0;
  readonly #screen: Screen;
  #seen = nothingSeen;

  constructor(screen: Screen) {
    this.#screen = screen;
    screen.history.readers.add(this);
  }

  /** What is new, and from now on is not. */
  read(leftOut: readonly OutputSpan[] = []): TextView {
    const { view, seen } = this.#look(leftOut);
    this.#seen = seen;
    this.position = view.position;
    return view;
  }

  /** All so far is no longer new. Only what may still change has to be looked at for that. */
  skip(leftOut: readonly OutputSpan[] = []): void {
    const { firstLineOnScreen } = this.#screen;
    this.#seen = { ...this.#seen, from: Math.max(this.#seen.from, firstLineOnScreen) };
    this.read(leftOut);
  }

  /** What is back on the screen was read, as it is: no program could reach it meanwhile. */
  resized(): void {
    const screen = this.#screen;
    const from = screen.firstLineOnScreen;
    if (from >= this.#seen.from) return;
    const texts = new Map(this.#seen.texts);
    for (const { line, id, text } of screen.lines(from)) {
      if (line >= this.#seen.from) break;
      texts.set(id, { whole: text, shown: text });
    }
    this.#seen = { ...this.#seen, from, texts };
  }

  /** The screen no longer keeps anything for this reader. */
  close(): void {
    this.#screen.history.readers.delete(this);
  }

  #look(leftOut: readonly OutputSpan[]): { view: TextView; seen: Seen } {
    const screen = this.#screen;
    const before = this.#seen;
    const lines: ViewLine[] = [];
    const texts = new Map<number, { whole: string; shown: string }>();
    let continues = false;
    let gone: MissingOutput | undefined;
    let to = before.to;
    let unfinished: number | undefined;
    /** The id of the line before, and whether it is the last one in the view. */
    let previousId = -1;
    let isPreviousGiven = false;
    for (const { line, text, isLeftOut } of visibleLines(screen, before.from, leftOut)) {
      const { id, position, text: whole } = line;
      if (line.lost) gone = add(gone, this.#unseen(line), lines.length);
      to = Math.max(to, line.line);
      if (line.isLive) texts.set(id, { whole, shown: text });
      unfinished = line.hasCursor ? id : undefined;
      const seen = before.texts.get(id);
      // Of a line that is very long, not all is given again if a shell takes its prompt from the end of it.
      const isShorter = seen?.shown && (line.continues ? seen.shown.startsWith(text) : text === '');
      const isSame = seen?.whole === whole || seen?.shown === text || isShorter;
      const isGiven = !isLeftOut && !isSame;
      const isNext = line.continues && !line.lost;
      const goesOn =
        id === before.unfinished
          ? seen?.shown && text.startsWith(seen.shown)
          : isNext && seen === undefined && previousId === before.unfinished && !isPreviousGiven;
      const added = goesOn ? text.slice(seen?.shown.length ?? 0) : text;
      if (isGiven && goesOn) continues = true;
      if (isGiven && isNext && isPreviousGiven) lines.at(-1)!.text += added;
      else if (isGiven) lines.push({ position, text: added });
      previousId = id;
      isPreviousGiven = isGiven;
    }
    const view = { lines, continues, position: screen.position, ...(gone && { gone }) };
    // What has left the screen comes back only if that grows: see `resized`.
    const from = screen.firstLineOnScreen;
    return { view, seen: { from, to, texts, ...(unfinished !== undefined && { unfinished }) } };
  }

  /** Of what is missing before a line, what comes after the last line read. */
  #unseen({ line, position, lost }: ScreenLine): LostOutput {
    const { to, unfinished } = this.#seen;
    const bytes = Math.max(0, Math.min(lost!.bytes, position - this.position));
    const missed = line - to - 1;
    // The last line read may have gone on.
    const isCutOff = unfinished !== undefined && missed < lost!.lines && bytes > LINE_END_BYTES;
    const lines = Math.min(lost!.lines, missed + Number(isCutOff));
    return lines <= 0 ? { lines: 0, bytes: 0 } : { lines, bytes };
  }
}

const add = (
  gone: MissingOutput | undefined,
  { lines, bytes }: LostOutput,
  before: number,
): MissingOutput | undefined =>
  lines === 0
    ? gone
    : { lines: lines + (gone?.lines ?? 0), bytes: bytes + (gone?.bytes ?? 0), before };

/** Of what is missing before a line, what came after a position; an estimate if that is gone too. */
function lostSince(
  position: number,
  linePosition: number,
  { lines, bytes }: LostOutput,
): LostOutput {
  const missed = Math.max(0, Math.min(bytes, linePosition - position));
  return { lines: bytes === 0 ? 0 : Math.round((lines * missed) / bytes), bytes: missed };
}

/** Lines without the spans that are to be left out. */
function* visibleLines(
  screen: Screen,
  from: number,
  leftOut: readonly OutputSpan[],
): Generator<VisibleLine> {
  let spans: PlacedSpan[] | undefined;
  const cut = (line: ScreenLine, end: number, goesOn = false) => {
    spans ??= spansFrom(line.position, leftOut, screen);
    return without(line, end, spans, goesOn);
  };
  let previous: ScreenLine | undefined;
  for (const line of screen.lines(from)) {
    if (previous !== undefined) yield cut(previous, line.position, line.continues);
    previous = line;
  }
  if (previous === undefined) return;
  // The last line has ended before now if the cursor is on a blank one below it.
  yield cut(previous, previous.hasCursor ? screen.position : previous.position);
}

/** Spans come in the order of their ends, and after a thousand commands few of them matter. */
const spansFrom = (position: number, spans: readonly OutputSpan[], screen: Screen): PlacedSpan[] =>
  spans
    .slice(spans.findLastIndex(({ to }) => to <= position) + 1)
    .map((span) =>
      span.line !== undefined
        ? span
        : { ...span, start: screen.placeOf(span.from), end: screen.placeOf(span.to) },
    );

/** `text` is what is left of the line's own. */
interface VisibleLine {
  line: ScreenLine;
  text: string;
  isLeftOut: boolean;
}

interface PlacedSpan extends OutputSpan {
  start?: { id: number; index: number } | undefined;
  end?: { id: number; index: number } | undefined;
}

/** `goesOn`: blanks at its end are in the middle of a line. */
function without(
  line: ScreenLine,
  end: number,
  spans: readonly PlacedSpan[],
  goesOn: boolean,
): VisibleLine {
  // From the right, so that what is cut does not move what is still to be cut.
  let { text } = line;
  let isTouched = false;
  for (let at = spans.length - 1; at >= 0; at--) {
    const cut = cutOf(spans[at]!, line, end);
    if (cut === undefined) continue;
    text = text.slice(0, cut.from) + text.slice(cut.to);
    isTouched = true;
  }
  const isLeftOut = isTouched && text.trim() === '';
  return { line, text: goesOn ? text : text.trimEnd(), isLeftOut };
}

/** Which characters of a line lie in a span. A boundary that is not known leaves the line whole. */
function cutOf(
  { from, to, line, start, end }: PlacedSpan,
  { id, position, text }: ScreenLine,
  lineEnd: number,
): { from: number; to: number } | undefined {
  if (line !== undefined)
    return line.id === id && line.text === text ? { from: 0, to: text.length } : undefined;
  if (position >= to) return undefined;
  const first = start?.id === id ? start.index : position >= from ? 0 : undefined;
  const last = end?.id === id ? end.index : lineEnd <= to ? text.length : undefined;
  if (first === undefined || last === undefined) return undefined;
  if (last <= first && end?.id === id) return undefined;
  return { from: first, to: Math.max(first, last) };
}
