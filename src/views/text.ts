/**
 * The text view: the output of the program as a person would have seen it scroll by.
 *
 * A reader gets each line once, and again only if it was redrawn. Of a line that was read before it
 * was finished, the next read has only the rest. Callers pass the positions of spans to hide (an
 * echo, a prompt); nothing here knows why they are hidden.
 */
import type { LostOutput, ReaderPosition } from '../screen/history/retention.ts';
import type { Screen, ScreenLine } from '../screen/screen.ts';
import { addLostOutput, type LostOutputInView, type ViewLine } from './budget.ts';
import type { TextReaderSnapshot } from './reader-snapshot.ts';

/**
 * Output from one position up to another. Both are line starts, or were anchored on the screen.
 * After a reader has read past a span, it does not need it again, unless the span's lines change.
 * A list of spans is in the order of their ends.
 */
export interface OutputSpan {
  from: number;
  to: number;
  /** If present, the span is the line with this id, wherever it now ends, while it has this text. */
  line?: { id: number; text: string };
}

export interface TextView {
  lines: ViewLine[];
  /** The first line continues the last line of the previous view. */
  continues: boolean;
  /** Lines that are no longer kept. */
  gone?: LostOutputInView;
  /** How many characters a person cannot see, and the lines leave out. Absent: none. */
  hidden?: number;
  /** The position up to which the output was read. */
  position: number;
}

export const joinViewLines = ({ lines }: TextView): string =>
  lines.map(({ text }) => text).join('\n');

/** Text from the line that holds a position, no matter what any reader has read. */
export function textViewFrom(
  screen: Screen,
  position: number,
  hidden: readonly OutputSpan[] = [],
): TextView {
  const from = screen.lineAt(position);
  const lines: ViewLine[] = [];
  let gone: LostOutputInView | undefined;
  // Even to ask each line would take time, and nearly all sessions have none.
  const { mayHide } = screen;
  let hiddenCharacters = 0;
  let isPreviousVisible = false;
  for (const { line, text, isHidden } of visibleLines(screen, from, hidden)) {
    const lost = line.lost && lostSince(position, line.position, line.lost);
    if (lost?.lines) gone = addLostOutput(gone, lost, lines.length);
    const continues = isPreviousVisible && line.continues && !line.lost;
    isPreviousVisible = !isHidden;
    if (mayHide) hiddenCharacters += line.hidden ?? 0;
    if (isHidden) continue;
    if (continues) lines.at(-1)!.text += text;
    else lines.push({ position: line.position, text });
  }
  return {
    lines,
    continues: false,
    position: screen.position,
    ...(gone && { gone }),
    ...(hiddenCharacters > 0 && { hidden: hiddenCharacters }),
  };
}

interface SeenText {
  whole: string;
  /** The part of it that was shown. */
  shown: string;
  /** How many characters that nobody can see were counted. Absent: none. */
  hidden?: number;
}

/** What a reader has seen of the lines that may still change. */
interface SeenLines {
  /** The first line that was on the screen when it was read, and the last one read. */
  from: number;
  to: number;
  texts: ReadonlyMap<number, SeenText>;
  /** The id of the line that had the cursor. */
  unfinished?: number;
}

const LINE_END_BYTES = '\r\n'.length;

const nothingSeen: SeenLines = { from: 0, to: -1, texts: new Map() };

export class TextViewReader implements ReaderPosition {
  /** The position up to which this reader has read. */
  position = 0;
  readonly #screen: Screen;
  #seen = nothingSeen;

  constructor(screen: Screen) {
    this.#screen = screen;
    screen.history.readers.add(this);
  }

  /** The lines that are new to this reader. The next read does not repeat them. */
  read(hidden: readonly OutputSpan[] = []): TextView {
    const { view, seen } = this.#collect(hidden);
    this.#seen = seen;
    this.position = view.position;
    return view;
  }

  /** Counts all output so far as read. Collects only the lines that may still change. */
  skip(hidden: readonly OutputSpan[] = []): void {
    const { firstLineOnScreen } = this.#screen;
    this.#seen = { ...this.#seen, from: Math.max(this.#seen.from, firstLineOnScreen) };
    this.read(hidden);
  }

