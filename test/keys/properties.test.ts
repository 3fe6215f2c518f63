/** Properties that hold for every key, every text and every mouse action. */

import { emitKeypressEvents, type Key as Pressed } from 'node:readline';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { TerminalError } from '../../src/errors.ts';
import { encodeKeyNames } from '../../src/keys/encode-key-names.ts';
import type { KeyInputModes } from '../../src/keys/input-writes.ts';
import { encodeKey, formatKey, type KeyPress, parseKey } from '../../src/keys/key-press.ts';
import { measureLongestLine, unfinishedLineBytes } from '../../src/keys/line-limit.ts';
import { type KeyName, keySequences } from '../../src/keys/sequences.ts';
import { encodeText } from '../../src/keys/text.ts';
import { nearestWord } from '../../src/nearest-word.ts';
import { forSeeds, type Random, seeded } from '../helpers/seeded.ts';

const modesOf = ({ pick, below }: Random): KeyInputModes => ({
  cols: pick([1, 80, 500]),
  rows: pick([1, 24, 300]),
  applicationCursor: below(2) === 0,
  bracketedPaste: below(2) === 0,
  mouse: pick(['none', 'x10', 'normal', 'button', 'any']),
  mouseEncoding: pick(['default', 'sgr']),
});

const names = Object.keys(keySequences) as KeyName[];
const characters = [...'aZ09-+^<>\\/?[]{}()~@_;:', 'é', 'ß', '中', '😀', 'İ'];

const modifiers = Array.from({ length: 8 }, (_, bits) => ({
  control: (bits & 1) !== 0,
  alt: (bits & 2) !== 0,
  shift: (bits & 4) !== 0,
}));

const keys: KeyPress[] = modifiers.flatMap((each) => [
  ...names.map((name) => ({ ...each, name })),
  ...characters.map((character) => ({ ...each, character })),
]);

/** Undefined if the terminal has no code for the key. */
const bytesOf = (keys: string | KeyPress, modes: KeyInputModes): string | undefined => {
  try {
    if (typeof keys !== 'string') return encodeKey(keys, modes);
    return Buffer.concat(encodeKeyNames(keys, modes).map(({ bytes }) => bytes)).toString();
  } catch (error) {
    expect(error).toBeInstanceOf(TerminalError);
    return undefined;
  }
};

/** The keys that node's readline reads from these bytes. */
const decoded = (bytes: string): Pressed[] => {
  const input = new PassThrough();
  const pressed: Pressed[] = [];
  emitKeypressEvents(input);
  input.on('keypress', (_text, key: Pressed) => pressed.push(key));
  input.emit('data', Buffer.from(bytes));
  return pressed;
};

describe('every key', () => {
  test('is known by the name that we print for it', () => {
    for (const key of keys) expect(parseKey(formatKey(key)), formatKey(key)).toEqual(key);
  });

  test('is typed the same by its name, alone and among others', () => {
    forSeeds(300, (random) => {
      const modes = modesOf(random);
      const some = random.list(5, () => random.pick(keys));
      const each = some.map((key) => bytesOf(key, modes));
      for (const [at, key] of some.entries()) expect(bytesOf(formatKey(key), modes)).toBe(each[at]);
      const together = bytesOf(some.map(formatKey).join(' '), modes);
      expect(together).toBe(each.includes(undefined) ? undefined : each.join(''));
    });
  });

  test('is taken for no other key by a program that reads it', () => {
    const nodeNames: Partial<Record<KeyName, string>> = { Enter: 'return' };
    forSeeds(3, (random) => {
      const modes = modesOf(random);
      for (const key of keys) {
        const bytes = bytesOf(key, modes);
        // After a bare Escape readline waits for more, and Ctrl makes the codes of other keys.
        if (!('name' in key) || bytes === undefined || key.name === 'Escape') continue;
        if (key.control && 'character' in keySequences[key.name]) continue;
        // Node ignores Alt (an Escape) before the code of S-Tab.
        if (key.name === 'Tab' && key.alt && key.shift) continue;
        const [pressed, ...more] = decoded(bytes);
        expect(more, formatKey(key)).toEqual([]);
        expect(
          { ...pressed, name: pressed?.name },
          `${formatKey(key)} as ${JSON.stringify(bytes)}`,
        ).toMatchObject({
          name: nodeNames[key.name] ?? key.name.toLowerCase(),
          ctrl: key.control,
          meta: key.alt,
          shift: key.shift,
        });
      }
    });
  });
});

test('the nearest name is the one with the fewest changes, and none if half must change', () => {
  forSeeds(300, ({ list, pick }) => {
    const word = () => list(7, () => pick(['a', 'b', 'c'])).join('');
    const name = word();
    const candidates = [word(), word(), word()];
    const distances = candidates.map((candidate) => editDistance(name, candidate));
    const minDistance = Math.min(...distances);
    const isClose = minDistance <= name.length / 2;
    expect(nearestWord(name, candidates)).toBe(
      isClose ? candidates[distances.indexOf(minDistance)] : undefined,
    );
  });
});

/** The edit distance, straight from its definition. */
const editDistance = (a: string, b: string): number => {
  if (a === '' || b === '') return a.length + b.length;
  if (a[0] === b[0]) return editDistance(a.slice(1), b.slice(1));
  return (
    1 +
    Math.min(
      editDistance(a.slice(1), b),
      editDistance(a, b.slice(1)),
      editDistance(a.slice(1), b.slice(1)),
    )
  );
};

