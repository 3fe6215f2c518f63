/** Conversations as data: what is typed, and the prompt that a driver would have to know. */

export interface Script {
  name: string;
  scene?: string;
  /** A shell command that prepares the folder, and is not timed. */
  before?: string;
  command: readonly string[];
  /** The prompt after every line, to its last byte. */
  prompt: string;
  lines: readonly string[];
}

const twenty = (line: (at: number) => string) => Array.from({ length: 20 }, (_, at) => line(at));

const counter = `
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 1000; i++) {
    printf("%d\\n", i);
    fflush(stdout);
  }
  return 0;
}
`;

export const scripts: readonly Script[] = [
  {
    name: 'python3',
    command: ['python3', '-q'],
    prompt: '>>> ',
    lines: twenty((at) => `sum(i * i for i in range(${200_000 + at}))`),
  },
  {
    name: 'psql',
    scene: 'postgres',
    command: ['psql', '-X'],
    prompt: 'postgres=# ',
    lines: twenty((at) => `SELECT count(*) FROM generate_series(1, ${200_000 + at});`),
  },
  {
    name: 'gdb',
    before: `printf '%s' '${counter}' > c.c && gcc -g -O0 -o c c.c`,
    command: ['gdb', '-q', '-nx', 'c'],
    prompt: '(gdb) ',
    lines: [
      'set debuginfod enabled off',
      'break main',
      'run',
      ...twenty((at) => (at % 2 === 0 ? 'next' : 'print i')).slice(0, 17),
    ],
  },
  {
    // One change in each of twenty files: git applies it before it shows the next.
    name: 'git add -p',
    scene: 'repository',
    before:
      'for n in $(seq 1 20); do seq 1 100 > $n.txt; done && git add . && git commit -qm n && sed -i 50s/5/five/ *.txt',
    // Not color.ui: this program does not heed it, and would end its prompt in a colour.
    command: ['git', '-c', 'color.interactive=false', '-c', 'color.diff=false', 'add', '-p'],
    prompt: '? ',
    lines: twenty(() => 'y'),
  },
];
