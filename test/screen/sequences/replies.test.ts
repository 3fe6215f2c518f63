import { describe, expect, test } from 'vitest';
import { openScreen } from '../../helpers/screen-fixture.ts';

describe('a query of the program is answered at once', () => {
  test.each([
    ['DA1', '\x1b[c', '\x1b[?1;2c'],
    ['DA2', '\x1b[>c', '\x1b[>0;276;0c'],
    ['status', '\x1b[5n', '\x1b[0n'],
    ['cursor', '\x1b[3;7H\x1b[6n', '\x1b[3;7R'],
    ['cursor (DEC)', '\x1b[3;7H\x1b[?6n', '\x1b[?3;7R'],
    ['mode on', '\x1b[?2004h\x1b[?2004$p', '\x1b[?2004;1$y'],
    ['mode off', '\x1b[?2026$p', '\x1b[?2026;2$y'],
    ['mode unknown', '\x1b[?9999$p', '\x1b[?9999;0$y'],
    ['ANSI mode', '\x1b[4$p', '\x1b[4;2$y'],
    ['margins', '\x1b[2;4r\x1bP$qr\x1b\\', '\x1bP1$r2;4r\x1b\\'],
    ['looks', '\x1bP$qm\x1b\\', '\x1bP1$r0m\x1b\\'],
    ['version', '\x1b[>q', '\x1bP>|Repartee\x1b\\'],
    ['version, with a zero', '\x1b[>0q', '\x1bP>|Repartee\x1b\\'],
    ['kitty keyboard', '\x1b[?u', '\x1b[?0u'],
    ['size in pixels', '\x1b[14t', '\x1b[4;80;160t'],
    ['size of a cell', '\x1b[16t', '\x1b[6;16;8t'],
    ['size in characters', '\x1b[18t', '\x1b[8;5;20t'],
    ['foreground', '\x1b]10;?\x07', '\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\'],
    ['background', '\x1b]11;?\x1b\\', '\x1b]11;rgb:0000/0000/0000\x1b\\'],
    ['cursor colour', '\x1b]12;?\x07', '\x1b]12;rgb:e5e5/e5e5/e5e5\x1b\\'],
    ['red', '\x1b]4;1;?\x07', '\x1b]4;1;rgb:cdcd/0000/0000\x1b\\'],
    ['the cube', '\x1b]4;196;?\x07', '\x1b]4;196;rgb:ffff/0000/0000\x1b\\'],
    // Every step of the cube: 5f, 87, af; and d7.
    ['the steps of the cube', '\x1b]4;67;?\x07', '\x1b]4;67;rgb:5f5f/8787/afaf\x1b\\'],
    ['its fifth step', '\x1b]4;188;?\x07', '\x1b]4;188;rgb:d7d7/d7d7/d7d7\x1b\\'],
    ['the last grey', '\x1b]4;255;?\x07', '\x1b]4;255;rgb:eeee/eeee/eeee\x1b\\'],
  ])('%s', (_what, query, answer) => {
    const { replies, write } = openScreen();
    write(query);
    expect(replies).toEqual([answer]);
  });

  test('several colours in one query', () => {
    const { replies, write } = openScreen();
    write('\x1b]10;?;?\x07\x1b]4;0;?;7;?\x07');
    expect(replies).toHaveLength(4);
  });

  test('also after output that was not parsed yet, with the current cursor', () => {
    const { replies, write } = openScreen();
    write('plain\r\nplain');
    write('\x1b[6n');
    expect(replies).toEqual(['\x1b[2;6R']);
  });
});

describe('nothing a program prints is typed back', () => {
  const secret = 'rm -rf ~\r';
  test.each([
    ['title report', `\x1b]0;${secret}\x07\x1b[21t`],
    ['icon title report', `\x1b]1;${secret}\x07\x1b[20t`],
    ['title popped and reported', `\x1b]2;${secret}\x07\x1b[22;0t\x1b[23;0t\x1b[21t`],
    ['answerback', '\x05'],
    ['clipboard read', '\x1b]52;c;?\x07'],
    ['clipboard write and read', '\x1b]52;c;cm0=\x07\x1b]52;c;?\x1b\\'],
    ['checksum of cells (DECRQCRA)', `${secret}\x1b[1;1;1;1;5;20*y`],
    ['termcap (XTGETTCAP)', '\x1bP+q544e\x1b\\'],
    ['user-defined keys (DECUDK)', '\x1bP0;1|17/726d0d\x1b\\'],
    ['macros (DECDMAC, DECINVM)', '\x1bP1;0;0!zrm\x1b\\\x1b[1*z'],
    ['font query', '\x1b]50;?\x07'],
    ['palette set to a string', `\x1b]4;1;${secret}\x07`],
    ['colours of no such number', '\x1b]4;999;?\x07\x1b]13;?\x07\x1b]19;?\x07'],
    ['locator and printer', "\x1b[?15n\x1b[?25n\x1b[?26n\x1b[?53n\x1b[0'|"],
    ['terminal parameters (DECREQTPARM)', '\x1b[x\x1b[1x'],
    ['tertiary attributes', '\x1b[=c'],
    [
      'cell contents (OSC 1337, ReportCellSize, ReportVariable)',
      '\x1b]1337;ReportVariable=bmFtZQ==\x07',
    ],
    ['notification', `\x1b]9;${secret}\x07\x1b]777;notify;a;${secret}\x07`],
    ['working folder', `\x1b]7;file://h/${secret}\x07`],
    ['a link', `\x1b]8;;${secret}\x1b\\x\x1b]8;;\x1b\\`],
    ['focus asked for', '\x1b[?1004h'],
    ['mouse asked for', '\x1b[?1003h\x1b[?1006h'],
    ['kitty keyboard pushed', '\x1b[>1u\x1b[=5;1u\x1b[<u'],
    [
      'a window moved, resized, lowered',
      '\x1b[3;0;0t\x1b[8;50;100t\x1b[6t\x1b[11t\x1b[13t\x1b[19t',
    ],
  ])('%s', (_what, sequence) => {
    const { replies, write } = openScreen();
    write(sequence);
    expect(replies).toEqual([]);
  });

  test.each([
    ['DECRQSS', `\x1bP$q${secret}\x1b\\`, '\x1bP0$r\x1b\\'],
    ['DECRQSS of something close', `\x1bP$qm;${secret}\x1b\\`, '\x1bP0$r\x1b\\'],
    ['DECRQM of a huge number', '\x1b[?99999999999999999999$p', '\x1b[?2147483647;0$y'],
  ])('%s is refused in fixed words', (_what, sequence, answer) => {
    const { replies, write } = openScreen();
    write(sequence);
    expect(replies).toEqual([answer]);
  });
});
