import { describe, expect, test } from 'vitest';
import { shellEvidence } from '../../src/state/evidence/shell.ts';
import { terminalEvidence } from '../../src/state/evidence/terminal.ts';
import { openScreen } from '../helpers/screen-fixture.ts';

const own = (mark: string) => `\x1b]133;${mark};aid=ours\x07`;
const others = (mark: string) => `\x1b]133;${mark}\x07`;
const screenAfter = (output: string) => {
  const { screen, write } = openScreen({ aid: 'ours' });
  write(output);
  return screen;
};

describe('what shells say of themselves', () => {
  const told = (output: string, typedAt = -1, isEntered = false) =>
    shellEvidence(screenAfter(output), typedAt, 7, isEntered);

  test.each([
    ['its prompt, drawn after the last input', own('A'), { at: 'prompt', sinceInput: true }],
    ['its prompt, ready for a line', own('A') + own('B'), { at: 'prompt', sinceInput: true }],
    ['a command that runs', own('A') + own('C'), { at: 'command', sinceInput: true }],
    ['a command that is done, with a prompt to come', own('D;0'), { at: 'command' }],
    ['a shell within the command', own('C') + others('A'), { at: 'prompt', isWithin: true }],
    ['a command of the shell within', own('C') + others('C'), { at: 'command' }],
  ])('is believed: %s', (_what, output, expected) => {
    expect(told(output)).toMatchObject({ ...expected, ownPid: 7 });
  });

  test('is not believed of others at the prompt of the own shell, such as a job in the background', () => {
    expect(told(own('A') + others('A'))).toEqual({ at: 'prompt', sinceInput: true, ownPid: 7 });
    expect(told(own('A') + others('C'))).toEqual({ at: 'prompt', sinceInput: true, ownPid: 7 });
  });

  test('counts of any shell where the own one has said nothing', () => {
    expect(told('')).toBeUndefined();
    expect(told(others('A'))).toEqual({ at: 'prompt', sinceInput: true });
  });

  test('leaves a line open that was entered at a prompt, and neither run nor followed by another', () => {
    const end = own('A').length;
    expect(told(own('A'), end, true)).toMatchObject({ at: 'prompt', isContinued: true });
    expect(told(own('A'), end, false)).not.toHaveProperty('isContinued');
    expect(told(own('A'), -1, true)).not.toHaveProperty('isContinued');
    expect(told(own('C'), end, true)).not.toHaveProperty('isContinued');
  });
});

describe('lines were edited', () => {
  const ON = '\x1b[?2004h';
  const OFF = '\x1b[?2004l';

  test.each([
    ['by a program that asks for pastes', ON, true],
    ['by a program that has asked for them', ON + OFF, true],
    ['by what a command of the own shell has started', own('C') + ON + OFF, true],
    ['not where nobody has asked for pastes', 'text', false],
    ['not by a program because the shell that started it did', ON + OFF + own('C'), false],
  ])('%s', (_what, output, edited) => {
    expect(terminalEvidence(screenAfter(output), -1).hasEditedLines).toBe(edited);
  });
});
