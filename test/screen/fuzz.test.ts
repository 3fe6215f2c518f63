/**
 * Writes output that no program would print, and damaged recordings of real programs. See
 * test/helpers/fuzz.ts for how to run it longer. A failure prints the smallest output that causes
 * it.
 */
import { expect, test } from 'vitest';
import { InvalidSize } from '../../src/errors.ts';
import type { Screen } from '../../src/screen/screen.ts';
import { rawViewFrom } from '../../src/views/raw.ts';
import { makeScreenView } from '../../src/views/screen.ts';
import { ScreenViewReader } from '../../src/views/screen-diff.ts';
import { TextViewReader, textViewFrom } from '../../src/views/text.ts';
import { FUZZ_TIMEOUT_MS, fewest, fuzz } from '../helpers/fuzz.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';
import { readStreams } from '../streams/stream.ts';

/** Output in latin1, one character per byte, or a new size. */
type Part = string | { cols: number; rows: number };

const streams = readStreams(`${import.meta.dirname}/../streams`);

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

const numbers = ['', '0', '1', '2', '3', '7', '24', '80', '255', '256', '65536', '2147483648'];
const params = ({ list, pick }: Random) =>
  list(5, () => pick(numbers) + pick(['', '', '', ':', ':2'])).join(';');
const finals = [...'@ABCDEFGHIJKLMPQRSTXZ`abcdefghijklmnopqrstuvwxyz{|}~'];
const modes = ['1', '3', '5', '6', '7', '9', '12', '25', '45', '47', '66', '1000', '1002', '1003'];
const moreModes = ['1004', '1005', '1006', '1015', '1016', '1047', '1048', '1049', '2004', '2026'];

/** One control sequence, valid or not. */
const sequence = (random: Random): string => {
  const { pick, below } = random;
  return pick<() => string>([
    () => `\x1b[${params(random)}${pick(finals)}`,
    () => `\x1b[${params(random)}${pick(finals)}`,
    () => `\x1b[${pick([...'?>=<'])}${params(random)}${pick([...' !"$\''])}${pick(finals)}`,
    () => `\x1b[${pick([...'?>'])}${params(random)}${pick(finals)}`,
    () => `\x1b[?${pick([...modes, ...moreModes])}${pick(['h', 'l', 'h', '$p'])}`,
    () => `\x1b[${pick(['4', '20', '2', '12'])}${pick(['h', 'l'])}`,
    () => `\x1b${pick([...'78=>DEHMNOZcn|}~'])}`,
    () => `\x1b${pick([...'()*+-./#% '])}${pick([...'0AB8@G34'])}`,
    () =>
      `\x1b]${pick(['0', '2', '4', '7', '8', '9', '10', '11', '52', '104', '133', '633', '7133'])};${pick(
        [
          '',
          '?',
          'A',
          'B',
          'C',
          'D;1',
          '0;?',
          '4;1;30',
          'c;?',
          ';http://x',
          'file://h/%zz',
          'k;begin',
        ],
      )}${pick(['\x07', '\x1b\\', '\x9c', ''])}`,
    () => `\x1bP${pick(['$qm', '$qr', '+q544e', '>|', 'q', '1$r'])}${pick(['\x1b\\', '\x07', ''])}`,
    () => `\x1b${pick([...'X^_'])}text${pick(['\x1b\\', '\x18', ''])}`,
    () => pick(['\x07', '\b', '\t', '\x0b', '\x0c', '\x0e', '\x0f', '\x18', '\x1a', '\x7f', '\0']),
    () => bytesOf(pick(['\u0085', '\u009b31m', '\u009d0;t\u009c', '\u0090q', '\u008d', '\u00a0'])),
    () => String.fromCharCode(below(256)),
    () => `\x1b]0;${'t'.repeat(pick([5, 5, 1500, 70_000]))}\x07`,
  ])();
};

