/** Sequences that change every cell, one kind at a time, on the largest screens. */
import type { HostileCase } from '../hostile-case.ts';
import { LARGE, TALL, USUAL, WIDE } from './sizes.ts';

const MARKS = '\u0301'.repeat(20);
const repetitions: Record<string, string> = {
  'a letter': 'x\x1b[2147483647b',
  'a letter with 20 marks': `x${MARKS}\x1b[2147483647b`,
  'a letter with 200 marks': `x${MARKS.repeat(10)}\x1b[2147483647b`,
  'a letter with a hidden mark': 'x\u200f\x1b[2147483647b',
  'a letter with hidden tags': 'x\u{e0041}\u{e0042}\x1b[2147483647b',
  'a concealed letter': '\x1b[31;41mx\x1b[2147483647b',
  'a wide character': '\u4e2d\x1b[2147483647b',
  'an emoji of a family': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}\x1b[2147483647b',
};

const heavy: Record<string, string> = {
  'erase in display (ED)': 'x\x1b[2J\x1b[1J\x1b[J',
  'erase scrollback (ED 3)': 'x\r\n\x1b[3J',
  'selective erase (DECSED)': 'x\x1b[?2J',
  'insert lines (IL)': '\x1b[H\x1b[9999L',
  'insert one line (IL)': '\x1b[H\x1b[L',
  'delete lines (DL)': '\x1b[H\x1b[9999M',
  'delete one line (DL)': '\x1b[H\x1b[M',
  'scroll up (SU)': '\x1b[9999S',
  'scroll down (SD)': '\x1b[9999T',
  'scroll down by one (SD)': '\x1b[T',
  'scroll left (SL)': '\x1b[9999 @',
  'scroll right (SR)': '\x1b[9999 A',
  'insert columns (DECIC)': "\x1b[9999'}",
  'delete columns (DECDC)': "\x1b[9999'~",
  'fill the screen (DECALN)': '\x1b#8',
  'reset (RIS)': '\x1bc',
  'soft reset (DECSTR)': '\x1b[!p',
  'insert characters (ICH)': '\x1b[H\x1b[9999@',
  'erase characters (ECH)': '\x1b[H\x1b[9999X',
  'delete characters (DCH)': '\x1b[H\x1b[9999P',
  'erase in line (EL)': '\x1b[2K\x1b[1K\x1b[B',
  'insert mode (IRM)': '\x1b[4h\x1b[Hxyz',
  'reverse index (RI)': '\x1b[H\x1bM',
  'reverse index within margins': '\x1b[2;999r\x1b[2H\x1bM\x1bM',
  'line feeds within margins': '\x1b[2;900r\x1b[900Hx\n\n\n',
  'the alternate screen': '\x1b[?1049hx\x1b[?1049l',
  'the alternate screen, cleared': '\x1b[?47h\x1b[2Jx\x1b[?47l',
  '132 columns (DECCOLM)': '\x1b[?40h\x1b[?3hx\x1b[?3l',
  'tabs everywhere': '\x1b[H\x1bH\x1b[C\x1bH\t\t\t\x1b[999I',
  'colours and clearing': '\x1b[48;2;1;2;3m\x1b[2J\x1b[48;5;9m\x1b[J',
};

const atEachSize = (
  kind: string,
  streams: Readonly<Record<string, string>>,
  sizes: readonly { cols: number; rows: number }[],
): HostileCase[] =>
  sizes.flatMap((size) =>
    Object.entries(streams).map(([name, repeated]) => ({
      kind,
      name: `${name} at ${size.cols}x${size.rows}`,
      size,
      start: '\x1b#8',
      repeated,
    })),
  );

export const heavySequences: HostileCase[] = [
  ...atEachSize('repeat (REP)', repetitions, [USUAL, LARGE, WIDE, TALL]),
  ...atEachSize('whole screens', heavy, [LARGE]),
  ...atEachSize(
    'whole screens',
    Object.fromEntries(Object.entries(heavy).filter((_, at) => at % 4 === 0)),
    [WIDE, TALL],
  ),
];
