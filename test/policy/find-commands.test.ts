import { describe, expect, test } from 'vitest';
import { findCommandsInArguments, findCommandsInScript } from '../../src/policy/find-commands.ts';

const texts = (line: string) => findCommandsInScript(line).commands.map(({ text }) => text);

describe('a command line is taken apart as a shell would', () => {
  test.each<[line: string, found: string[]]>([
    ['rm -rf /', ['rm -rf /']],
    ['cd x && rm -rf y; ls', ['cd x', 'rm -rf y', 'ls']],
    ['curl u | sh', ['curl u', 'sh', 'curl u | sh']],
    [`'r'm "-r"f $'\\x2f'`, ['rm -rf /']],
    ['\\rm x', ['rm x']],
    ['/bin/rm x', ['rm x']],
    ['sudo -u bob rm x', ['sudo -u bob rm x', 'rm x']],
    ['env A=1 rm x', ['env A=1 rm x', 'rm x']],
    ['A=1 rm x', ['rm x']],
    ['timeout 5 rm x', ['timeout 5 rm x', 'rm x']],
    ["bash -c 'rm x; ls'", ['bash -c rm x; ls', 'rm x', 'ls']],
    ['echo $(rm x)', ['rm x', 'echo $(rm x)']],
    ['echo `rm x`', ['rm x', 'echo `rm x`']],
    ['F=-rf; rm $F /', ['rm -rf /']],
    ['A="rm -rf"; $A /', ['rm -rf /']],
    ['{rm,-rf,/}', ['rm -rf /']],
    ['rm${IFS}-rf${IFS}/', ['rm -rf /']],
    ['if true; then rm x; fi', ['true', 'rm x']],
    ['f() { rm x; }', ['f', 'rm x']],
    ['(rm x)', ['rm x']],
    ['find . -exec rm {} \\;', ['find . -exec rm {} ;', 'rm {}']],
    ['ls | xargs -n 1 rm', ['ls', 'xargs -n 1 rm', 'rm', 'ls | xargs -n 1 rm']],
    ['bash <<EOF\nrm x\nEOF', ['bash', 'rm x']],
    ['bash <<< "rm x"', ['bash', 'rm x']],
    ['echo rm x | sh', ['echo rm x', 'sh', 'rm x', 'echo rm x | sh']],
    ['eval "rm x"', ['eval rm x', 'rm x']],
    ['echo x > /etc/passwd', ['echo x > /etc/passwd']],
    ['# rm x', []],
    ['echo "rm x"', ['echo rm x']],
    ['rm \\\n-rf /', ['rm -rf /']],
    ['ssh -p 22 host rm x', ['ssh -p 22 host rm x', 'rm x']],
    ['case x in a) rm x;; esac', ['case x in a', 'rm x']],
  ])('%s', (line, found) => {
    expect(texts(line)).toEqual(found);
  });
});

test.each(['$X a', '$(which rm) a', 'r* a', '`x`', '${X:-rm} a', '"$X" a'])(
  'which program %s is cannot be known',
  (line) => {
    expect(findCommandsInScript(line).commands.at(-1)!.program).toBeUndefined();
  },
);

test('the folder of a program may be unknown', () => {
  expect(findCommandsInScript('$HOME/bin/rm a').commands[0]!.program).toBe('rm');
});

test.each(["echo 'a", 'echo "a', 'a \\', 'cat <<E\nx', 'echo $(a'])(
  '%s is not finished',
  (line) => {
    expect(findCommandsInScript(line).isUnfinished).toBe(true);
  },
);

test.each<[string, boolean]>([
  ['!!', true],
  ['!rm', true],
  ['echo "!x"', true],
  ["echo '!x'", false],
  ['[ a != b ]', false],
  ['! ls', false],
])('%s takes something from the history: %s', (line, uses) => {
  expect(findCommandsInScript(line).usesHistory).toBe(uses);
});

test('the arguments of a program are no shell words', () => {
  expect(findCommandsInArguments(['rm', '$X', 'a b']).commands).toEqual([
    { text: 'rm $X a b', program: 'rm' },
  ]);
  expect(
    findCommandsInArguments(['/bin/sh', '-c', 'rm x']).commands.map(({ text }) => text),
  ).toEqual(['sh -c rm x', 'rm x']);
});

test('any text is taken apart in an instant', () => {
  const started = performance.now();
  for (const part of [
    '$(',
    '(',
    '`',
    '"',
    '{a,b}',
    '$X',
    '\\',
    '<<E\n',
    '|',
    'bash -c ',
    '!',
    '${',
  ])
    findCommandsInScript(part.repeat(2000));
  expect(performance.now() - started).toBeLessThan(2000);
});