  /** Lines that came back to the screen were read, and cannot have changed above it. */
  onResize(): void {
    const screen = this.#screen;
    const from = screen.firstLineOnScreen;
    if (from >= this.#seen.from) return;
    const texts = new Map(this.#seen.texts);
    for (const line of screen.lines(from)) {
      if (line.line >= this.#seen.from) break;
      texts.set(line.id, seenText(line, line.text));
    }
    this.#seen = { ...this.#seen, from, texts };
  }

  snapshot(): TextReaderSnapshot {
    const { texts, ...seen } = this.#seen;
    const all = [...texts].map(([id, seen]) => ({ id, ...seen }));
    return { position: this.position, ...seen, texts: all };
  }

  restore({ position, texts, ...seen }: TextReaderSnapshot): void {
    this.position = position;
    const byId = texts.map(({ id, ...seen }) => [id, seen] as const);
    this.#seen = { ...seen, texts: new Map(byId) };
  }

  /** From now on the history keeps nothing for this reader. */
  close(): void {
    this.#screen.history.readers.delete(this);
  }

  #collect(hidden: readonly OutputSpan[]): { view: TextView; seen: SeenLines } {
    const screen = this.#screen;
    const before = this.#seen;
    const lines: ViewLine[] = [];
    const texts = new Map<number, SeenText>();
    const { mayHide } = screen;
    let hiddenCharacters = 0;
    let continues = false;
    let gone: LostOutputInView | undefined;
    let to = before.to;
    let unfinished: number | undefined;
    /** The id of the previous line, and whether it is the last one in the view. */
    let previousId = -1;
    let isPreviousIncluded = false;
    for (const { line, text, isHidden } of visibleLines(screen, before.from, hidden)) {
      const { id, position, text: whole } = line;
      const lost = line.lost && this.#lostSinceRead(line, line.lost);
      if (lost?.lines) gone = addLostOutput(gone, lost, lines.length);
      to = Math.max(to, line.line);
      if (line.isLive) texts.set(id, seenText(line, text));
      unfinished = line.hasCursor ? id : undefined;
      const seen = before.texts.get(id);
      // A very long line is not repeated when a shell removes its prompt from the end of the line.
      const isShorter = seen?.shown && (line.continues ? seen.shown.startsWith(text) : text === '');
      const isSame = seen?.whole === whole || seen?.shown === text || isShorter;
      const isIncluded = !isHidden && !isSame;
      const continuesPrevious = line.continues && !line.lost;
      const continuesSeen =
        id === before.unfinished
          ? seen?.shown && text.startsWith(seen.shown)
          : continuesPrevious &&
            seen === undefined &&
            previousId === before.unfinished &&
            !isPreviousIncluded;
      if (mayHide && line.hidden !== undefined) {
        const counted = isSame || continuesSeen ? (seen?.hidden ?? 0) : 0;
        hiddenCharacters += Math.max(0, line.hidden - counted);
      }
      const added = continuesSeen ? text.slice(seen?.shown.length ?? 0) : text;
      if (isIncluded && continuesSeen) continues = true;
      if (isIncluded && continuesPrevious && isPreviousIncluded) lines.at(-1)!.text += added;
      else if (isIncluded) lines.push({ position, text: added });
      previousId = id;
      isPreviousIncluded = isIncluded;
    }
    const view = {
      lines,
      continues,
      position: screen.position,
      ...(gone && { gone }),
      ...(hiddenCharacters > 0 && { hidden: hiddenCharacters }),
    };
    // Lines that have left the screen come back only if the screen grows: see `onResize`.
    const from = screen.firstLineOnScreen;
    return { view, seen: { from, to, texts, ...(unfinished !== undefined && { unfinished }) } };
  }

  /** The part of the lost output before a line that this reader had not read. */
  #lostSinceRead({ line, position }: ScreenLine, lost: LostOutput): LostOutput {
    const { to, unfinished } = this.#seen;
    const bytes = Math.max(0, Math.min(lost.bytes, position - this.position));
    const missedLines = line - to - 1;
    // The last line read may have continued.
    const isCutOff = unfinished !== undefined && missedLines < lost.lines && bytes > LINE_END_BYTES;
    const lines = Math.min(lost.lines, missedLines + Number(isCutOff));
    return lines <= 0 ? { lines: 0, bytes: 0 } : { lines, bytes };
  }
}

const seenText = ({ text: whole, hidden }: ScreenLine, shown: string): SeenText =>
  hidden === undefined ? { whole, shown } : { whole, shown, hidden };

/** The part of the lost output before a line that came after a position. Lines are an estimate. */
function lostSince(
  position: number,
  linePosition: number,
  { lines, bytes }: LostOutput,
): LostOutput {
  const missedBytes = Math.max(0, Math.min(bytes, linePosition - position));
  return { lines: bytes === 0 ? 0 : Math.round((lines * missedBytes) / bytes), bytes: missedBytes };
}

/** Lines without the hidden spans. */
function* visibleLines(
  screen: Screen,
  from: number,
  hidden: readonly OutputSpan[],
): Generator<VisibleLine> {
  let spans: PlacedSpan[] | undefined;
  const cut = (line: ScreenLine, end: number, hasNextPiece = false) => {
    spans ??= spansFrom(line.position, hidden, screen);
    return removeSpans(line, end, spans, hasNextPiece);
  };
  let previous: ScreenLine | undefined;
  for (const line of screen.lines(from)) {
    if (previous !== undefined) yield cut(previous, line.position, line.continues);
    previous = line;
  }
  if (previous === undefined) return;
  // If the cursor is on a blank line below it, the last line has ended.
  yield cut(previous, previous.hasCursor ? screen.position : previous.position);
}

/** Spans are in the order of their ends, and after a thousand commands only few matter. */
const spansFrom = (position: number, spans: readonly OutputSpan[], screen: Screen): PlacedSpan[] =>
  spans
    .slice(spans.findLastIndex(({ to }) => to <= position) + 1)
    .map((span) =>
      span.line !== undefined
        ? span
        : { ...span, start: screen.locate(span.from), end: screen.locate(span.to) },
    );

/** `text` is the line's text without the hidden spans. */
interface VisibleLine {
  line: ScreenLine;
  text: string;
  isHidden: boolean;
}

interface PlacedSpan extends OutputSpan {
  start?: { id: number; index: number } | undefined;
  end?: { id: number; index: number } | undefined;
}

/** `hasNextPiece`: the line continues, so blanks at the end of this piece are kept. */
function removeSpans(
  line: ScreenLine,
  end: number,
  spans: readonly PlacedSpan[],
  hasNextPiece: boolean,
): VisibleLine {
  // From the right, so that a cut does not move the later ones.
  let { text } = line;
  let hasCut = false;
  for (let at = spans.length - 1; at >= 0; at--) {
    const cut = rangeInLine(spans[at]!, line, end);
    if (cut === undefined) continue;
    text = text.slice(0, cut.from) + text.slice(cut.to);
    hasCut = true;
  }
  const isHidden = hasCut && text.trim() === '';
  return { line, text: hasNextPiece ? text : text.trimEnd(), isHidden };
}

/** The characters of a line that lie in a span. Undefined if a boundary is not known. */
function rangeInLine(
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
