import { describe, expect, test } from 'vitest';
import { shellEvidence } from '../../../src/state/evidence/shell.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

const own = (mark: string) => `\x1b]133;${mark};aid=ours\x07`;
const others = (mark: string) => `\x1b]133;${mark}\x07`;

const evidenceAfter = (output: string, inputPosition = -1, isEntered = false) => {
  const { screen, write } = openScreen({ aid: 'ours' });
  write(output);
  return shellEvidence(screen, inputPosition, 7, isEntered);
};

describe('shell marks', () => {
  test.each([
    ['its prompt, drawn after the last input', own('A'), { at: 'prompt', sinceInput: true }],
    ['its prompt, ready for a line', own('A') + own('B'), { at: 'prompt', sinceInput: true }],
    ['a command that runs', own('A') + own('C'), { at: 'command', sinceInput: true }],
    ['a command that is done, with a prompt to come', own('D;0'), { at: 'command' }],
    ['a shell within the command', own('C') + others('A'), { at: 'prompt', isWithin: true }],
    ['a command of the shell within', own('C') + others('C'), { at: 'command' }],
  ])('are believed: %s', (_what, output, expected) => {
    expect(evidenceAfter(output)).toMatchObject({ ...expected, ownPid: 7 });
  });

  test('of others are ignored at the prompt of the own shell: a background job may print them', () => {
    const expected = { at: 'prompt', sinceInput: true, ownPid: 7 };
    expect(evidenceAfter(own('A') + others('A'))).toEqual(expected);
    expect(evidenceAfter(own('A') + others('C'))).toEqual(expected);
  });

  test('of any shell count if the own shell has printed none', () => {
    expect(evidenceAfter('')).toBeUndefined();
    expect(evidenceAfter(others('A'))).toEqual({ at: 'prompt', sinceInput: true });
  });

  test('show a command that is not complete: entered at a prompt, not run, and no new prompt', () => {
    const end = own('A').length;
    expect(evidenceAfter(own('A'), end, true)).toMatchObject({ at: 'prompt', isContinued: true });
    expect(evidenceAfter(own('A'), end, false)).not.toHaveProperty('isContinued');
    expect(evidenceAfter(own('A'), -1, true)).not.toHaveProperty('isContinued');
    expect(evidenceAfter(own('C'), end, true)).not.toHaveProperty('isContinued');
  });
});
