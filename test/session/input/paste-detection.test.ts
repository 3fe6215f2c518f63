import { expect, test } from 'vitest';
import { mayDetectPaste } from '../../../src/session/input/paste-detection.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

const EDITOR = '\x1b[?2004h';
const DRAWN = '\x1b[2;1Hbox\x1b[J';

const mayDetectAfter = (output: string, position = -1, isLineOfReader = false) => {
  const { screen, write } = openScreen({ aid: 'ours' });
  write(output);
  return mayDetectPaste(screen, { position, isLineOfReader });
};

test.each([
  ['fills the screen', '\x1b[?1049h'],
  ['hides the cursor', '\x1b[?25l'],
  ['asks for pastes, and draws by rows', EDITOR + DRAWN],
  ['asks for pastes, and erases below', `${EDITOR}\x1b[0J`],
])('a program that %s may mistake fast typing for a paste', (_what, output) => {
  expect(mayDetectAfter(output)).toBe(true);
});

test.each([
  ['only prints', 'Name: '],
  ['only draws', DRAWN],
  ['edits a line in place', `${EDITOR}>>> 1\x1b[K\r\x1b[4C`],
  [
    'is the own shell at a prompt, whatever was drawn before',
    `${EDITOR + DRAWN}\x1b]133;A;aid=ours\x07$ `,
  ],
  ['has drawn long ago', `${EDITOR + DRAWN}${'.'.repeat(9000)}`],
])('a program that %s does not', (_what, output) => {
  expect(mayDetectAfter(output)).toBe(false);
});

test('only what was drawn since something was typed counts', () => {
  const { length } = EDITOR + DRAWN;
  expect(mayDetectAfter(EDITOR + DRAWN, length)).toBe(false);
  expect(mayDetectAfter(EDITOR + DRAWN + DRAWN, length)).toBe(true);
});

test('a program that asks for pastes anew for each line is a line editor, however it draws', () => {
  const line = `${EDITOR}>>> \x1b[J`;
  expect(mayDetectAfter(`${line}1\x1b[?2004l\r\n1\r\n${line}`, line.length, true)).toBe(false);
  // The line before was one for the shell that has started it.
  expect(mayDetectAfter(`${line}box\x1b[?2004l\r\n${line}`, line.length, false)).toBe(true);
  // It has asked for pastes when it started, and now draws itself.
  expect(mayDetectAfter(`${line}1\x1b[Jsent`, line.length, true)).toBe(true);
});
