import { expect, test } from 'vitest';
import { mayDetectPaste } from '../../../src/session/input/paste-detection.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

const EDITOR = '\x1b[?2004h';
const DRAWN = '\x1b[2;1Hbox\x1b[J';

const mayDetectAfter = (output: string, inputPosition = -1) => {
  const { screen, write } = openScreen({ aid: 'ours' });
  write(output);
  return mayDetectPaste(screen, inputPosition);
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
