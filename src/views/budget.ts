/**
 * Fits the lines of a view into a number of tokens: the head and the tail are kept, the middle is
 * left out, counted, and can be read from the position that is given.
 *
 * Lines stay whole, except one that is by itself longer than its share. What the history had already
 * lost comes in as `gone`, and the cut is made around it, so that there is never more than one.
 */
import { prefixWithin, suffixWithin } from './graphemes.ts';

export interface ViewLine {
  position: number;
  text: string;
  /** What it took of the output, its end aside, where its text may take another number of bytes. */
  bytes?: number;
}

/** Lines that are no longer kept. */
export interface MissingOutput {
  lines: number;
  bytes: number;
  /** They stood before the line with this index. */
  before: number;
}

export interface Omitted {
  /** Lines that are not there, or not whole. */
  lines: number;
  bytes: number;
  /** Where the first of them begins; absent if it is not kept, or is a row of the screen. */
  from?: number;
}

/** Lines that are rows of a screen: no position leads back to them. */
export interface ScreenRows {
  /** The index of the first of them. */
  first: number;
  /** What to do instead to see those left out. */
  hint: string;
}

export interface FittedView {
  output: string;
  omitted?: Omitted;
}

/** About what tokenizers make of English and of code. */
const BYTES_PER_TOKEN = 4;

/** Less has hardly room for the line that says what was left out; it is taken for this much. */
export const MIN_TOKENS = 64;

/** As many tokens as these lines need. */
export const tokensOf = (lines: readonly ViewLine[]): number =>
  Math.max(MIN_TOKENS, Math.ceil((sizeOf(lines) - 1) / BYTES_PER_TOKEN));

export function fitToBudget(
  lines: readonly ViewLine[],
  maxTokens: number,
  gone?: MissingOutput,
  rows?: ScreenRows,
): FittedView {
  const limit = Math.max(maxTokens, MIN_TOKENS) * BYTES_PER_TOKEN;
  const total = sizeOf(lines);
  // The last line has no end of its own in the output.
  if (!gone && total - 1 <= limit) return { output: lines.map(({ text }) => text).join('\n') };

  // The counts are not known before the cut is made: room is left for the largest they can be.
  const most = {
    lines: lines.length + (gone?.lines ?? 0),
    bytes: outputOf(lines) + (gone?.bytes ?? 0),
    from: lines.at(-1)?.position ?? 0,
  };
  const longest = Math.max(
    ...[rows?.hint, fromHint(most.from)].map((hint) => Buffer.byteLength(marker(most, gone, hint))),
  );
  const room = limit - longest - '\n\n'.length;

  const beforeCut = gone ? lines.slice(0, gone.before) : lines;
  const afterCut = gone ? lines.slice(gone.before) : lines;
  const head = takeHead(beforeCut, Math.max(Math.floor(room / 2), room - sizeOf(afterCut)));
  const tail = takeTail(afterCut, room - head.bytes);

  const anyKept = head.whole + tail.whole < lines.length;
  const isRow = rows !== undefined && head.whole >= rows.first;
  const from = anyKept && !isRow ? lines[head.whole]!.position : undefined;
  const omitted: Omitted = {
    lines: most.lines - head.whole - tail.whole,
    bytes: most.bytes - head.output - tail.output,
    ...(from !== undefined && { from }),
  };
  const hint = from !== undefined ? fromHint(from) : anyKept ? rows?.hint : undefined;
  return { output: `${head.text}${marker(omitted, gone, hint)}${tail.text}`, omitted };
}

const fromHint = (from: number) => `read from position ${from}`;

/** Without a hint there is only what is gone. */
function marker(
  omitted: Omitted,
  gone: MissingOutput | undefined,
  hint: string | undefined,
): string {
  const lost = gone && `${amount(gone)} no longer kept`;
  if (hint === undefined) return `[${lost}]`;
  const cut = `${amount(omitted)} left out`;
  return `[${lost ? `${cut}, of them ${lost}` : cut}; ${hint}]`;
}

const amount = ({ lines, bytes }: Omitted) =>
  `${bytes} ${bytes === 1 ? 'byte' : 'bytes'} in ${lines} ${lines === 1 ? 'line' : 'lines'}`;

/** What is kept of one end, with the newline that parts it from the marker. */
interface Kept {
  text: string;
  /** Lines that are whole in it. */
  whole: number;
  /** Bytes of the lines that are in it, line ends included. */
  bytes: number;
  /** Bytes of the output that they were. */
  output: number;
}

const NO_LINE: ViewLine = { position: 0, text: '' };

function takeHead(lines: readonly ViewLine[], share: number): Kept {
  const { whole, bytes } = countWhole(lines.values(), share);
  const next = lines[whole] ?? NO_LINE;
  const part = Buffer.byteLength(next.text) > share ? prefixWithin(next.text, share - bytes) : '';
  const wholeLines = lines.slice(0, whole);
  const kept = wholeLines.map(({ text }) => text);
  if (part !== '') kept.push(part);
  return {
    text: kept.map((text) => `${text}\n`).join(''),
    whole,
    bytes: bytes + Buffer.byteLength(part),
    output: outputOf(wholeLines) + outputOfPart(next, part),
  };
}

function takeTail(lines: readonly ViewLine[], share: number): Kept {
  const { whole, bytes } = countWhole(lines.toReversed().values(), share);
  const next = lines.at(-1 - whole) ?? NO_LINE;
  // Unlike that of the head, this part has the end of its line.
  const part =
    Buffer.byteLength(next.text) > share ? suffixWithin(next.text, share - bytes - 1) : '';
  const wholeLines = lines.slice(lines.length - whole);
  const kept = wholeLines.map(({ text }) => text);
  if (part !== '') kept.unshift(part);
  const end = part === '' ? 0 : 1;
  return {
    text: kept.map((text) => `\n${text}`).join(''),
    whole,
    bytes: bytes + Buffer.byteLength(part) + end,
    output: outputOf(wholeLines) + outputOfPart(next, part) + end,
  };
}

function countWhole(lines: Iterable<ViewLine>, share: number): { whole: number; bytes: number } {
  let whole = 0;
  let bytes = 0;
  for (const line of lines) {
    const size = sizeOf([line]);
    if (bytes + size > share) break;
    bytes += size;
    whole++;
  }
  return { whole, bytes };
}

const sizeOf = (lines: readonly ViewLine[]) =>
  lines.reduce((bytes, { text }) => bytes + Buffer.byteLength(text) + 1, 0);

const outputOf = (lines: readonly ViewLine[]) =>
  lines.reduce((sum, { text, bytes }) => sum + (bytes ?? Buffer.byteLength(text)) + 1, 0);

/** An estimate where the line's bytes are not those of its text: what is cut is the text. */
const outputOfPart = ({ text, bytes }: ViewLine, part: string) =>
  bytes === undefined || part === ''
    ? Buffer.byteLength(part)
    : Math.round((bytes * Buffer.byteLength(part)) / Buffer.byteLength(text));
