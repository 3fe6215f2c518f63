/** Commands that are hard to run exactly, each with what must come of it. */

export type Shell = 'bash' | 'zsh' | 'fish' | 'dash';

export interface Awkward {
  what: string;
  command: string;
  /** @default all */
  in?: readonly Shell[];
  /** @default '' */
  output?: string | RegExp;
  /** Absent: it must not have ended. */
  exitCode?: number;
  signal?: string;
  cwd?: string;
  /** It has not ended: why. */
  asks?: { waitingFor: string; prompt?: string; answer?: string; keys?: string; said?: string };
  timeoutMs?: number;
  /** It ends the shell. */
  endsShell?: true;
}

const posix = ['bash', 'zsh', 'dash'] as const;
const marked = ['bash', 'zsh'] as const;
const done = { exitCode: 0 };

/** `folder` exists and is empty. */
export const awkward = (folder: string): Awkward[] => [
  { what: 'nothing to say', command: 'true', ...done },
  { what: 'a failure', command: 'false', exitCode: 1 },
  { what: 'another exit code', command: "sh -c 'exit 77'", exitCode: 77 },
  { what: 'no final newline', command: 'printf foo', output: 'foo', ...done },
  { what: 'nothing but newlines', command: "printf '\\n\\n\\n'", output: '\n\n', ...done },
  { what: 'a newline first', command: "printf '\\na\\n'", output: '\na', ...done },
  { what: 'blanks at the end', command: "printf 'a  \\n  b \\n'", output: 'a  \n  b ', ...done },
  { what: 'tabs', command: "printf 'a\\tb\\n\\tc\\n'", output: 'a\tb\n\tc', ...done },
  { what: 'a tab in the command', command: "echo 'a\tb'", output: 'a\tb', ...done },
  { what: 'two lines', command: 'echo a\necho b', output: 'a\nb', ...done },
  { what: 'the last line fails', command: 'echo a\nfalse', output: 'a', exitCode: 1 },
  {
    what: 'a loop over lines',
    command: 'for i in 1 2 3\ndo\n  echo $i\ndone',
    in: posix,
    output: '1\n2\n3',
    ...done,
  },
  {
    what: 'a loop of fish',
    command: 'for i in 1 2 3\n  echo $i\nend',
    in: ['fish'],
    output: '1\n2\n3',
    ...done,
  },
  {
    what: 'a here-document',
    command: "cat <<'END'\none $two `three`\n\tfour's \"five\"\n\nEND",
    in: posix,
    output: 'one $two `three`\n\tfour\'s "five"\n',
    ...done,
  },
  {
    what: 'a here-document, and more',
    command: 'cat <<END; echo after\nin\nEND\necho last',
    in: posix,
    output: 'in\nafter\nlast',
    ...done,
  },
  { what: 'a line that goes on', command: 'echo a \\\nb', output: 'a b', ...done },
  { what: 'a comment', command: 'echo a # b', in: ['bash', 'fish', 'dash'], output: 'a', ...done },
  { what: 'nothing but a comment', command: '# b', in: ['bash', 'fish', 'dash'], ...done },
  { what: 'a blank first', command: '  echo a', output: 'a', ...done },
  { what: 'a blank line between', command: 'echo a\n\necho b', output: 'a\nb', ...done },
  { what: 'a pipeline', command: 'seq 1000 | tail -n 1', output: '1000', ...done },
  { what: 'errors', command: "sh -c 'echo a; echo b >&2'", output: 'a\nb', ...done },
  {
    what: 'a command that is not there',
    command: 'no-such-command-at-all',
    output: /not found|Unknown command/,
    exitCode: 127,
  },
  {
    what: 'a job in the background',
    command: "sh -c 'sleep 1 & echo $!'",
    output: /^\d+$/,
    ...done,
  },
  {
    what: 'a job that writes later',
    command: "sh -c '(sleep 0.05; echo late) & echo now; wait'",
    output: 'now\nlate',
    ...done,
  },
  { what: 'another folder', command: 'cd /usr', cwd: '/usr', ...done },
  {
    what: 'a folder with an odd name',
    command: `mkdir -p '${folder}/a b%20;ü' && cd '${folder}/a b%20;ü'`,
    cwd: `${folder}/a b%20;ü`,
    ...done,
  },
  {
    what: 'no such folder',
    command: 'cd /no/such',
    output: /no.such/i,
    exitCode: 1,
    in: ['bash', 'zsh', 'fish'],
  },
  { what: 'colours', command: "printf '\\033[1;31mred\\033[0m\\n'", output: 'red', ...done },
  { what: 'a progress bar', command: "printf '1%%\\r50%%\\r100%%\\n'", output: '100%', ...done },
  { what: 'an erased line', command: "printf 'abc\\r\\033[Kx\\n'", output: 'x', ...done },
  {
    what: 'lines drawn again',
    command: "printf 'a\\nb\\n\\033[2Aone\\n\\n'",
    output: 'one\nb',
    ...done,
  },
  { what: 'backspaces', command: "printf 'abcd\\b\\bXY\\n'", output: 'abXY', ...done },
  { what: 'a bell and a title', command: "printf '\\033]0;t\\007a\\007\\n'", output: 'a', ...done },
  {
    what: 'the other screen, and back',
    command: "printf '\\033[?1049hfull\\033[?1049l'; echo back",
    output: 'back',
    ...done,
  },
  {
    what: 'marks of its own',
    command:
      "printf '\\033]133;D;9\\007\\033]133;A\\007\\044 \\033]133;B\\007evil\\033]133;C\\007\\n'",
    output: '$ evil',
    ...done,
  },
  {
    what: 'marks of an editor',
    command: "printf '\\033]633;D;9\\007\\033]633;A\\007a\\n'; false",
    output: 'a',
    exitCode: 1,
  },
  {
    what: 'a typed mark of its own',
    command: "printf '\\033]7133;0123456789abcdef;end;9;/\\007a\\n'; false",
    output: 'a',
    exitCode: 1,
  },
  {
    what: 'a folder that is a lie',
    command: "cd /usr; printf '\\033]7;file:///lie\\007'",
    cwd: '/usr',
    ...done,
  },
  { what: 'many scripts', command: "echo 'żółć 漢字 🙂 é'", output: 'żółć 漢字 🙂 é', ...done },
  {
    what: 'a line as wide as the screen',
    command: "head -c 120 /dev/zero | tr '\\0' x; echo; echo y",
    output: `${'x'.repeat(120)}\ny`,
    ...done,
  },
  {
    what: 'a very long line',
    command: "head -c 20000 /dev/zero | tr '\\0' x",
    output: 'x'.repeat(20_000),
    ...done,
  },
  {
    what: 'a very long command',
    command: `echo ${'x'.repeat(20_000)} | wc -c`,
    in: ['bash', 'zsh', 'fish'],
    output: '20001',
    ...done,
  },
  { what: 'many lines', command: 'seq 100000', output: lines(100_000), ...done },
  {
    what: 'a megabyte of short lines',
    command: 'yes 2>/dev/null | head -c 1000000',
    output: 'y\n'.repeat(500_000).slice(0, -1),
    ...done,
  },
  { what: 'zeros', command: "printf 'a\\000b\\n'", output: 'ab', ...done },
  {
    what: 'line ends of another system',
    command: "printf 'a\\r\\nb\\r\\n'",
    output: 'a\nb',
    ...done,
  },
  {
    what: 'quotes',
    command: `echo "it's" 'a "b" c\\d'`,
    output: `it's a "b" c\\d`,
    in: ['bash', 'fish'],
    ...done,
  },
  { what: 'an exclamation mark', command: "echo 'hi!there'", output: 'hi!there', ...done },
  {
    what: 'an alias',
    command: "alias hail='echo hello'\nhail x",
    output: 'hello x',
    in: ['bash'],
    ...done,
  },
  {
    what: 'a question',
    command: 'printf \'one\\nName: \'; read n; echo "Hi $n"',
    in: ['bash', 'zsh'],
    output: 'one',
    asks: { waitingFor: 'line', prompt: 'Name: ', answer: 'Ada', said: 'Hi Ada' },
  },
  {
    what: 'a question of fish',
    command: "read -P 'Name: ' n; echo Hi $n",
    in: ['fish'],
    asks: { waitingFor: 'line', prompt: 'Name: ', answer: 'Ada', said: 'Hi Ada' },
  },
  {
    what: 'a question of a program',
    command: 'python3 -c \'print("Hi", input("Name: "))\'',
    asks: { waitingFor: 'line', prompt: 'Name: ', answer: 'Ada', said: 'Hi Ada' },
  },
  {
    what: 'a secret',
    command: "sh -c 'stty -echo; printf Word:; read w; stty echo; echo; echo got it'",
    asks: { waitingFor: 'secret', prompt: 'Word:', answer: 'sesame', said: 'got it' },
  },
  {
    what: 'no end within its time',
    command: 'echo on; sleep 1000',
    output: 'on',
    timeoutMs: 500,
    asks: { waitingFor: 'time', keys: 'C-c' },
  },
  {
    what: 'a quote that is not closed',
    command: 'echo "abc',
    in: ['bash', 'zsh', 'fish'],
    asks: { waitingFor: 'line', keys: 'C-c' },
  },
  {
    what: 'a loop that is not closed',
    command: 'for i in 1 2; do\necho $i',
    in: marked,
    asks: { waitingFor: 'line', keys: 'C-c' },
  },
  {
    what: 'a line that is no command',
    command: 'echo )',
    output: /\)/,
    exitCode: 2,
    in: ['bash', 'dash'],
  },
  {
    what: 'a line that is no command to others',
    command: 'echo )',
    output: /\)/,
    exitCode: 1,
    in: ['zsh', 'fish'],
  },
  {
    what: 'a trace',
    command: 'set -x\necho a\nset +x',
    in: ['bash'],
    output: '+ echo a\na\n+ set +x',
    ...done,
  },
  { what: 'unset variables', command: 'set -u\necho a\nset +u', in: posix, output: 'a', ...done },
  { what: 'a trap before every command', command: "trap 'echo dbg' DEBUG", in: ['bash'], ...done },
  {
    what: 'a command under that trap',
    command: 'echo a',
    in: ['bash'],
    output: /^(dbg\n)?a$/,
    ...done,
  },
  {
    what: 'no such trap any more',
    command: 'trap - DEBUG',
    in: ['bash'],
    output: /^(dbg)?$/,
    ...done,
  },
  {
    what: 'a trap for errors',
    command: "trap 'echo err' ERR; false",
    in: ['bash'],
    output: 'err',
    exitCode: 1,
  },
  { what: 'no trap for errors', command: 'trap - ERR', in: ['bash'], ...done },
  {
    what: 'a prompt command',
    command: "PROMPT_COMMAND='echo pc'",
    in: ['bash'],
    output: /^(pc)?$/,
    ...done,
  },
  {
    what: 'a command after that',
    command: 'echo a; false',
    in: ['bash'],
    output: 'a',
    exitCode: 1,
  },
  { what: 'another prompt', command: "PS1='new> '", in: marked, ...done },
  {
    what: 'a command at that prompt',
    command: 'echo a; false',
    in: marked,
    output: 'a',
    exitCode: 1,
  },
  { what: 'a prompt of two lines', command: "PS1='one\ntwo> '", in: marked, ...done },
  {
    what: 'a command at two lines',
    command: 'printf a; false',
    in: marked,
    output: 'a',
    exitCode: 1,
  },
  { what: 'an exit', command: 'exit 3', output: /^(exit)?$/, exitCode: 3, endsShell: true },
  {
    what: 'another program in its place',
    command: "exec sh -c 'echo x; exit 5'",
    output: 'x',
    exitCode: 5,
    endsShell: true,
  },
  {
    what: 'an end at the first error',
    command: 'set -e\nfalse',
    in: ['bash', 'dash'],
    exitCode: 1,
    endsShell: true,
  },
  {
    what: 'a violent end',
    command: 'echo a; kill -KILL $$',
    in: posix,
    output: 'a',
    signal: 'SIGKILL',
    endsShell: true,
  },
];

function lines(count: number): string {
  return Array.from({ length: count }, (_, at) => at + 1).join('\n');
}
