import type { Conversation, Waiting } from '../conversation.ts';

const line = (prompt: RegExp) => ({ for: 'line', prompt }) satisfies Waiting;

const oneOfMany = (prompt: RegExp) =>
  ({
    for: 'line',
    prompt,
    certainty: 'likely',
    why: 'it also waits for the program it debugs, and has no bracketed paste',
  }) satisfies Waiting;

const gdb = line(/^\(gdb\) $/);

const counter = `#include <stdio.h>
#include <unistd.h>
int count = 0;
int add(int by) {
  count += by;
  return count;
}
int main(void) {
  int total = add(6);
  total = total * add(1);
  printf("total %d\\n", total);
  fflush(stdout);
  for (;;) usleep(1000);
}
`;

const machine = (prompt: RegExp) =>
  ({
    for: 'line',
    prompt,
    certainty: 'likely',
    why: 'it is connected to the program it debugs',
  }) satisfies Waiting;

export const debuggers: readonly Conversation[] = [
  {
    name: 'gdb',
    kind: 'debugger',
    needs: ['gdb', 'gcc'],
    files: { 'counter.c': counter },
    open: "sh -c 'gcc -g -O0 -o counter counter.c && exec gdb -q -nx counter'",
    env: { DEBUGINFOD_URLS: '' },
    steps: [
      { shows: /Reading symbols/, expect: gdb },
      { type: 'break add', shows: /^Breakpoint 1 at/m, expect: gdb },
      { type: 'run', shows: /^Breakpoint 1, add/m, expect: gdb },
      { type: 'next', shows: /return count;/, expect: gdb },
      { type: 'print count * 7', shows: /^\$1 = 42$/m, expect: gdb },
      { type: 'print nonsense', shows: /^No symbol/m, expect: gdb },
      { type: 'delete', expect: line(/\(y or n\) $/) },
      { type: 'y', expect: gdb },
      { type: 'continue', shows: /^total 42$/m, expect: { working: 'anything' } },
      { keys: 'C-c', shows: /SIGINT/, expect: gdb },
      { type: 'shell sleep 1000', expect: { working: 'sleeping' } },
      { keys: 'C-c', expect: gdb },
      { type: 'quit', expect: line(/\(y or n\) $/) },
      { type: 'y', expect: { exited: 0 } },
    ],
  },
  {
    name: 'gdb attached to a running process',
    kind: 'debugger',
    needs: ['gdb', 'gcc'],
    files: { 'counter.c': counter },
    open: "sh -c 'gcc -g -O0 -o counter counter.c; setsid ./counter >out & until test -s out; do sleep 0.01; done; exec gdb -q -nx -p $!'",
    env: { DEBUGINFOD_URLS: '' },
    steps: [
      { shows: /Attaching to process/, expect: gdb },
      { type: 'print count', shows: /^\$1 = 7$/m, expect: gdb },
      { type: 'continue', expect: { working: 'anything' } },
      { keys: 'C-c', shows: /SIGINT/, expect: gdb },
      { type: 'kill', expect: line(/\(y or n\) $/) },
      { type: 'y', shows: /killed/, expect: gdb },
      { keys: 'C-d', expect: { exited: 0 } },
    ],
  },
  {
    name: 'pdb',
    kind: 'debugger',
    needs: ['python3'],
    files: { 'sum.py': 'total = 0\nfor i in range(7):\n    total += i\nprint(total * 2)\n' },
    open: 'python3 -m pdb sum.py',
    steps: [
      { shows: /total = 0/, expect: line(/^\(Pdb\) $/) },
      { type: 'break 4', shows: /^Breakpoint 1 at/m, expect: line(/^\(Pdb\) $/) },
      { type: 'continue', shows: /-> print/, expect: line(/^\(Pdb\) $/) },
      { type: 'p total', shows: /^21$/m, expect: line(/^\(Pdb\) $/) },
      { type: 'import time; time.sleep(1000)', expect: { working: 'sleeping' } },
      { keys: 'C-c', shows: /KeyboardInterrupt/, expect: line(/^\(Pdb\) $/) },
      { type: 'next', shows: /^42$/m, expect: line(/^\(Pdb\) $/) },
      { type: 'quit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'node inspect',
    kind: 'debugger',
    needs: [],
    files: {
      'sum.js':
        'let total = 0;\nfor (let i = 0; i < 7; i++) total += i;\nconsole.log(total);\nsetInterval(() => {}, 1000);\n',
    },
    open: '$NODE inspect --port=0 sum.js',
    steps: [
      { shows: /Break on start/, expect: oneOfMany(/^debug> $/) },
      { type: 'next', shows: /break in sum\.js:2/, expect: oneOfMany(/^debug> $/) },
      { type: 'exec("6*7")', shows: /^42$/m, expect: oneOfMany(/^debug> $/) },
      { type: 'cont', shows: /^< 21$/m, expect: oneOfMany(/^debug> $/) },
      { type: '.exit', expect: { exited: 0 } },
    ],
  },
  {
    name: 'perl -d',
    kind: 'debugger',
    needs: ['perl'],
    files: { 'sum.pl': 'my $total = 0;\n$total += $_ for 1..6;\nprint "total $total\\n";\n' },
    open: 'perl -d sum.pl',
    env: { PERLDB_OPTS: 'ReadLine=0' },
    steps: [
      { shows: /my \$total/, expect: line(/DB<1> $/) },
      { type: 'b 3', expect: line(/DB<2> $/) },
      { type: 'c', shows: /sum\.pl:3/, expect: line(/DB<2> $/) },
      { type: 'p $total * 2', shows: /^42$/m, expect: line(/DB<3> $/) },
      { type: 'n', shows: /^total 21$/m, expect: line(/DB<3> $/) },
      { type: 'q', expect: { exited: 0 } },
    ],
  },
  {
    name: 'jdb',
    kind: 'debugger',
    needs: ['jdb', 'javac'],
    files: {
      'Sum.java':
        'class Sum {\n  static int total;\n  public static void main(String[] args) throws Exception {\n    for (int i = 1; i < 7; i++) total += i;\n    System.out.println("total " + total);\n    Thread.sleep(1000000);\n  }\n}\n',
    },
    open: "sh -c 'javac -J-XX:TieredStopAtLevel=1 -g Sum.java && exec jdb -J-XX:TieredStopAtLevel=1 Sum'",
    steps: [
      { shows: /Initializing jdb/, expect: machine(/^> $/) },
      { type: 'stop at Sum:5', shows: /Deferring breakpoint/, expect: machine(/^> $/) },
      { type: 'run', shows: /Breakpoint hit/, expect: machine(/^main\[1\] $/) },
      { type: 'print Sum.total * 2', shows: /= 42$/m, expect: machine(/^main\[1\] $/) },
      { type: 'quit', expect: { exited: 0 } },
    ],
  },
];
