/** The conversation of the demo, as data. */
import { execFileSync } from 'node:child_process';

export interface DemoTurn {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  /** What must come back; otherwise the demo says so, and fails. */
  expects: Readonly<Record<string, unknown>>;
  /** A part of the output that must come back. */
  says?: string;
}

export interface DemoStep {
  title: string;
  turns: readonly DemoTurn[];
  /** The program without which it is left out. */
  needs?: string;
}

const send = (
  session: string,
  input: DemoTurn['args'],
  expects: DemoTurn['expects'],
  says?: string,
): DemoTurn => ({
  tool: 'terminal_send',
  args: { session, ...input },
  expects,
  ...(says !== undefined && { says }),
});

const open = (command: string, expects: DemoTurn['expects'], says?: string): DemoTurn => ({
  tool: 'terminal_open',
  args: { command },
  expects,
  ...(says !== undefined && { says }),
});

export const steps: readonly DemoStep[] = [
  {
    title: 'A shell command, and its exit code',
    turns: [
      {
        tool: 'terminal_run',
        args: { command: 'echo Hello from a shell; exit 3' },
        expects: { exit_code: 3 },
        says: 'Hello from a shell',
      },
    ],
  },
  {
    title: 'A REPL, alive from call to call',
    turns: [
      open('node', { state: 'waiting', waiting_for: 'line' }),
      send('node', { text: 'const answer = 6 * 7' }, { state: 'waiting' }),
      send('node', { text: 'console.log(answer)' }, { state: 'waiting' }, '42'),
    ],
  },
  {
    title: 'Busy, or your turn? It says which',
    turns: [
      send(
        'node',
        { text: 'for (const end = Date.now() + 1500; Date.now() < end; );', timeout_ms: 500 },
        { state: 'working', timed_out: true },
      ),
      { tool: 'terminal_wait', args: { sessions: ['node'] }, expects: { state: 'waiting' } },
    ],
  },
  {
    title: 'The same with Python',
    needs: 'python3',
    turns: [
      open('python3 -q', { state: 'waiting', waiting_for: 'line' }),
      send('python3', { text: 'sum(range(101))' }, { state: 'waiting' }, '5050'),
    ],
  },
  {
    title: 'An installer that asks',
    turns: [
      open('sh install.sh', { state: 'waiting', waiting_for: 'line', prompt: 'Go on? [Y/n] ' }),
      send('sh', { text: 'y' }, { state: 'exited', exit_code: 0 }, 'Done.'),
    ],
  },
  {
    title: 'A password, typed without the agent ever seeing it',
    turns: [
      open('sh login.sh', { state: 'waiting', waiting_for: 'secret' }),
      send('sh-2', { secret: 'demo' }, { state: 'exited', exit_code: 0 }, 'Welcome, ada.'),
    ],
  },
  {
    title: 'A full-screen program, by its screen',
    turns: [
      open('node menu.js', { state: 'waiting', waiting_for: 'key' }, 'Where shall we land?'),
      send(
        'node-2',
        { keys: 'Down Down Down', view: 'diff' },
        { state: 'waiting', waiting_for: 'key' },
        '> Mars',
      ),
      send('node-2', { keys: 'Enter' }, { state: 'exited', exit_code: 0 }, 'We land on Mars.'),
    ],
  },
];

export const isThere = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Why a result is not what the step is to show; undefined where it is. */
export const mismatch = (
  { expects, says }: DemoTurn,
  found: Readonly<Record<string, unknown>>,
): string | undefined => {
  for (const [name, value] of Object.entries(expects)) {
    if (found[name] !== value)
      return `${name} is ${JSON.stringify(found[name])} and should be ${JSON.stringify(value)}`;
  }
  if (says !== undefined && !String(found.output).includes(says))
    return `the output should have ${JSON.stringify(says)} in it`;
  return undefined;
};