const text = ({ pick, below }: Random): string =>
  bytesOf(
    pick([
      'word ',
      'x'.repeat(1 + below(90)),
      '漢字',
      'é',
      'e\u0301',
      '👨‍👩‍👧',
      '👍🏽',
      '🇨🇭',
      '\u200b',
      'ก็',
      '\r\n',
      '\r\n',
      '\n',
      '\r',
      '\u202eabc',
    ]),
  );

/** Some events of a recording, with bytes removed, repeated, changed or inserted. */
const damagedRecording = (random: Random): Part[] => {
  const { pick, below } = random;
  const { events } = pick(streams);
  const from = below(events.length);
  const parts: Part[] = [];
  for (const event of events.slice(from, from + 1 + below(8))) {
    if ('resize' in event) parts.push(event.resize);
    if (!('output' in event)) continue;
    let output = bytesOf(event.output).slice(0, 6000);
    for (let count = below(5); count > 0; count--) {
      const at = below(output.length + 1);
      const to = at + below(20);
      output = pick([
        () => output.slice(0, at) + output.slice(to),
        () => output.slice(0, to) + output.slice(at),
        () => output.slice(0, at) + String.fromCharCode(below(256)) + output.slice(at + 1),
        () => output.slice(0, at) + sequence(random) + output.slice(at),
      ])();
    }
    parts.push(output);
  }
  return parts;
};

const randomSize = ({ pick, below }: Random): Part => ({
  cols: pick([1, 2, 3, 20, 80, 1 + below(200)]),
  rows: pick([1, 2, 5, 24, 1 + below(60)]),
});

const randomOutput = (random: Random): Part[] => {
  const generated = random.list(60, () => (random.below(2) ? sequence(random) : text(random)));
  const parts = random.below(2) ? damagedRecording(random) : generated;
  for (let count = random.below(3); count > 0; count--)
    parts.splice(random.below(parts.length + 1), 0, randomSize(random));
  return parts;
};

