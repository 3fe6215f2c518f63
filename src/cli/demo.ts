/** A raw conversation with a shell: what is typed, and every byte that comes back. */
import { setTimeout as delay } from 'node:timers/promises';
import { openPty } from '../pty/pty.ts';
import type { Command } from './command.ts';

const PROMPT = 'demo> ';
/** A line to type once the output ends like this. */
const turns: [when: string, line: string][] = [
  [PROMPT, 'tty; stty size'],
  [PROMPT, 'printf "Your name: "; read name'],
  ['Your name: ', 'Ada'],
  [PROMPT, 'echo "Hello, $name."; (sleep 0.2; echo "still here after the exit") & exit 7'],
];
const LIMIT_MS = 10_000;

const demo = async (): Promise<void> => {
  let output = '';
  const started = performance.now();
  const pty = await openPty({
    program: '/bin/sh',
    args: [],
    cwd: '/',
    env: { PATH: process.env.PATH, PS1: PROMPT, TERM: 'dumb' },
    cols: 80,
    rows: 24,
    onOutput(chunk) {
      const text = chunk.toString();
      output += text;
      process.stdout.write(text);
    },
  });
  try {
    for (const [when, line] of turns) {
      while (!output.endsWith(when)) {
        if (performance.now() - started > LIMIT_MS) {
          throw new Error(`The shell never said "${when}".`);
        }
        await delay(1);
      }
      output = '';
      await pty.write(`${line}\r`);
    }
    const { code } = await pty.exited;
    await pty.ended;
    const tookMs = Math.round(performance.now() - started);
    console.log(`[the shell exited with code ${code}; ${tookMs} ms in all, nothing lost]`);
  } finally {
    await pty.close();
  }
};

export const command: Command = {
  name: 'demo',
  summary: 'a raw conversation with a shell',
  usage: '',
  async run() {
    await demo();
    return 0;
  },
};
