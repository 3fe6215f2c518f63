/** The times of all tasks as a picture: one band a task, one dot a tool, on a logarithmic scale. */
import type { Peer } from './peer.ts';
import type { Row } from './standings.ts';

const WIDTH = 900;
const LEFT = 260;
const RIGHT = 30;
const TOP = 70;
const BAND = 34;
/** Readable on white and on black, and apart for the colour-blind; ours is the first. */
const COLOURS = [
  '#d55e00',
  '#0072b2',
  '#009e73',
  '#cc79a7',
  '#8a7a00',
  '#56b4e9',
  '#7f7f7f',
  '#b07d2b',
];

export const chart = (table: readonly Row[], peers: readonly Peer[]): string => {
  const rows = table.filter(({ task }) => task.unit === 'ms' || task.unit === 'total ms');
  const values = rows.flatMap(({ cells }) => cells.map(({ value }) => value ?? 1));
  const most = Math.max(1000, ...values);
  const least = Math.max(0.1, Math.min(1, ...values.filter((value) => value > 0)));
  const from = Math.floor(Math.log10(least));
  const to = Math.ceil(Math.log10(most));
  const x = (ms: number) =>
    LEFT + ((Math.log10(Math.max(ms, 10 ** from)) - from) / (to - from)) * (WIDTH - LEFT - RIGHT);
  const height = TOP + rows.length * BAND + 40;
  const ticks = Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    '<text x="12" y="20" font-size="15" font-weight="bold">Time from real readiness to the answer, right answers only</text>',
    ...legend(peers),
    ...ticks.flatMap((ms) => [
      `<line x1="${round(x(ms))}" y1="${TOP}" x2="${round(x(ms))}" y2="${height - 30}" stroke="#ddd"/>`,
      `<text x="${round(x(ms))}" y="${height - 12}" text-anchor="middle" fill="#555">${ms < 1000 ? `${ms} ms` : `${ms / 1000} s`}</text>`,
    ]),
    ...rows.flatMap((row, at) => band(row, TOP + at * BAND, x)),
    '</svg>',
    '',
  ].join('\n');
};

/** About the width of a letter. */
const LETTER = 6.4;

const legend = (peers: readonly Peer[]): string[] => {
  let x = 16;
  const entries = peers.map(({ name }, at) => {
    const entry = `<circle cx="${round(x)}" cy="44" r="5" fill="${COLOURS[at]}"/><text x="${round(x + 9)}" y="48" font-size="11">${name}</text>`;
    x += 34 + name.length * LETTER;
    return entry;
  });
  const told = `<circle cx="${round(x)}" cy="44" r="5" fill="#fff" stroke="#555" stroke-width="2"/><text x="${round(x + 9)}" y="48" font-size="11">told in advance what to look for</text>`;
  return [...entries, told];
};

const band = ({ task, cells }: Row, y: number, x: (ms: number) => number): string[] => [
  `<line x1="${LEFT}" y1="${y + BAND / 2}" x2="${WIDTH - RIGHT}" y2="${y + BAND / 2}" stroke="#eee"/>`,
  `<text x="${LEFT - 10}" y="${y + BAND / 2 + 4}" text-anchor="end">${plain(task.title)}${task.unit === 'total ms' ? ' (all of it)' : ''}</text>`,
  // Ours is drawn last, above those of others.
  ...cells
    .map((cell, at) => ({ ...cell, colour: COLOURS[at] }))
    .filter(({ right, value }) => right && value !== undefined)
    .reverse()
    .map(
      ({ value, colour, peer, told }) =>
        `<circle cx="${round(x(value!))}" cy="${y + BAND / 2}" r="${told ? 5 : 6}" ${told ? `fill="#fff" stroke="${colour}" stroke-width="2"` : `fill="${colour}" fill-opacity="0.85"`}><title>${peer.name}: ${value!.toFixed(1)} ms</title></circle>`,
    ),
];

const plain = (title: string): string =>
  title.replaceAll('`', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const round = (value: number): number => Math.round(value * 10) / 10;
