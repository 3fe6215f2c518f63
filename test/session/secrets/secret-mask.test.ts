import { expect, test } from 'vitest';
import { MaskedOutput } from '../../../src/session/secrets/masked-output.ts';
import { SecretMask } from '../../../src/session/secrets/secret-mask.ts';
import { forSeeds } from '../../helpers/seeded.ts';
import { until } from '../../helpers/until.ts';

const VALUE = 'hunter2-hunter3';
const STARS = '*'.repeat(VALUE.length);

const masking = (...values: string[]) => {
  const mask = new SecretMask();
  for (const value of values) mask.add(value);
  return mask;
};

/** What is shown of these pieces, with a flush after each one if `flushing`. */
const shown = (mask: SecretMask, pieces: readonly string[], flushing = false) => {
  let text = '';
  for (const piece of pieces) {
    text += mask.write(Buffer.from(piece)).toString('latin1');
    if (flushing) text += mask.flush().toString('latin1');
  }
  return text + mask.flush().toString('latin1');
};

test('a value is replaced by as many asterisks, wherever it stands', () => {
  expect(shown(masking(VALUE), [`${VALUE} a ${VALUE}${VALUE}\r\n`])).toBe(
    `${STARS} a ${STARS}${STARS}\r\n`,
  );
});

test('a value cut anywhere is masked as a whole', () => {
  for (let first = 0; first <= VALUE.length; first++) {
    for (let second = first; second <= VALUE.length; second++) {
      const pieces = [VALUE.slice(0, first), VALUE.slice(first, second), VALUE.slice(second)];
      expect(shown(masking(VALUE), ['so: ', ...pieces, ' end'])).toBe(`so: ${STARS} end`);
    }
  }
});

test('every way to cut what looks like a value at first gives the same', () => {
  // Prefixes within prefixes: following the longest one must not miss a later match.
  const value = 'aabaaab';
  const output = 'aabaabaaabaabaaabaaab aaba';
  const whole = shown(masking(value), [output]);
  expect(whole).toBe(expected(output, value));
  for (let first = 0; first < output.length; first++) {
    for (let second = first; second < output.length; second++) {
      const pieces = [output.slice(0, first), output.slice(first, second), output.slice(second)];
      // The output ends with the first part of the value, long enough to be masked in the flush.
      expect(shown(masking(value), pieces)).toBe(whole);
    }
  }
});

/** By brute force. */
const expected = (output: string, value: string) => {
  const letters = [...output];
  for (let at = output.indexOf(value); at !== -1; at = output.indexOf(value, at + 1))
    letters.fill('*', at, at + value.length);
  const tail = [...value].findLastIndex((_, end) => output.endsWith(value.slice(0, end)));
  return letters.fill('*', output.length - tail).join('');
};

test('a value with colours, movements, titles and line ends in it is masked, and they stay', () => {
  const coloured = `hun\x1b[31mter\x1b[0;1m2-\x1b]0;a title\x07hunt\r\ner\x1b(B3`;
  const masked = '***\x1b[31m***\x1b[0;1m**\x1b]0;a title\x07****\r\n**\x1b(B*';
  expect(shown(masking(VALUE), [coloured])).toBe(masked);
  expect(shown(masking(VALUE), [...coloured])).toBe(masked);
});

test('a value in a title is masked', () => {
  expect(shown(masking(VALUE), [`\x1b]2;of ${VALUE}\x1b\\x\x1b]0;${VALUE}\x07`])).toBe(
    `\x1b]2;of ${STARS}\x1b\\x\x1b]0;${STARS}\x07`,
  );
});

test('printed letter by letter, all but its first three letters are masked', () => {
  expect(shown(masking(VALUE), [...`: ${VALUE}.`], true)).toBe(`: hun${'*'.repeat(12)}.`);
});

test('what only begins like a value is shown when it goes on otherwise', () => {
  expect(shown(masking(VALUE), ['hunter', 's'])).toBe('hunters');
  expect(shown(masking(VALUE), ['the hun'])).toBe('the hun');
});

test('several values are masked, also where one begins in the other', () => {
  const mask = masking('secret-one', 'one-secret');
  expect(shown(mask, ['a secret-one-secret b'])).toBe(
    `a ${'*'.repeat('secret-one-secret'.length)} b`,
  );
});

test('characters of several bytes are masked byte by byte', () => {
  const mask = masking('pässwörd→9');
  const bytes = Buffer.from('x pässwörd→9 y');
  const parts = [...bytes].map((byte) => mask.write(Buffer.of(byte)));
  const text = Buffer.concat([...parts, mask.flush()]).toString();
  expect(text).toBe(`x ${'*'.repeat(Buffer.byteLength('pässwörd→9'))} y`);
});

