import { describe, expect, test } from 'vitest';
import { TerminalQueryFilter } from '../../../src/cli/attach/query-filter.ts';

const filtered = (...chunks: string[]) => {
  const filter = new TerminalQueryFilter();
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
    ['the clipboard being set', '\x1b]52;c;aGk=\x07'],
    ['keyboard flags', '\x1b[>1u'],
    ['characters of every width', 'é漢👩‍👩‍👧 ø'],
  ])('lets %s pass, also byte by byte', (_name, output) => {
    expect(filtered(output)).toBe(output);
    const filter = new TerminalQueryFilter();
    const bytes = Buffer.from(output);
    const pieces = [...bytes].map((byte) => filter.filter(Uint8Array.of(byte)));
    expect(Buffer.concat(pieces).toString()).toBe(output);
  });

  test('tracks the alternate screen, to leave it later', () => {
    const filter = new TerminalQueryFilter();
    filter.filter('\x1b[?1049;25h');
    expect(filter.isAlternate).toBe(true);
    filter.filter('\x1b[?25h');
    expect(filter.isAlternate).toBe(true);
    filter.filter('\x1b[?1049l');
    expect(filter.isAlternate).toBe(false);
  });

  test('a sequence that never ends passes', () => {
    const endless = `\x1bP${'x'.repeat(100_000)}`;
    expect(filtered(endless, 'more').length).toBe(endless.length + 4);
  });
});