/** The allowed replies: nothing that the program has printed may come back as input. */
const ALLOWED_REPLIES = [
  /^\x1b\[[?>]?[\d;]*\$?[cnRtuy]$/,
  /^\x1bP[01]\$r[\d;:]*( q|"[pq]|[mr])?\x1b\\$/,
  /^\x1bP>\|Repartee\x1b\\$/,
  /^\x1b\](4;\d{1,3}|1[0-2]);rgb(:[\da-f]{4}|\/[\da-f]{4}){3}\x1b\\$/,
];

const JOINING = /[\p{M}\p{Cf}\p{Regional_Indicator}\p{Emoji_Modifier}\u1100-\u11ff]/u;

/** Everything that can be observed of a screen. */
const observe = ({ screen, events, replies }: ReturnType<typeof openScreen>) => ({
  view: makeScreenView(screen, { styles: true }),
  modes: screen.modes,
  // Ids are internal, and the position of a row that the cursor jumped to is not exact.
  lines: [...screen.lines()].map(({ id: _, position: __, ...line }) => line),
  text: textViewFrom(screen, 0).lines.map(({ text }) => text),
  raw: rawViewFrom(screen, 0)
    .lines.map(({ text }) => text)
    .join('\n'),
  before: screen.textBeforeCursor,
  dump: screen.dump(),
  // The end position of a sequence that was interrupted by another is not exact.
  events: events.map(({ position: _, ...event }) => event),
  replies,
});

const readAtRandom = (
  screen: Screen,
  reader: TextViewReader,
  diffs: ScreenViewReader,
  { below }: Random,
) => {
  if (below(3) === 0) reader.read();
  if (below(3) === 0) diffs.diff();
  if (below(5) === 0) screen.dump();
  if (below(5) === 0) rawViewFrom(screen, below(screen.position + 1));
  if (below(5) === 0) screen.anchor();
};

const size = { cols: 40, rows: 10 };

/** A round takes some milliseconds. A sequence that makes xterm work too much takes minutes. */
const MAX_SECONDS = 5;

const play = (parts: readonly Part[], write: (screen: Screen, bytes: Buffer) => void) => {
  const opened = openScreen(size);
  for (const part of parts) {
    if (typeof part === 'string') write(opened.screen, Buffer.from(part, 'latin1'));
    else opened.screen.resize(part.cols, part.rows);
  }
  return opened;
};

const check = (parts: readonly Part[], seed: number): void => {
  const random = seeded(seed);
  const before = process.cpuUsage();
  const whole = play(parts, (screen, bytes) => screen.write(bytes));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6, 'seconds of a processor').toBeLessThan(MAX_SECONDS);
  let views: { reader: TextViewReader; diffs: ScreenViewReader } | undefined;
  const cut = play(parts, (screen, bytes) => {
    views ??= { reader: new TextViewReader(screen), diffs: new ScreenViewReader(screen) };
    for (let at = 0; at < bytes.length; ) {
      const to = at + 1 + random.below(random.pick([1, 10, 500]));
      screen.write(bytes.subarray(at, to));
      readAtRandom(screen, views.reader, views.diffs, random);
      at = to;
    }
  });
  const expected = observe(whole);
  // Without autowrap, xterm joins marks to a wide character that did not fit, or to the one before
  // it, depending on how the output was cut.
  const isAmbiguous =
    parts.some((part) => /\?[\d;:]*7[\d;:]*l/.test(`${part}`)) && JOINING.test(expected.raw);
  if (!isAmbiguous) expect(observe(cut)).toEqual(expected);

  for (const reply of expected.replies)
    expect(
      ALLOWED_REPLIES.some((answer) => answer.test(reply)),
      JSON.stringify(reply),
    ).toBe(true);
  expect(whole.screen.faults).toBe(0);
  expect(whole.screen.history.lines.size.chars).toBeLessThanOrEqual(2.5 * 1024 * 1024);
  expect(JSON.stringify(expected.view).length).toBeLessThan(2_000_000);
  for (const { text } of expected.lines) expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);

  // A wide character does not fit on one column, and the result is undefined.
  if (parts.some((part) => typeof part === 'object' && part.cols === 1)) return;
  // Marks drawn apart by moving the cursor are joined to the character before them in a dump.
  if (JOINING.test(expected.view.lines.join())) return;
  const copy = openScreen(whole.screen.modes);
  copy.screen.write(Buffer.concat([Buffer.from(expected.dump), whole.screen.unparsed]));
  expect(drawn(copy.screen)).toEqual(drawn(whole.screen));
};

/** What a late viewer must see. synchronizedOutput is left out: viewers get the screen anyway. */
const drawn = (screen: Screen) => {
  const { position: _, styles, ...view } = makeScreenView(screen, { styles: true });
  const { synchronizedOutput: __, ...modes } = screen.modes;
  return { ...view, styles: styles!.filter(({ text }) => text !== ''), modes };
};

const failureOf = (parts: readonly Part[], seed: number): unknown => {
  try {
    check(parts, seed);
    return undefined;
  } catch (error) {
    // Removing parts must not lead to another failure than the first one.
    if (error instanceof InvalidSize) return undefined;
    return error;
  }
};

/** Splits parts into bytes, so that single bytes can be removed. */
const splitBytes = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part): Part[] => (typeof part === 'string' ? [...part] : [part]));

test(
  'the screen and its dump are the same no matter how output is cut and who reads meanwhile',
  async () => {
    const rounds = await fuzz((random, seed) => {
      const parts = randomOutput(random);
      if (failureOf(parts, seed) === undefined) return;
      const fails = (some: readonly Part[]) => failureOf(some, seed) !== undefined;
      const minimal = fewest(splitBytes(fewest(parts, fails)), fails);
      throw new Error(JSON.stringify(joinParts(minimal)), { cause: failureOf(minimal, seed) });
    });
    expect(rounds).toBeGreaterThan(0);
  },
  FUZZ_TIMEOUT_MS,
);

const joinParts = (parts: readonly Part[]): Part[] => {
  const whole: Part[] = [];
  for (const part of parts) {
    if (typeof part === 'string' && typeof whole.at(-1) === 'string')
      whole.push(whole.pop() + part);
    else whole.push(part);
  }
  return whole;
};
