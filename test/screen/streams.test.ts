import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/screen/screen.ts';
import { makeScreenView } from '../../src/views/screen.ts';
import { joinViewLines, TextViewReader } from '../../src/views/text.ts';
import { seeded } from '../helpers/seeded.ts';
import { readStreams, type Stream } from '../streams/stream.ts';

const streams = readStreams(`${import.meta.dirname}/../streams`);

/** Plays a recording, its output cut into pieces by `cut`, and stops at each expected screen. */
function play(
  { cols, rows, events }: Stream,
  cut: (bytes: Buffer) => Iterable<Uint8Array>,
  onScreen: (screen: Screen, expected: { screen: string[]; cursor: object }) => void = () => {},
): Screen {
  const screen = new Screen({ cols, rows });
  for (const event of events) {
    if ('output' in event) for (const piece of cut(Buffer.from(event.output))) screen.write(piece);
    if ('resize' in event) screen.resize(event.resize.cols, event.resize.rows);
    if ('screen' in event) onScreen(screen, event);
  }
  return screen;
}

const whole = (bytes: Buffer) => [bytes];

const singleBytes = (bytes: Buffer) => Array.from(bytes, (byte) => Uint8Array.of(byte));

const randomPieces = (seed: number) => {
  const { below } = seeded(seed);
  return function* (bytes: Buffer) {
    for (let at = 0; at < bytes.length; ) {
      const to = at + 1 + below(200);
      yield bytes.subarray(at, to);
      at = to;
    }
  };
};

test('there are recordings', () => {
  expect(streams.length).toBeGreaterThanOrEqual(25);
});

describe.each(streams)('$name', (stream) => {
  test.each([
    ['at once', whole],
    ['byte by byte', singleBytes],
    ['in pieces', randomPieces(1)],
  ])('shows what is expected, written %s', (_how, cut) => {
    play(stream, cut, (screen, expected) => {
      const { lines, cursor } = makeScreenView(screen);
      expect(lines).toEqual(expected.screen);
      expect({ col: cursor.col, row: cursor.row }).toEqual(expected.cursor);
    });
  });

  test('can be joined late, from a dump', () => {
    play(stream, whole, (screen) => {
      const copy = new Screen(screen.modes);
      copy.write(Buffer.from(screen.dump()));
      expect(makeScreenView(copy).lines).toEqual(makeScreenView(screen).lines);
      expect(copy.modes).toEqual(screen.modes);
    });
  });

  test('leaves text without controls, and none of it twice', () => {
    const screen = play(stream, whole);
    const reader = new TextViewReader(screen);
    const text = joinViewLines(reader.read());
    expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(text).not.toMatch(/ $/m);
    expect(joinViewLines(reader.read())).toBe('');
  });
});
