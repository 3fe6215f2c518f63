import { describe, expect, test } from 'vitest';
import { DrawingFilter } from '../../../src/screen/sequences/drawing-filter.ts';

const filtered = (...chunks: string[]) => {
  const filter = new DrawingFilter();
  return chunks.map((chunk) => filter.filter(Buffer.from(chunk)).toString()).join('');
};

describe('output on its way to a person', () => {
  test.each([
    ['DA1', '\x1b[c'],
    ['DA1 with a zero', '\x1b[0c'],
    ['DA2', '\x1b[>c'],
    ['DA3', '\x1b[=c'],
    ['where the cursor is', '\x1b[6n'],
    ['DECXCPR', '\x1b[?6n'],
    ['whether a mode is on', '\x1b[?2026$p'],
    ['XTVERSION', '\x1b[>q'],
    ['the size of the window', '\x1b[18t'],
    ['its size in pixels', '\x1b[14;2t'],
    ['its title', '\x1b[21t'],
    ['the background', '\x1b]11;?\x07'],
    ['a colour of the palette', '\x1b]4;1;?\x1b\\'],
    ['the clipboard', '\x1b]52;c;?\x07'],
    ['a setting', '\x1bP$qm\x1b\\'],
    ['a capability', '\x1bP+q544e\x1b\\'],
    ["kitty's flags", '\x1b[?u'],
    ['images', '\x1b_Gi=31,s=1,a=q;AAAA\x1b\\'],
    ['ENQ', '\x05'],
  ])('removes the query for %s, also in pieces', (_name, query) => {
    expect(filtered(`a${query}b`)).toBe('ab');
    expect(filtered('a', ...query, 'b')).toBe('ab');
  });

  test.each([
    ['colours', '\x1b[1;31mred\x1b[0m'],
    ['a new background', '\x1b]11;#102030\x07'],
    ['a link with a question mark', '\x1b]8;;http://x.test/?q=1\x1b\\link\x1b]8;;\x1b\\'],
    ['a title with one', '\x1b]2;what?\x07'],
    ['cursor movement', '\x1b[5;6H\x1b[2J\x1b[?25l'],
    ['titles pushed and popped', '\x1b[22;0t\x1b[23;0t'],
    ['keyboard flags', '\x1b[>1u'],
    ['a sixel image', '\x1bP0;1q"1;1;5;5#0~~\x1b\\'],
    ["kitty's image", '\x1b_Ga=T,f=100;aGk=\x1b\\'],
    ['the shape of the cursor', '\x1b[4 q'],
    ['charsets', '\x1b(0lqk\x1b(B'],
    ['letters beside controls', 'Â¢ Â\u00a0'],
    ['characters of every width', 'é漢👩‍👩‍👧 ø'],
  ])('lets %s pass, also byte by byte', (_name, output) => {
    expect(filtered(output)).toBe(output);
    const filter = new DrawingFilter();
    const bytes = Buffer.from(output);
    const pieces = [...bytes].map((byte) => filter.filter(Uint8Array.of(byte)));
    expect(Buffer.concat(pieces).toString()).toBe(output);
  });

  test('tracks the alternate screen, to leave it later', () => {
    const filter = new DrawingFilter();
    filter.filter('\x1b[?1049;25h');
    expect(filter.isAlternate).toBe(true);
    filter.filter('\x1b[?25h');
    expect(filter.isAlternate).toBe(true);
    filter.filter('\x1b[?1049l');
    expect(filter.isAlternate).toBe(false);
  });

  test.each([
    ['the clipboard', '\x1b]52;c;aGk=\x07'],
    ['the size of the window', '\x1b[8;50;100t'],
    ['its place', '\x1b[3;0;0t'],
    ['132 columns', '\x1b[?25;3h'],
    ['the printer', '\x1b[5i\x1b[?5i'],
    ['what keys send', '\x1bP1;1|17/6c73\x1b\\'],
    ['a font', '\x1bP0;0;1{ @????\x1b\\'],
    ['a file to be stored', '\x1b]1337;File=inline=0:aGk=\x07'],
    ['an image from a file', '\x1b_Ga=T,t=f;L2V0Yy9wYXNzd2Q=\x1b\\'],
    ['a notification', '\x1b]777;notify;a;b\x1b\\'],
    ['8-bit controls', '\x1b G'],
    ['another encoding', '\x1b%@'],
    ['a private message', '\x1b^text\x1b\\'],
    ['the clipboard, with 8-bit controls', '\u009d52;c;aGk=\u009c'],
    ['the lights of the keyboard', '\x1b[1q'],
  ])('does not pass on %s, also in pieces', (_name, sequence) => {
    expect(filtered(`a${sequence}b`)).toBe('ab');
    const filter = new DrawingFilter();
    const pieces = [...Buffer.from(`a${sequence}b`)].map((byte) =>
      filter.filter(Uint8Array.of(byte)),
    );
    expect(Buffer.concat(pieces).toString()).toBe('ab');
  });

  test('the clipboard can be set if the person allows it, and never read', () => {
    const filter = new DrawingFilter({ mayCopy: true });
    const copy = '\x1b]52;c;aGk=\x07';
    expect(filter.filter(`${copy}\x1b]52;c;?\x07`).toString()).toBe(copy);
  });

  test('of a sequence that never ends nothing passes, and what follows it does', () => {
    expect(filtered(`a\x1bP${'x'.repeat(5_000_000)}`, 'more', 'rest\x1b\\b')).toBe('ab');
  });
});