test('text from the screen is masked also where a value wraps onto the next row', () => {
  expect(masking(VALUE, 'a.b*c(d').inText('a hunter2-hun\nter3 axbbc(d a.b*c(d')).toBe(
    'a ***********\n**** axbbc(d *******',
  );
});

test('input is masked for events, also several times in one write, and is itself not changed', () => {
  const typed = Buffer.from(`echo ${VALUE}${VALUE} ${VALUE}\r`);
  const before = Buffer.from(typed);
  expect(Buffer.from(masking(VALUE).inBytes(typed)).toString()).toBe(
    `echo ${STARS}${STARS} ${STARS}\r`,
  );
  expect(typed).toEqual(before);
  const output = new MaskedOutput();
  expect(output.inBytes(typed)).toBe(typed);
  output.hide(VALUE);
  expect(Buffer.from(output.inBytes(typed)).toString()).not.toContain(VALUE);
});

test('values are overwritten when they are not needed any more', () => {
  const mask = masking();
  const bytes = mask.add(VALUE);
  expect(mask.add(VALUE)).toBe(bytes);
  mask.forget();
  expect([...bytes].every((byte) => byte === 0)).toBe(true);
  expect(mask.write(Buffer.from(VALUE)).toString()).toBe(VALUE);
});

test('the beginning of a value is held back for a moment only', async () => {
  const passed: string[] = [];
  const output = new MaskedOutput();
  output.onOutput = (bytes) => passed.push(bytes.toString());
  output.receive(Buffer.from('hun'));
  expect(passed).toEqual(['hun']);
  output.hide(VALUE);
  output.receive(Buffer.from('the hu'));
  expect(passed).toEqual(['hun', 'the ']);
  expect(output.isHolding).toBe(true);
  await until('it is shown', () => !output.isHolding);
  expect(passed).toEqual(['hun', 'the ', 'hu']);
  output.receive(Buffer.from('nter2-hunter3'));
  expect(passed).toEqual(['hun', 'the ', 'hu', '*'.repeat(13)]);
});

test('no more than 64 KiB are held back, whatever follows the beginning of a value', () => {
  let passed = 0;
  const output = new MaskedOutput();
  output.onOutput = (bytes) => {
    passed += bytes.length;
  };
  output.hide(VALUE);
  const total = 1000 * Buffer.byteLength('\x1b[31m') * 100;
  output.receive(Buffer.from('hun'));
  for (let at = 0; at < 1000; at++) output.receive(Buffer.from('\x1b[31m'.repeat(100)));
  expect(total - passed).toBeLessThan(70_000);
  output.forget();
});

/** The text as a person reads it: without sequences, and without line ends within a value. */
const readable = (text: string) =>
  text.replaceAll(/\x1b\[[\d;]*[A-Za-z]|\x1b\]0;[^\x07]*\x07|[\r\n]/g, '');

test('no value is shown, whatever it is, whatever stands in it, and however output is cut', () => {
  forSeeds(300, (random) => {
    const { list, pick, below } = random;
    // Of few letters, so that values start within others and within themselves.
    const letters = ['a', 'b', 'é', '-'];
    const value = () => `${pick(letters)}${list(8, () => pick(letters)).join('')}xyz`;
    const values = [value(), value()];
    const between = ['', '', '', '\x1b[31m', '\r\n', '\x1b[2C', '\x1b]0;t\x07'];
    const interrupted = (text: string) =>
      [...text].map((letter) => letter + pick(between)).join('');
    const parts = list(12, () =>
      below(2)
        ? interrupted(pick(values))
        : pick([...letters, values[0]!.slice(0, -1), '\x1b[0m', ' ']),
    );
    const bytes = Buffer.from(parts.join(''));
    const whole = shownBytes(masking(...values), [bytes]);
    expect(whole.length).toBe(bytes.length);
    for (const each of values) expect(readable(whole.toString())).not.toContain(each);

    const pieces: Buffer[] = [];
    for (let at = 0; at < bytes.length; ) {
      const to = at + 1 + below(7);
      pieces.push(bytes.subarray(at, to));
      at = to;
    }
    expect(shownBytes(masking(...values), pieces)).toEqual(whole);
  });
});

const shownBytes = (mask: SecretMask, pieces: readonly Buffer[]): Buffer =>
  Buffer.concat([...pieces.map((piece) => Buffer.from(mask.write(piece))), mask.flush()]);
