/**
 * The commands that are run in each set-up, each with what it prints and its exit code.
 *
 * They call programs by their paths: in some set-ups `echo` is something else.
 */
export interface TriedCommand {
  what: string;
  command: string;
  output: string | RegExp;
  exitCode: number | number[];
  /** What is sent to it when it asks. */
  answer?: string;
  /** Typed with `send`, whose result has no exit code. */
  isSent?: true;
}

const posix: TriedCommand[] = [
  { what: 'success', command: '/bin/echo one', output: 'one', exitCode: 0 },
  { what: 'an exit code', command: "sh -c 'exit 7'", output: '', exitCode: 7 },
  { what: 'no newline', command: '/usr/bin/printf two', output: 'two', exitCode: 0 },
  {
    what: 'a question',
    command: 'sh -c \'read x; /bin/echo "<$x>"; exit 5\'',
    answer: 'yes',
    output: '<yes>',
    exitCode: 5,
  },
  {
    what: 'several lines',
    command: '/bin/echo a\n/bin/echo b\n/usr/bin/false',
    output: 'a\nb',
    exitCode: 1,
  },
  {
    what: 'a here-document',
    command: 'cat <<E\nx  y\nprintf E\nE',
    output: 'x  y\nprintf E',
    exitCode: 0,
  },
  {
    what: 'a background job',
    command: '/bin/sleep 60 &\n/bin/echo on',
    output: /^(\[\d\] \d+\n)?on$/,
    exitCode: 0,
  },
  {
    what: 'a pipeline',
    command: "/usr/bin/printf 'b\\na\\n' | sort | sh -c 'cat; exit 4'",
    output: 'a\nb',
    exitCode: 4,
  },
  {
    what: 'an unknown command',
    command: 'no-such-command',
    output: /no-such-command/,
    exitCode: 127,
  },
  { what: 'a syntax error', command: '/bin/echo )', output: /error/, exitCode: 1 },
  { what: 'the exit of a subshell', command: '(exit 3)', output: '', exitCode: 3 },
  {
    what: 'escape sequences',
    command: "/usr/bin/printf '\\033[31mred\\033[0m\\tblank \\n'",
    output: 'red\tblank ',
    exitCode: 0,
  },
  {
    what: 'a line that is sent',
    command: '/bin/echo sent',
    isSent: true,
    output: 'sent',
    exitCode: 0,
  },
];

const instead = (changes: Readonly<Record<string, Partial<TriedCommand>>>): TriedCommand[] =>
  posix.map((tried) => ({ ...tried, ...changes[tried.what] }));

export const commandsOf: Readonly<Record<'bash' | 'zsh' | 'fish', readonly TriedCommand[]>> = {
  bash: instead({ 'a syntax error': { output: /syntax error/, exitCode: 2 } }),
  zsh: instead({ 'a syntax error': { output: /parse error/ } }),
  fish: instead({
    'a here-document': {
      what: 'a block',
      command: 'for x in 1 2\n  /bin/echo "$x  y"\nend',
      output: '1  y\n2  y',
    },
    'a background job': { output: 'on' },
    'a syntax error': {
      command: '/bin/echo one; end',
      output: /^fish: 'end' outside of a block/,
      // Of the line, and of `eval`.
      exitCode: [1, 123],
    },
    'the exit of a subshell': { command: 'begin; sh -c "exit 3"; end' },
  }),
};
