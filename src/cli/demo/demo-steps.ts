/** The steps of the demo, as data. */
import { execFileSync } from 'node:child_process';
import { ifDefined } from '../../session/options/if-defined.ts';

export interface DemoTurn {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  /** The fields the result must have. Otherwise the demo prints what is wrong, and fails. */
  expects: Readonly<Record<string, unknown>>;
  /** A part of the expected output. */
  expectedOutput?: string;
}

export interface DemoStep {
  title: string;
  turns: readonly DemoTurn[];
  /** A program: without it, the step is left out. */
  needs?: string;
}

const send = (
  session: string,
  input: DemoTurn['args'],
  expects: DemoTurn['expects'],
  expectedOutput?: string,
): DemoTurn => ({
  tool: 'terminal_send',
  args: { session, ...input },
  expects,
  ...ifDefined('expectedOutput', expectedOutput),
});

const open = (
  command: string,
  expects: DemoTurn['expects'],
  expectedOutput?: string,
): DemoTurn => ({
  tool: 'terminal_open',
  args: { command },
  expects,
  ...ifDefined('expectedOutput', expectedOutput),
});

export const demoSteps: readonly DemoStep[] = [
  {
    title: 'A shell command, and its exit code',
    turns: [
      {
        tool: 'terminal_run',
        args: { command: 'echo Hello from a shell; exit 3' },
        expects: { exit_code: 3 },
        expectedOutput: 'Hello from a shell',
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

export const isProgramInstalled = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Says how a result differs from what is expected. Undefined if it does not. */
export const demoMismatch = (
  { expects, expectedOutput }: DemoTurn,
  result: Readonly<Record<string, unknown>>,
): string | undefined => {
  for (const [name, value] of Object.entries(expects)) {
    if (result[name] !== value)
      return `${name} is ${JSON.stringify(result[name])} and should be ${JSON.stringify(value)}`;
  }
  if (expectedOutput !== undefined && !String(result.output).includes(expectedOutput))
    return `the output should have ${JSON.stringify(expectedOutput)} in it`;
  return undefined;
};
