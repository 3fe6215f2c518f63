/**
 * Fits the lines of a view into a number of tokens. The head and the tail are kept. The middle is
 * left out and counted, and the result has the position from which it can be read.
 *
 * Lines stay whole, except a line that is longer than the share of its end. `gone` is output that
 * the history no longer has. The cut is made around it, so that there is only one gap.
 */
import { graphemePrefixWithin, graphemeSuffixWithin } from './graphemes.ts';

export interface ViewLine {
  position: number;
  text: string;
  /** How many bytes the line has in the output, without its line feed. Absent if as many as its text. */
  bytes?: number;
  /** How many lines it is: then its text has line feeds, and it is shown as a whole or not at all. @default 1 */
  lines?: number;
}

/** Lines that are no longer kept. */
export interface LostOutputInView {
  lines: number;
  bytes: number;
  /** The index of the line that comes after them. */
  before: number;
}

/** Adds lost output to what is missing already. `before` is the index of the line after it. */
export const addLostOutput = (
  missing: LostOutputInView | undefined,
  { lines, bytes }: { lines: number; bytes: number },
  before: number,
): LostOutputInView => ({
  lines: lines + (missing?.lines ?? 0),
  bytes: bytes + (missing?.bytes ?? 0),
  before,
});

export interface Omitted {
  /** Lines left out, as a whole or in part. */
  lines: number;
  bytes: number;
  /** Where the first of them begins. Absent if it is no longer kept, or is a row of the screen. */
  from?: number;
}

/** Lines that are rows of a screen. They have no position to read them from. */
export interface ScreenRowsInView {
  /** The index of the first of them. */
  first: number;
  /** How to see the rows that were left out. */
  hint: string;
}

export interface FittedView {
  output: string;
  omitted?: Omitted;
}

/** A rough average of tokenizers for English and for code. */
const BYTES_PER_TOKEN = 4;

/** A smaller budget is raised to this: it has hardly room for the line about what was left out. */
export const MIN_VIEW_TOKENS = 64;

/** The tokens that these lines need. */
export const estimateTokens = (lines: readonly ViewLine[]): number =>
  Math.max(MIN_VIEW_TOKENS, Math.ceil((textBytesOf(lines) - 1) / BYTES_PER_TOKEN));

/** How many bytes of text fit. */
export const budgetBytes = (maxTokens: number): number =>
  Math.max(maxTokens, MIN_VIEW_TOKENS) * BYTES_PER_TOKEN;

export function fitToBudget(
  lines: readonly ViewLine[],
  maxTokens: number,
  gone?: LostOutputInView,
  rows?: ScreenRowsInView,
): FittedView {
  const limit = budgetBytes(maxTokens);
  const total = textBytesOf(lines);
  // There is no newline after the last line.
  if (!gone && total - 1 <= limit) return { output: lines.map(({ text }) => text).join('\n') };

  // The counts are only known after the cut, so the marker gets room for the largest possible.
  const maxOmitted = {
    lines: countOf(lines) + (gone?.lines ?? 0),
    bytes: outputBytesOf(lines) + (gone?.bytes ?? 0),
    from: lines.at(-1)?.position ?? 0,
  };
  const maxMarkerBytes = Math.max(
    ...[rows?.hint, fromHint(maxOmitted.from)].map((hint) =>
      Buffer.byteLength(marker(maxOmitted, gone, hint)),
    ),
  );
  const available = limit - maxMarkerBytes - '\n\n'.length;

  const beforeCut = gone ? lines.slice(0, gone.before) : lines;
  const afterCut = gone ? lines.slice(gone.before) : lines;
  const head = takeHead(
    beforeCut,
    Math.max(Math.floor(available / 2), available - textBytesOf(afterCut)),
  );
  const tail = takeTail(afterCut, available - head.bytes);

  const isCut = head.whole + tail.whole < lines.length;
  const isRow = rows !== undefined && head.whole >= rows.first;
  const from = isCut && !isRow ? lines[head.whole]!.position : undefined;
  const omitted: Omitted = {
    lines: maxOmitted.lines - head.lines - tail.lines,
    bytes: maxOmitted.bytes - head.outputBytes - tail.outputBytes,
    ...(from !== undefined && { from }),
  };
  const hint = from !== undefined ? fromHint(from) : isCut ? rows?.hint : undefined;
  return { output: `${head.text}${marker(omitted, gone, hint)}${tail.text}`, omitted };
}

