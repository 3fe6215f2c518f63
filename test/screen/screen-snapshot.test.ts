import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/screen/screen.ts';
import { screenSnapshot } from '../../src/screen/screen-snapshot.ts';
import { seeded } from '../helpers/seeded.ts';
import { readStreams, type Stream } from '../streams/stream.ts';

/** As another process would: through bytes, and the check. */
const restored = (screen: Screen): Screen =>
  Screen.restore(screenSnapshot.parse(structuredClone(screen.snapshot())), {});

const whatItShows = (screen: Screen) => ({
  dump: screen.dump(),
  unparsed: Buffer.from(screen.unparsed).toString('latin1'),
  lines: [...screen.lines()],
  modes: screen.modes,
  switches: screen.switches,
  title: screen.title,
  marks: [screen.marks.last, screen.marks.own, screen.marks.ownPromptAt],
  position: screen.position,
});

/** With bytes as text, which is compared faster. */
const snapshotOf = (screen: Screen) =>
  JSON.parse(
    JSON.stringify(screen.snapshot(), (_key, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    ),
  );

/** Plays a recording on a screen, and on one that is restored again and again. */
const playOnBoth = ({ cols, rows, events }: Stream, seed: number) => {
  const { below } = seeded(seed);
  const screen = new Screen({ cols, rows });
  let copy = restored(screen);
  for (const event of events) {
    if ('resize' in event) {
      for (const each of [screen, copy]) each.resize(event.resize.cols, event.resize.rows);
    }
    if (!('output' in event)) continue;
    const bytes = Buffer.from(event.output);
    for (let at = 0, end = 0; at < bytes.length; at = end) {
      end = at + 1 + below(400);
      for (const each of [screen, copy]) each.write(bytes.subarray(at, end));
      if (below(4) === 0) copy = restored(copy);
    }
  }
  return { screen, copy };
};

describe.each(readStreams(`${import.meta.dirname}/../streams`))('$name', (stream) => {
  test.each([1, 2])('goes on from snapshots as if nothing had happened (seed %i)', (seed) => {
    const { screen, copy } = playOnBoth(stream, seed);
    expect(whatItShows(copy)).toEqual(whatItShows(screen));
    expect(snapshotOf(copy)).toEqual(snapshotOf(screen));
  });
});

const pieces: [string, string[]][] = [
  ['a flood that drops the middle', ['a line of output\r\n'.repeat(9000), 'the end']],
  ['a sequence too long to be held back', [`\x1b]2;${'x'.repeat(70_000)}`, 'yz\x07after']],
  ['half a character', ['caf\xc3', '\xa9']],
  ['half a sequence', ['red \x1b[3', '1mtext']],
  ['a line in several pieces', ['w'.repeat(200_000), '!\r\nnext']],
  ['a charset and a saved cursor', ['\x1b(0lqk\x1b7\x1b[5;5Hx', '\x1b8qqq\x1b(B']],
  ['a margin, tabs and origin mode', ['\x1b[2;8r\x1b[?6h\x1b[3g\x1bH', '\r\n\tx'.repeat(12)]],
  ['the alternate screen', ['shell\r\n\x1b[?1049h\x1b[31mvim', '\r\nmore\x1b[?1049l$ ']],
  ['underlines in colour', ['\x1b[4:3;58;5;9mwavy', ' on\x1b[m']],
  ['half a sequence that conceals', ['seen \x1b[1;8', 'mhidden\x1b[m seen']],
  ['half a background', ['seen \x1b[38;5;1;4', '1mhidden\x1b[m seen']],
  [
    'a concealed line that scrolls away',
    ['\x1b[8mhid'.repeat(60), `den\x1b[m\r\n${'x\r\n'.repeat(200)}`],
  ],
  ['a style at a mark', ['\x1b[41m\x1b]133;C\x07', '\x1b[31mhidden']],
  ['half a tag', ['a\xf3\xa0', '\x81\x81b']],
  ['a pushed title', ['\x1b]2;one\x07\x1b[22t\x1b]2;two\x07', '\x1b[23t']],
];

test.each(pieces)('%s goes on from a snapshot', (_what, [first, rest]) => {
  const bytesOf = (text: string) => Buffer.from(text, /[\x80-\xff]/.test(text) ? 'latin1' : 'utf8');
  const screen = new Screen({ cols: 40, rows: 10, history: { maxBytes: 2 ** 17 } });
  screen.write(bytesOf(first!));
  const copy = restored(screen);
  expect(snapshotOf(copy)).toEqual(snapshotOf(screen));
  for (const each of [screen, copy]) each.write(bytesOf(rest!));
  expect(whatItShows(copy)).toEqual(whatItShows(screen));
  expect(snapshotOf(copy)).toEqual(snapshotOf(screen));
});

test('a snapshot with a field missing or too many is refused', () => {
  const { title: _, ...without } = new Screen({ cols: 40, rows: 10 }).snapshot();
  expect(screenSnapshot.safeParse(without).success).toBe(false);
  const more = { ...without, title: '', colour: 'red' };
  expect(screenSnapshot.safeParse(more).success).toBe(false);
});