test('keys that are no keys are refused at once, however long they are', () => {
  const modes = modesOf(seeded(1));
  const before = process.cpuUsage();
  expect(() => encodeKeyNames('x'.repeat(5_000_000), modes)).toThrow(TerminalError);
  const { user, system } = process.cpuUsage(before);
  // Comparing it with every name took more than a minute.
  expect((user + system) / 1e6).toBeLessThan(10);
});

describe('any text', () => {
  const parts = ['a', 'é', '中', '😀', ' ', '\t', '\x03', '\x1b', '[201~', '\n', '\r', '\r\n'];

  test('arrives whole: its lines are typed or pasted, with an Enter for each of their ends', () => {
    forSeeds(500, (random) => {
      const text = random.list(12, () => random.pick(parts)).join('');
      const modes = { ...modesOf(random), alternateScreen: random.below(2) === 0 };
      const submit = random.below(2) === 0;
      const paste = random.below(2) === 0;
      const writes = encodeText(text, modes, { submit, paste });
      const lines = text.split(/\r\n|\r|\n/);
      const endsInNewline = lines.length > 1 && lines.at(-1) === '';
      if (endsInNewline) lines.pop();
      const typed = writes.filter(({ kind }) => kind !== 'enter');
      const enters = writes.length - typed.length;
      if (typed[0]?.kind === 'paste') {
        expect(modes.bracketedPaste).toBe(true);
        expect(typed).toHaveLength(1);
        expect(enters).toBe(submit || endsInNewline ? 1 : 0);
        const inner = Buffer.from(typed[0].bytes).toString().slice(6, -6);
        expect(inner.split('\r')).toHaveLength(lines.length);
        return;
      }
      expect(enters).toBe(lines.length - 1 + (submit || endsInNewline ? 1 : 0));
      expect(typed.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(
        lines.filter((line) => line !== ''),
      );
    });
  });

  test('has a longest line, however it is divided into writes', () => {
    forSeeds(300, (random) => {
      const text = random.list(60, () => random.pick(['x', 'é', '\r', '\n', '\t'])).join('');
      const bytes = Buffer.from(text);
      const typedBefore = random.below(10);
      const cut = random.below(bytes.length + 1);
      const write = (part: Buffer) => ({ kind: 'text' as const, bytes: part });
      const longest = measureLongestLine([write(bytes)], typedBefore);
      const inTwo = [write(bytes.subarray(0, cut)), write(bytes.subarray(cut))];
      expect(measureLongestLine(inTwo, typedBefore)).toBe(longest);
      const lines = `${'x'.repeat(typedBefore)}${text}`.split(/[\r\n]/);
      const isFirstUnchanged = lines[0]!.length === typedBefore && lines.length > 1;
      const sizes = lines.map((line) => Buffer.byteLength(line));
      // Bytes typed before are not counted if nothing is added to their line.
      if (isFirstUnchanged || bytes.length === 0) sizes.shift();
      expect(longest).toBe(Math.max(0, ...sizes));
      expect(unfinishedLineBytes(bytes, typedBefore)).toBe(
        bytes.length === 0 ? typedBefore : Buffer.byteLength(lines.at(-1)!),
      );
    });
  });
});

test('whatever the mouse does is reported as it was done, or refused with a code', () => {
  const buttons: Record<string, number> = {
    Click: 0,
    MiddleClick: 1,
    RightClick: 2,
    WheelDown: 65,
  };
  forSeeds(500, (random) => {
    const modes = modesOf(random);
    const action = random.pick(Object.keys(buttons));
    const modifier = random.pick(modifiers);
    const col = random.below(520);
    const row = random.below(320);
    const prefix = `${modifier.control ? 'C-' : ''}${modifier.alt ? 'M-' : ''}${modifier.shift ? 'S-' : ''}`;
    let bytes: Buffer;
    try {
      bytes = Buffer.concat(
        encodeKeyNames(`${prefix}${action}(${col},${row})`, modes).map((write) => write.bytes),
      );
    } catch (error) {
      expect(error).toBeInstanceOf(TerminalError);
      const maxCell = modes.mouseEncoding === 'sgr' ? 65_535 : 223;
      const isInside = (at: number, size: number) => at >= 1 && at <= Math.min(size, maxCell);
      const isReported = modes.mouse === 'x10' ? action !== 'WheelDown' : modes.mouse !== 'none';
      expect(isReported && isInside(col, modes.cols) && isInside(row, modes.rows)).toBe(false);
      return;
    }
    const button = buttons[action]!;
    const bits =
      4 * Number(modifier.shift) + 8 * Number(modifier.alt) + 16 * Number(modifier.control);
    const code = modes.mouse === 'x10' ? button : button + bits;
    expect(reportsIn(bytes)[0]).toEqual({ code, col, row });
  });
});

const reportsIn = (bytes: Buffer): { code: number; col: number; row: number }[] => {
  const sgr = [...bytes.toString().matchAll(/\x1b\[<(\d+);(\d+);(\d+)[Mm]/g)];
  if (sgr.length > 0)
    return sgr.map(([, code, col, row]) => ({
      code: Number(code),
      col: Number(col),
      row: Number(row),
    }));
  const reports = [];
  for (let at = 0; at < bytes.length; at += 6) {
    const [code, col, row] = [...bytes.subarray(at + 3, at + 6)].map((byte) => byte - 32);
    reports.push({ code: code!, col: col!, row: row! });
  }
  return reports;
};
