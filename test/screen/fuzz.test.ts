/**
 * Output that no program would write, and recordings of real ones, mutilated: see test/fuzz.ts for
 * how to go on for longer. A failure prints the fewest parts of the output with which it occurs.
 */
import { expect, test } from 'vitest';
import { InvalidSize } from '../../src/errors.ts';
import type { Screen } from '../../src/screen/screen.ts';
import { ScreenReader } from '../../src/views/diff.ts';
import { rawFrom } from '../../src/views/raw.ts';
import { screenView } from '../../src/views/screen.ts';
import { TextReader, textFrom } from '../../src/views/text.ts';
import { FUZZ_TIMEOUT_MS, fewest, fuzz } from '../helpers/fuzz.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';
import { readStreams } from '../streams/stream.ts';

/** Output in latin1, a character for a byte, or a new size. */
type Part = string | { cols: number; rows: number };

const streams = readStreams(`${import.meta.dirname}/../streams`);

const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

const numbers = ['', '0', '1', '2', '3', '7', '24', '80', '255', '256', '65536', '2147483648'];
const params = ({ list, pick }: Random) =>
  list(5, () => pick(numbers) + pick(['', '', '', ':', ':2'])).join(';');
const finals = [...'@ABCDEFGHIJKLMPQRSTXZ`abcdefghijklmnopqrstuvwxyz{|}~'];
const modes = ['1', '3', '5', '6', '7', '9', '12', '25', '45', '47', '66', '1000', '1002', '1003'];
const moreModes = ['1004', '1005', '1006', '1015', '1016', '1047', '1048', '1049', '2004', '2026'];

/** One thing that a program might say to its terminal. */
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

/** Some events of a recording in which bytes were lost, doubled, changed or put between. */
const mutilated = (random: Random): Part[] => {
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

const resized = ({ pick, below }: Random): Part => ({
  cols: pick([1, 2, 3, 20, 80, 1 + below(200)]),
  rows: pick([1, 2, 5, 24, 1 + below(60)]),
});

const output = (random: Random): Part[] => {
  const made = random.list(60, () => (random.below(2) ? sequence(random) : text(random)));
  const parts = random.below(2) ? mutilated(random) : made;
  for (let count = random.below(3); count > 0; count--)
    parts.splice(random.below(parts.length + 1), 0, resized(random));
  return parts;
};

/** What an answer may consist of: nothing that the program has said itself comes back as typed. */
const ANSWERS = [
  /^\x1b\[[?>]?[\d;]*\$?[cnRtuy]$/,
  /^\x1bP[01]\$r[\d;:]*( q|"[pq]|[mr])?\x1b\\$/,
  /^\x1bP>\|Repartee\x1b\\$/,
  /^\x1b\](4;\d{1,3}|1[0-2]);rgb(:[\da-f]{4}|\/[\da-f]{4}){3}\x1b\\$/,
];

const JOINING = /[\p{M}\p{Cf}\p{Regional_Indicator}\p{Emoji_Modifier}\u1100-\u11ff]/u;

/** All that can be seen of a screen and told of it. */
const look = ({ screen, events, replies }: ReturnType<typeof openScreen>) => ({
  view: screenView(screen, { styles: true }),
  modes: screen.modes,
  // Nobody sees its id, and where a row began that the cursor jumped to is known roughly.
  lines: [...screen.lines()].map(({ id: _, position: __, ...line }) => line),
  text: textFrom(screen, 0).lines.map(({ text }) => text),
  raw: rawFrom(screen, 0)
    .lines.map(({ text }) => text)
    .join('\n'),
  before: screen.textBeforeCursor,
  dump: screen.dump(),
  // Where a sequence ended that another has broken off is known roughly.
  events: events.map(({ position: _, ...event }) => event),
  replies,
});

const lookAtSome = (screen: Screen, reader: TextReader, diffs: ScreenReader, { below }: Random) => {
  if (below(3) === 0) reader.read();
  if (below(3) === 0) diffs.diff();
  if (below(5) === 0) screen.dump();
  if (below(5) === 0) rawFrom(screen, below(screen.position + 1));
  if (below(5) === 0) screen.anchor();
};

const size = { cols: 40, rows: 10 };

/** Some milliseconds are usual for what a round writes; a sequence that does much work needs minutes. */
const MOST_SECONDS = 5;

const played = (parts: readonly Part[], write: (screen: Screen, bytes: Buffer) => void) => {
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
  const whole = played(parts, (screen, bytes) => screen.write(bytes));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6, 'seconds of a processor').toBeLessThan(MOST_SECONDS);
  let views: { reader: TextReader; diffs: ScreenReader } | undefined;
  const cut = played(parts, (screen, bytes) => {
    views ??= { reader: new TextReader(screen), diffs: new ScreenReader(screen) };
    for (let at = 0; at < bytes.length; ) {
      const to = at + 1 + random.below(random.pick([1, 10, 500]));
      screen.write(bytes.subarray(at, to));
      lookAtSome(screen, views.reader, views.diffs, random);
      at = to;
    }
  });
  const seen = look(whole);
  // xterm joins marks to a wide character that did not fit, or to the one before it, as it comes.
  const isUnsure =
    parts.some((part) => /\?[\d;:]*7[\d;:]*l/.test(`${part}`)) && JOINING.test(seen.raw);
  if (!isUnsure) expect(look(cut)).toEqual(seen);

  for (const reply of seen.replies)
    expect(
      ANSWERS.some((answer) => answer.test(reply)),
      JSON.stringify(reply),
    ).toBe(true);
  expect(whole.screen.history.lines.size.chars).toBeLessThanOrEqual(2.5 * 1024 * 1024);
  expect(JSON.stringify(seen.view).length).toBeLessThan(2_000_000);
  for (const { text } of seen.lines) expect(text).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);

  // On one column there is no place for a wide character, and what becomes of it is anybody's guess.
  if (parts.some((part) => typeof part === 'object' && part.cols === 1)) return;
  // What was drawn apart by moving the cursor would join what it comes after in a dump.
  if (JOINING.test(seen.view.lines.join())) return;
  const copy = openScreen(whole.screen.modes);
  copy.screen.write(Buffer.concat([Buffer.from(seen.dump), whole.screen.unparsed]));
  expect(drawn(copy.screen)).toEqual(drawn(whole.screen));
};

