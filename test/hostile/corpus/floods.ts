/** Streams without an end, strings that never end, and text that is expensive to keep. */
import type { HostileCase } from '../hostile-case.ts';
import { LARGE, USUAL, WIDE } from './sizes.ts';

const MEGABYTE = 1_000_000;

const floods: Record<string, string | Buffer> = {
  'short lines': 'y\n',
  'long lines': `${'0123456789'.repeat(50)}\n`,
  'one line without an end': '0123456789',
  'line feeds': '\n',
  'carriage returns': 'x\r',
  backspaces: 'xyz\b\b\b',
  tabs: '\t',
  bells: '\x07',
  'NUL bytes': Buffer.alloc(1024),
  'bytes that are no UTF-8': Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf5, 0x41]),
  'every byte': Buffer.from(Array.from({ length: 256 }, (_, at) => at)),
  'eight-bit controls': Buffer.from([0xc2, 0x9b, 0x32, 0x4a, 0xc2, 0x9d, 0x30, 0x3b, 0xc2, 0x9c]),
  'combining marks': 'e\u0301\u0302\u0303\u0304',
  'marks without a letter': '\u0301',
  'wide characters': '\u4e2d\u6587',
  'emoji joined without an end': '\u{1f468}\u200d',
  'right-to-left marks': '\u202e\u2066abc\u2069',
  'colours of every letter': 'a\x1b[38;2;1;2;3;48;5;7;1;3;4:3;9mb\x1b[m',
  'colours with a thousand numbers': `\x1b[${'38;5;1;'.repeat(140)}m`,
  'a title in every line': '\x1b]0;title\x07line\r\n',
  'titles pushed and popped': '\x1b[22;0t\x1b]0;t\x07\x1b[23;0t',
  'links everywhere': '\x1b]8;id=1;http://example.com\x07link\x1b]8;;\x07\r\n',
  'palette colours': '\x1b]4;1;rgb:11/22/33\x07\x1b]10;#fff\x07\x1b]104\x07',
  'shell marks': '\x1b]133;A\x07$ \x1b]133;B\x07x\r\n\x1b]133;C\x07y\r\n\x1b]133;D;0\x07',
  'folders and progress': '\x1b]7;file://h/tmp\x07\x1b]9;4;1;50\x07\x1b]633;P;Cwd=/\x07',
  'questions that are answered': '\x1b[6n\x1b[c\x1b[>c\x1b[5n\x1b[18t\x1b]11;?\x07\x1bP$qm\x1b\\',
  'modes switched on and off': '\x1b[?2004h\x1b[?1h\x1b[?25l\x1b[?2004l\x1b[?1l\x1b[?25h',
  'synchronized output never ended': '\x1b[?2026hx\r\n',
  'mouse and focus modes': '\x1b[?1003h\x1b[?1006h\x1b[?1004h\x1b[?1003l',
  'saved cursors': '\x1b7x\x1b8\x1b[sy\x1b[u',
  'character sets': '\x1b(0qqq\x1b(B\x0eqqq\x0f\x1bn\x1bo',
  'margins and origin mode': '\x1b[5;10r\x1b[?6hx\r\n\x1b[?6l\x1b[r',
  'soft hyphens and odd blanks': '\u00ad\u200b\u2028\u2029\ufeff\u3000',
  'tag characters': '\u{e0041}\u{e0042}x',
  'sequences cut off': '\x1b[1;2\x1b]0;\x1b[\x1b\x1bP\x18x',
};

const giants: Record<string, string> = {
  'a title of a megabyte': `\x1b]0;${'t'.repeat(MEGABYTE)}\x07`,
  'a title that never ends': '\x1b]0;',
  'a clipboard of a megabyte': `\x1b]52;c;${'QUFB'.repeat(MEGABYTE / 4)}\x07`,
  'a picture (sixel) of a megabyte': `\x1bPq${'#0~~@@vv@@~~$'.repeat(MEGABYTE / 13)}\x1b\\`,
  'a picture that never ends': '\x1bPq',
  'an application command of a megabyte': `\x1b_G${'x'.repeat(MEGABYTE)}\x1b\\`,
  'an application command that never ends': '\x1b_G',
  'a private message that never ends': '\x1b^',
  'a string that never ends': '\x1bX',
  'a sequence with a megabyte of numbers': `\x1b[${'1;'.repeat(MEGABYTE / 2)}m`,
  'a colour query of a megabyte': `\x1b]4;${'1;?;'.repeat(MEGABYTE / 4)}\x07`,
  'a shell mark of a megabyte': `\x1b]133;A;${'k=v;'.repeat(MEGABYTE / 4)}\x07`,
  'a folder of a megabyte': `\x1b]7;file://h/${'d/'.repeat(MEGABYTE / 2)}\x07`,
  'a letter with a million marks': `e${'\u0301'.repeat(MEGABYTE / 2)}`,
};

/** What never ends is followed by this, which it swallows. */
const SWALLOWED = 'swallowed '.repeat(100);

export const floodCases: HostileCase[] = [
  ...[USUAL, LARGE].flatMap((size) =>
    Object.entries(floods).map(([name, repeated]) => ({
      kind: `floods, ${size.cols}x${size.rows}`,
      name: `${name} at ${size.cols}x${size.rows}`,
      size,
      repeated,
    })),
  ),
  ...['short lines', 'one line without an end', 'wide characters', 'combining marks'].map(
    (name) => ({
      kind: 'floods, 65535x15',
      name: `${name} at 65535x15`,
      size: WIDE,
      repeated: floods[name]!,
    }),
  ),
  ...Object.entries(giants).map(([name, text]) => ({
    kind: 'giants',
    name,
    ...(name.includes('never ends') ? { start: text, repeated: SWALLOWED } : { repeated: text }),
  })),
];
