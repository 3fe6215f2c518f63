/** Every control sequence (CSI), with numbers that make sense to nobody, on a usual and on the largest screen. */
import type { HostileCase } from '../hostile-case.ts';
import { LARGE, USUAL } from './sizes.ts';

const PREFIXES = ['', '?', '>', '=', '<'];
const INTERMEDIATES = ['', ' ', '!', '"', '$', "'", '*', '+'];
const PARAMETERS = [
  '',
  '0',
  '1',
  '2',
  '3',
  '65535',
  '2147483647',
  '4294967296',
  '99999999999999999999',
  '1;2147483647;1;2147483647',
  '2147483647;1;65535;65535',
  ';;;;',
  '1:2:3;4:5:2147483647',
  Array.from({ length: 64 }, (_, at) => at).join(';'),
];

/** Letters everywhere, one with marks at the end: what REP (b) repeats. */
const FILLED = '\x1b#8\x1b[2;3Hx\u0301';

const finals = Array.from({ length: 0x7f - 0x40 }, (_, at) => String.fromCharCode(0x40 + at));

/** The usual form many times, the odd ones once each. */
const sequencesOf = (final: string): string =>
  [
    ...PARAMETERS.flatMap((parameters) => `y\x1b[${parameters}${final}`),
    ...PREFIXES.flatMap((prefix) =>
      PARAMETERS.slice(4, 8).map((n) => `\x1b[${prefix}${n}${final}`),
    ),
    ...INTERMEDIATES.map((intermediate) => `\x1b[1;9999${intermediate}${final}`),
  ].join('');

export const controlSequences: HostileCase[] = [USUAL, LARGE].flatMap((size) =>
  finals.map((final) => ({
    kind: `CSI, ${size.cols}x${size.rows}`,
    name: `CSI ${final} at ${size.cols}x${size.rows}`,
    size,
    start: FILLED,
    repeated: sequencesOf(final),
  })),
);
