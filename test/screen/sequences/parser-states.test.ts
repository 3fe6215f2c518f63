import { describe, expect, test } from 'vitest';
import { OutputScanner } from '../../../src/screen/sequences/output-scanner.ts';
import { unfinishedCharacterBytes } from '../../../src/screen/sequences/utf8.ts';
import { COLOUR_MODE, IS_INVISIBLE } from '../../../src/screen/xterm/cells.ts';
import { openXterm } from '../../../src/screen/xterm/xterm.ts';
import { forSeeds } from '../../helpers/seeded.ts';

// To open one takes longer than all the rest. CAN ends any sequence.
const { core } = openXterm(10, 3);

/**
 * After each byte: whether the scanner is between two sequences, and whether the emulator's parser is.
 * Nothing is compared within a character, which the emulator gets only as a whole.
 */
const compare = (bytes: Uint8Array) => {
  core._inputHandler.parse(Uint8Array.of(0x18));
  const scanner = new OutputScanner();
  // As replaceInvalidUtf8 does, but by other means.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const scanned: boolean[] = [];
  const parsed: boolean[] = [];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes.subarray(at, at + 1);
    scanner.scan(byte);
    const text = decoder.decode(byte, { stream: true });
    core._inputHandler.parse(Buffer.from(text));
    if (unfinishedCharacterBytes(bytes.subarray(0, at + 1)) > 0) continue;
    scanned.push(scanner.parseableEnd === scanner.position);
    parsed.push(core._inputHandler._parser.currentState === 0);
  }
  return { scanned, parsed };
};

const one = (first: number, last = first) =>
  Array.from({ length: last - first + 1 }, (_, at) => Uint8Array.of(first + at));
const utf8 = (...texts: string[]) => texts.map((text) => new Uint8Array(Buffer.from(text)));

/** Everything that begins, ends or breaks off a sequence, and what stands in one. */
const ALPHABET = [
  ...one(0x1b),
  ...one(0x1b),
  ...utf8('[', ']', 'P', 'X', '^', '_', '\\', '\x1b[', '\x1b]', '\x1bP', '\x1bX', '\x1b^', '\x1b_'),
  ...one(0x00, 0x20),
  ...utf8('\x7f', '0', '8', '4', ';', ':', '?', '<', '=', '>', ' ', '!', '$', '(', '/'),
  ...utf8('m', 'h', 'q', 'J', 'k', 'c', '7', '~', '@', 'a'),
  ...one(0x80, 0xff),
  ...Array.from({ length: 32 }, (_, at) => utf8(String.fromCharCode(0x80 + at))[0]!),
  ...utf8('\u00a0', 'é', '漢', '😀', '\u200b', '\ufeff', '\ufeff', '\ufffd', '\uffff', '\u{e0041}'),
];

describe('the scanner is between two sequences exactly when the emulator is', () => {
  test('for every state and every byte', () => {
    const starts = [
      '',
      '\x1b',
      '\x1b(',
      '\x1b[',
      '\x1b[3',
      '\x1b[?',
      '\x1b[?3',
      '\x1b[ ',
      '\x1b[ 0',
    ];
    const strings = ['\x1b]', '\x1b]0;', '\x1bX', '\x1b^', '\x1b_', '\x1bP', '\x1bP1', '\x1bP$'];
    const more = [
      '\x1bP$0',
      '\x1bPq',
      '\x1b[\u0007',
      '\x1b[3\u0007',
      '\u009b',
      '\u009b3',
      '\u0090',
    ];
    for (const start of [...starts, ...strings, ...more])
      for (const piece of ALPHABET) {
        const bytes = Buffer.concat([Buffer.from(start), piece, Buffer.from('a\u00e9b~')]);
        const { scanned, parsed } = compare(bytes);
        expect(scanned, JSON.stringify(bytes.toString('latin1'))).toEqual(parsed);
      }
  });

  test('for any bytes', () => {
    forSeeds(1000, ({ below, pick }) => {
      const bytes = Buffer.concat(Array.from({ length: 1 + below(40) }, () => pick(ALPHABET)));
      const { scanned, parsed } = compare(bytes);
      expect(scanned, JSON.stringify(bytes.toString('latin1'))).toEqual(parsed);
    });
  });
});

test('no style that can conceal is missed, whatever stands in its sequence', () => {
  const PIECES = [
    '\x1b[',
    '\x1b[',
    '\x1b',
    '[',
    '\u009b',
    '4',
    '8',
    '0',
    '1',
    ';',
    ':',
    'm',
    'm',
    'm',
  ];
  const ODD = [
    '\x07',
    '\x7f',
    '\ufeff',
    '\n',
    'é',
    '\xa0',
    '?',
    ' ',
    '\x1b]',
    '\x1bX',
    '\x18',
    '\x00',
  ];
  let concealed = 0;
  forSeeds(5000, ({ below, pick }) => {
    core._inputHandler.parse(Buffer.from('\x18\x1bc'));
    const text = Array.from({ length: below(20) }, () => pick([...PIECES, ...PIECES, ...ODD])).join(
      '',
    );
    const bytes = Buffer.from(text);
    const signs = { conceals: false, isInvisible: false };
    const scanner = new OutputScanner(signs);
    for (let at = 0; at < bytes.length; ) {
      const to = at + 1 + below(12);
      scanner.scan(bytes.subarray(at, to));
      at = to;
    }
    let isConcealed = false;
    for (const character of text) {
      core._inputHandler.parse(Buffer.from(character));
      const { fg, bg } = core._inputHandler._curAttrData;
      isConcealed ||= (fg & IS_INVISIBLE) !== 0 || (bg & COLOUR_MODE) !== 0;
    }
    if (!isConcealed) return;
    concealed++;
    expect(signs.conceals, JSON.stringify(text)).toBe(true);
  });
  expect(concealed).toBeGreaterThan(20);
});
