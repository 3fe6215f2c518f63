import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  commandInTypedMarks,
  shellSyntaxOf,
  wrapInTypedMarks,
} from '../../src/shell/typed-marks.ts';
import { testWith } from '../helpers/needs.ts';

const command = `printf '%s\\n' 'a\tb' "it's" \\\\ "\\$x" # more`;

for (const shell of ['bash', 'zsh', 'dash'] as const) {
  for (const noTabs of [false, true]) {
    testWith(shell)(`${shell} runs what is typed between marks, tabs typed: ${!noTabs}`, () => {
      const typed = wrapInTypedMarks(command, 'k', shellSyntaxOf(shell), { noTabs });
      if (noTabs) expect(typed).not.toContain('\t');
      expect(execFileSync(shell, ['-c', typed], { cwd: '/', encoding: 'utf8' })).toBe(
        "\x1b]7133;k;begin\x07a\tb\nit's\n\\\n$x\n\x1b]7133;k;end;0;/\x07",
      );
    });
  }
}

// What a shell behind ssh is called is not known.
for (const shell of ['bash', 'zsh', 'dash', 'mksh', 'ksh93'] as const) {
  testWith(shell)(`${shell} prints typed marks though printf is a function`, () => {
    const known = ['posix', shellSyntaxOf(shell)] as const;
    for (const syntax of known) {
      const typed = wrapInTypedMarks('(exit 3)', 'k', syntax, { noTabs: true });
      const script = `printf() { echo mine; }\n${typed}`;
      expect(execFileSync(shell, ['-c', script], { cwd: '/', encoding: 'utf8' })).toBe(
        '\x1b]7133;k;begin\x07\x1b]7133;k;end;3;/\x07',
      );
    }
  });
}

testWith('fish')('fish runs what is typed between marks', () => {
  const typed = wrapInTypedMarks(`printf '%s\\n' 'a\tb' "it's" \\\\`, 'k', 'fish', {
    noTabs: true,
  });
  expect(typed).not.toContain('\t');
  expect(execFileSync('fish', ['--no-config', '-c', typed], { cwd: '/', encoding: 'utf8' })).toBe(
    "\x1b]7133;k;begin\x07a\tb\nit's\n\\\n\x1b]7133;k;end;0;/\x07",
  );
});

testWith('fish')(
  'fish runs a long command as one word, which it need not draw line by line',
  () => {
    const lines = Array.from({ length: 30 }, (_, at) => `printf '%s\\n' "${at} it's" ä%41`);
    const typed = wrapInTypedMarks(lines.join('\n'), 'k', 'fish', { noTabs: true });
    expect(typed).not.toContain('\n');
    expect(
      execFileSync('fish', ['--no-config', '-c', typed], { cwd: '/', encoding: 'utf8' }),
    ).toContain("begin\x070 it's\nä%41\n1 it's\n");
  },
);

test.each(['bash', 'zsh', 'python3', 'fish'])(
  'the command is found again in the line for %s',
  (shell) => {
    const command = `echo "it's" | wc -c; ls /tmp`;
    const typed = wrapInTypedMarks(command, '8e24a3', shellSyntaxOf(shell), { noTabs: true });
    expect(commandInTypedMarks(typed)).toBe(shell === 'fish' ? undefined : command);
  },
);

test('nothing is found in any other line', () => {
  for (const line of ['', 'ls', " printf '\\033]7133;", "x = 'eval'"])
    expect(commandInTypedMarks(line)).toBeUndefined();
});
