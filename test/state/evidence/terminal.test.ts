import { describe, expect, test } from 'vitest';
import { terminalEvidence } from '../../../src/state/evidence/terminal.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

const COMMAND = '\x1b]133;C;aid=ours\x07';
const ON = '\x1b[?2004h';
const OFF = '\x1b[?2004l';

describe('lines were edited', () => {
  test.each([
    ['by a program that asks for pastes', ON, true],
    ['by a program that has asked for them', ON + OFF, true],
    ['by what a command of the own shell has started', COMMAND + ON + OFF, true],
    ['not where nobody has asked for pastes', 'text', false],
    ['not by a program because the shell that started it did', ON + OFF + COMMAND, false],
  ])('%s', (_what, output, edited) => {
    const { screen, write } = openScreen({ aid: 'ours' });
    write(output);
    expect(terminalEvidence(screen, -1).hasEditedLines).toBe(edited);
  });
});

describe('something was printed since a line editor began to read', () => {
  test.each([
    ['its prompt', `${ON}$ `, true],
    ['its prompt in colours', `${ON}\x1b]0;title\x07\x1b[01;32m$\x1b[0m `, true],
    ['not the line before it', `unfinished${ON}`, false],
    ['not sequences and blanks', `unfinished${ON}\x1b]0;title\x07\x1b[01;32m\r\x1b(B `, false],
    ['not where nobody edits lines', '$ ', false],
  ])('%s', (_what, output, printed) => {
    const { screen, write } = openScreen();
    write(output);
    expect(terminalEvidence(screen, -1).printedSincePasteOn).toBe(printed);
  });
});