const fromHint = (from: number) => `read from position ${from}`;

/** Without a hint, nothing but `gone` is missing. */
function marker(
  omitted: Omitted,
  gone: LostOutputInView | undefined,
  hint: string | undefined,
): string {
  const lost = gone && `${amount(gone)} no longer kept`;
  if (hint === undefined) return `[${lost}]`;
  const leftOut = `${amount(omitted)} left out`;
  return `[${lost ? `${leftOut}, of them ${lost}` : leftOut}; ${hint}]`;
}

const amount = ({ lines, bytes }: Omitted) =>
  `${bytes} ${bytes === 1 ? 'byte' : 'bytes'} in ${lines} ${lines === 1 ? 'line' : 'lines'}`;

/** The part kept of one end, with the newline between it and the marker. */
interface Kept {
  text: string;
  /** How many of the view's lines are in it as a whole, and how many lines those are. */
  whole: number;
  lines: number;
  /** Bytes of its text, with line ends. */
  bytes: number;
  /** Bytes that it had in the output. */
  outputBytes: number;
}

const NO_LINE: ViewLine = { position: 0, text: '' };

function takeHead(lines: readonly ViewLine[], share: number): Kept {
  const { whole, bytes } = countWhole(lines.values(), share);
  const next = lines[whole] ?? NO_LINE;
  const part =
    Buffer.byteLength(next.text) > share ? graphemePrefixWithin(next.text, share - bytes) : '';
  const wholeLines = lines.slice(0, whole);
  const kept = wholeLines.map(({ text }) => text);
  if (part !== '') kept.push(part);
  return {
    text: kept.map((text) => `${text}\n`).join(''),
    whole,
    lines: countOf(wholeLines),
    bytes: bytes + Buffer.byteLength(part),
    outputBytes: outputBytesOf(wholeLines) + outputBytesOfPart(next, part),
  };
}

function takeTail(lines: readonly ViewLine[], share: number): Kept {
  const { whole, bytes } = countWhole(lines.toReversed().values(), share);
  const next = lines.at(-1 - whole) ?? NO_LINE;
  // Unlike the part in the head, this one includes its line end.
  const part =
    Buffer.byteLength(next.text) > share ? graphemeSuffixWithin(next.text, share - bytes - 1) : '';
  const wholeLines = lines.slice(lines.length - whole);
  const kept = wholeLines.map(({ text }) => text);
  if (part !== '') kept.unshift(part);
  const end = part === '' ? 0 : 1;
  return {
    text: kept.map((text) => `\n${text}`).join(''),
    whole,
    lines: countOf(wholeLines),
    bytes: bytes + Buffer.byteLength(part) + end,
    outputBytes: outputBytesOf(wholeLines) + outputBytesOfPart(next, part) + end,
  };
}

function countWhole(lines: Iterable<ViewLine>, share: number): { whole: number; bytes: number } {
  let whole = 0;
  let bytes = 0;
  for (const line of lines) {
    const size = textBytesOf([line]);
    if (bytes + size > share) break;
    bytes += size;
    whole++;
  }
  return { whole, bytes };
}

const countOf = (lines: readonly ViewLine[]) =>
  lines.reduce((sum, line) => sum + (line.lines ?? 1), 0);

const textBytesOf = (lines: readonly ViewLine[]) =>
  lines.reduce((bytes, { text }) => bytes + Buffer.byteLength(text) + 1, 0);

const outputBytesOf = (lines: readonly ViewLine[]) =>
  lines.reduce((sum, { text, bytes }) => sum + (bytes ?? Buffer.byteLength(text)) + 1, 0);

/** An estimate if the line's bytes are not those of its text, because the text is what is cut. */
const outputBytesOfPart = ({ text, bytes }: ViewLine, part: string) =>
  bytes === undefined || part === ''
    ? Buffer.byteLength(part)
    : Math.round((bytes * Buffer.byteLength(part)) / Buffer.byteLength(text));