/** What whoever joins late has to see. In the middle of a drawing, too, so they are not told of it. */
const drawn = (screen: Screen) => {
  const { position: _, styles, ...view } = screenView(screen, { styles: true });
  const { synchronizedOutput: __, ...modes } = screen.modes;
  return { ...view, styles: styles!.filter(({ text }) => text !== ''), modes };
};

const failureOf = (parts: readonly Part[], seed: number): unknown => {
  try {
    check(parts, seed);
    return undefined;
  } catch (error) {
    // Leaving parts out must not find another failure than the one there was.
    if (error instanceof InvalidSize) return undefined;
    return error;
  }
};

/** So that single bytes of a part can be left out. */
const inBytes = (parts: readonly Part[]): Part[] =>
  parts.flatMap((part): Part[] => (typeof part === 'string' ? [...part] : [part]));

test(
  'however output is cut, and whoever looks meanwhile, the screen is the same, and so is its dump',
  async () => {
    const rounds = await fuzz((random, seed) => {
      const parts = output(random);
      if (failureOf(parts, seed) === undefined) return;
      const fails = (some: readonly Part[]) => failureOf(some, seed) !== undefined;
      const least = fewest(inBytes(fewest(parts, fails)), fails);
      throw new Error(JSON.stringify(joined(least)), { cause: failureOf(least, seed) });
    });
    expect(rounds).toBeGreaterThan(0);
  },
  FUZZ_TIMEOUT_MS,
);

const joined = (parts: readonly Part[]): Part[] => {
  const whole: Part[] = [];
  for (const part of parts) {
    if (typeof part === 'string' && typeof whole.at(-1) === 'string')
      whole.push(whole.pop() + part);
    else whole.push(part);
  }
  return whole;
};
