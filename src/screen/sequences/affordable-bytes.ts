/** Says how much output can be parsed at once, so that no session keeps the others waiting. */
import { MAX_CHARACTER_WORK } from '../xterm/fast-rows.ts';
import type { Xterm } from '../xterm/xterm.ts';
import { MAX_REPEATED } from './work-limits.ts';

/** About two milliseconds of work, in cells. */
const MAX_WORK = 100_000;
const ESC = 0x1b;
const LF = 0x0a;
/** The first byte of U+0080 to U+009F in UTF-8. */
const C1_LEAD = 0xc2;
const C1_CSI = 0x9b;
/** In a narrower row, a line feed is no more work than its text. */
export const WIDE_COLS = 240;
/** To move so many cells is as much work as to print one. */
const MOVED_PER_PRINTED = 8;
const CSI = '['.charCodeAt(0);
const PRIVATE = '?'.charCodeAt(0);
/** The last bytes of CSI sequences that change no more than a line. All others may change every cell. */
const LIGHT_FINALS = new Set(Buffer.from('ABCDEFGHIKPXZ`adefgmnpqrstuvx'));
const REPEAT = 'b'.charCodeAt(0);
/** Those that switch insert mode, or set margins: from then on, text or line feeds are more work. */
const SWITCHES = new Set(Buffer.from('hlr'));
/** ESC c resets the terminal, ESC # 8 fills it. */
const HEAVY_ESCAPES = new Set(Buffer.from('c#'));

/** How much work sequences, line feeds and text are on a screen, in cells. */
export interface WorkRates {
  cells: number;
  /** A sequence that changes a line, or moves rows by one. */
  light: number;
  lineFeed: number;
  /** A byte of text. */
  text: number;
}

export const workRates = ({ core, terminal }: Xterm): WorkRates => {
  const { cols, rows } = terminal;
  const { scrollTop, scrollBottom } = core.buffers.active;
  const hasMargins = scrollTop > 0 || scrollBottom < rows - 1;
  const wideFeed = cols > WIDE_COLS ? cols : 0;
  return {
    cells: cols * rows,
    light: cols + rows,
    // Within margins, all rows are moved.
    lineFeed: hasMargins ? cols + rows : wideFeed,
    text: core.coreService.modes.insertMode ? Math.ceil(cols / MOVED_PER_PRINTED) : 0,
  };
};

/**
 * How much of some output can be parsed at once, in bytes: a few milliseconds of work, or one sequence.
 * After a sequence that may change the rates, they have to be asked for again.
 */
export const affordableBytes = (bytes: Buffer, rates: WorkRates): number => {
  let work = 0;
  let control = nextControl(bytes, 0);
  for (let at = 0; at < bytes.length; ) {
    if (control !== -1 && control < at) control = nextControl(bytes, at);
    const esc = bytes.indexOf(ESC, at);
    const start = esc === -1 || (control !== -1 && control < esc) ? control : esc;
    const textEnd = start === -1 ? bytes.length : start;
    const affordable = affordableText(bytes.subarray(at, textEnd), MAX_WORK - work, rates);
    if (at + affordable.bytes < textEnd) return at + affordable.bytes;
    work += affordable.work;
    if (start === -1) break;
    const end = sequenceEnd(bytes, start);
    work += workOf(bytes, start, end, rates);
    if (work > MAX_WORK) return start === 0 ? end : start;
    if (isSwitch(bytes, start, end)) return end;
    at = end;
  }
  return bytes.length;
};

/** The next control character of eight bits, which stands for ESC and a letter. */
const nextControl = (bytes: Buffer, from: number): number => {
  let control = bytes.indexOf(C1_LEAD, from);
  while (control !== -1 && (bytes[control + 1]! & 0xe0) !== 0x80)
    control = bytes.indexOf(C1_LEAD, control + 1);
  return control;
};

/** At least one byte, and a line feed with the text before it. */
const affordableText = (
  text: Buffer,
  affordableWork: number,
  rates: WorkRates,
): { bytes: number; work: number } => {
  const most = rates.text === 0 ? text.length : Math.max(1, affordableWork / rates.text);
  const end = Math.min(text.length, Math.floor(most));
  let work = end * rates.text;
  let feed = rates.lineFeed > 0 ? text.indexOf(LF) : -1;
  while (feed !== -1 && feed < end) {
    work += rates.lineFeed;
    if (work > affordableWork) return { bytes: feed + 1, work };
    feed = text.indexOf(LF, feed + 1);
  }
  return { bytes: end, work };
};

const workOf = (bytes: Buffer, start: number, end: number, rates: WorkRates): number => {
  if (isCsi(bytes, start) && bytes[end - 1] === REPEAT) {
    const count = Number.parseInt(bytes.toString('latin1', start + 2, end), 10) || 1;
    return Math.min(count * MAX_CHARACTER_WORK, MAX_REPEATED);
  }
  return isLight(bytes, start, end) ? rates.light : rates.cells;
};

const isCsi = (bytes: Buffer, start: number): boolean =>
  bytes[start + 1] === (bytes[start] === ESC ? CSI : C1_CSI);

const isSwitch = (bytes: Buffer, start: number, end: number): boolean =>
  isCsi(bytes, start) && bytes[start + 2] !== PRIVATE && SWITCHES.has(bytes[end - 1]!);

/** Where the sequence ends that begins here, or the bytes do. Of a string (OSC), where its text begins. */
const sequenceEnd = (bytes: Buffer, start: number): number => {
  let end = start + 2;
  if (isCsi(bytes, start)) {
    while (end < bytes.length && bytes[end]! < 0x40) end++;
    end++;
  } else while ((bytes[end - 1]! & 0xf0) === 0x20) end++;
  return Math.min(end, bytes.length);
};

const isLight = (bytes: Buffer, start: number, end: number): boolean => {
  if (!isCsi(bytes, start)) return !HEAVY_ESCAPES.has(bytes[start + 1]!);
  // A space before the last byte makes it another sequence.
  const isPlain = (bytes[end - 2]! & 0xf0) !== 0x20;
  return isPlain && LIGHT_FINALS.has(bytes[end - 1]!);
};
