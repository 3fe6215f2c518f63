import { describe, expect, test } from 'vitest';
import { type InputWrite, pauseBetweenWrites } from '../../src/keys/input-writes.ts';
import {
  MAX_CANONICAL_LINE_BYTES,
  measureLongestLine,
  refuseLongLines,
} from '../../src/keys/line-limit.ts';
import { encodeText } from '../../src/keys/text.ts';
import { seeded } from '../helpers/seeded.ts';

const typed = (
  text: string,
  bracketedPaste: boolean,
  submit = true,
  { alternateScreen = false } = {},
) =>
  encodeText(text, { bracketedPaste, alternateScreen }, { submit }).map(({ bytes }) =>
    Buffer.from(bytes).toString(),
  );

const write = (kind: InputWrite['kind'], bytes = ''): InputWrite => ({
  kind,
  bytes: Buffer.from(bytes),
});

describe('text', () => {
  test.each<[what: string, text: string, paste: boolean, submit: boolean, writes: string[]]>([
    ['one line is typed, and Enter is a write of its own', 'ls -l', false, true, ['ls -l', '\r']],
    ['one line is typed also where pastes are marked', ':wq', true, true, [':wq', '\r']],
    ['without submit there is no Enter', 'ls', true, false, ['ls']],
    ['no text is Enter alone', '', true, true, ['\r']],
    ['no text and no submit is nothing', '', true, false, []],
    ['a newline at the end is the Enter', 'ls\n', false, true, ['ls', '\r']],
    ['a newline at the end is pressed also without submit', 'ls\n', false, false, ['ls', '\r']],
    [
      'only one of two newlines is the Enter',
      'if x:\n y\n\n',
      false,
      true,
      ['if x:', '\r', ' y', '\r', '\r'],
    ],
    ['lines are typed one by one', 'a\nb\r\nc', false, true, ['a', '\r', 'b', '\r', 'c', '\r']],
    [
      'lines are one paste where the program asked',
      'a\nb',
      true,
      true,
      ['\x1b[200~a\rb\x1b[201~', '\r'],
    ],
    ['an empty line of a paste stays', 'a\n\nb', true, false, ['\x1b[200~a\r\rb\x1b[201~']],
    ['control characters in a line are typed as they are', 'a\x03\tb', false, false, ['a\x03\tb']],
    ['text is UTF-8', 'é😀', false, false, ['é😀']],
  ])('%s', (_what, text, paste, submit, writes) => {
    expect(typed(text, paste, submit)).toEqual(writes);
  });

  test('the lines of a paste for fish end as it takes them without drawing all of them again', () => {
    const modes = { bracketedPaste: true, alternateScreen: false };
    const [paste] = encodeText('a\nb', modes, { submit: false, program: 'fish' });
    expect(Buffer.from(paste!.bytes).toString()).toBe('\x1b[200~a\nb\x1b[201~');
  });

  test('a tab is text: a line with one is pasted where the program asked, and ended by Enter', () => {
    expect(typed('a\tb', true)).toEqual(['\x1b[200~a\tb\x1b[201~', '\r']);
    expect(typed('a\tb\n', true, false)).toEqual(['\x1b[200~a\tb\x1b[201~', '\r']);
    expect(typed('a\tb', false)).toEqual(['a\tb', '\r']);
  });

  test('a line with a tab is typed to a program that fills the screen, or beside other keys', () => {
    expect(typed('ia\tb', true, false, { alternateScreen: true })).toEqual(['ia\tb']);
    expect(typed('\x15ls\t', true, false)).toEqual(['\x15ls\t']);
  });

  test('a paste cannot end itself early: control characters in it become pictures', () => {
    expect(typed('a\nb\x1b[201~rm\x03\tc\x7f', true, false)).toEqual([
      '\x1b[200~a\rb␛[201~rm␃\tc␡\x1b[201~',
    ]);
  });

  test('whatever the text, a paste holds no control character but tabs and line ends', () => {
    const { list, pick } = seeded(11);
    const modes = { bracketedPaste: true, alternateScreen: false };
    const parts = ['\x1b', '[201~', '\x1b[20', '1~', '\n', '\r', '\t', '\x03', 'x', '😀', '\x7f'];
    for (let round = 0; round < 5000; round++) {
      const text = list(12, () => pick(parts)).join('');
      for (const { kind, bytes } of encodeText(text, modes, { submit: true })) {
        if (kind !== 'paste') continue;
        const inner = Buffer.from(bytes).toString().slice('\x1b[200~'.length, -'\x1b[201~'.length);
        expect(inner).not.toMatch(/[\x00-\x08\x0a-\x0c\x0e-\x1f\x7f]/);
      }
    }
  });

  test('whatever the text, what is typed line by line is the text with Enter for its line ends', () => {
    const { list, pick } = seeded(12);
    for (let round = 0; round < 5000; round++) {
      const text = list(12, () => pick(['a', 'é', '\n', '\x03', ' '])).join('');
      expect(typed(text, false, false).join('')).toBe(text.replaceAll('\n', '\r'));
    }
  });
});

describe('between two writes', () => {
  test.each<[InputWrite['kind'], InputWrite['kind'], ReturnType<typeof pauseBetweenWrites>]>([
    ['text', 'enter', 'enter-after-text'],
    ['paste', 'enter', 'enter-after-text'],
    ['escape', 'text', 'after-escape'],
    ['escape', 'key', 'after-escape'],
    ['escape', 'enter', 'after-escape'],
    ['text', 'text', undefined],
    ['key', 'enter', undefined],
    ['enter', 'text', undefined],
    ['enter', 'enter', undefined],
  ])('of %s and %s the pause is for %s', (previous, next, pause) => {
    expect(pauseBetweenWrites(write(previous), write(next))).toBe(pause);
  });
});

describe('the longest line', () => {
  test.each<[what: string, writes: string[], bytes: number]>([
    ['is counted in bytes', ['é😀\r'], 6],
    ['does not count its end', ['abc', '\r'], 3],
    ['goes on over several writes', ['ab', 'cd', '\r'], 4],
    ['ends at a newline as at a return', ['ab\ncde\rf'], 3],
    ['of nothing is empty', [], 0],
  ])('%s', (_what, writes, bytes) => {
    expect(measureLongestLine(writes.map((bytes) => write('text', bytes)))).toBe(bytes);
  });

  test('is refused when the kernel would cut it, and not a byte earlier', () => {
    const line = (bytes: number) => [write('text', 'x'.repeat(bytes)), write('enter', '\r')];
    expect(() => refuseLongLines(line(MAX_CANONICAL_LINE_BYTES))).not.toThrow();
    expect(() => refuseLongLines(line(MAX_CANONICAL_LINE_BYTES + 1))).toThrow(
      expect.objectContaining({ code: 'LINE_TOO_LONG', details: { bytes: 4096, limit: 4095 } }),
    );
  });
});
