/** Commands of the manual, typed by Ada: `sh` blocks must succeed, `console` blocks show what is printed. */
import { spawn } from 'node:child_process';
import { expect } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { until } from '../helpers/until.ts';
import { servesTools } from './configurations.ts';
import { at, type Block } from './pages.ts';
import { expectShown } from './shown.ts';
import type { World } from './world.ts';

export const isShell = ({ language }: Block): boolean =>
  language === 'sh' || language === 'console';

/** For a program to start while others have the processors. */
const PATIENCE_MS = 30_000;

interface Step {
  line: string;
  /** Absent where the page does not say. */
  shown?: string;
}

export const runShell = async (block: Block, world: World): Promise<void> => {
  const steps = block.language === 'sh' ? lines(block) : dialogue(block);
  for (const step of steps) await run(step, world, at(block));
};

const lines = ({ text }: Block): Step[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      // A comment that says what is printed.
      const shown = /#.*\bprints (\S+)$/.exec(line)?.[1];
      return shown === undefined ? { line } : { line, shown: `${shown}\n…` };
    });

const dialogue = ({ text }: Block): Step[] =>
  text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const end = step.indexOf('\n');
      return { line: step.slice(0, end), shown: step.slice(end + 1) };
    });

const run = async ({ line, shown }: Step, world: World, where: string): Promise<void> => {
  const command = line.replace(/\s+#.*$/, '');
  if (/^repartee mcp\b.*--http/.test(command)) return servesHttp(command, shown, world, where);
  if (/^repartee mcp\b/.test(command)) return servesTools(command.split(' '), world, where);
  if (/^repartee attach\b/.test(command)) return attaches(command, world, where);
  if (/^repartee view\b/.test(command)) return views(command, world, where);
  const { code, output } = await world.shell(line);
  if (shown === undefined) expect(code, `${where}: ${line}\n${output}`).toBe(0);
  else expectShown(world.told(output), shown, `${where}: ${line}`);
};

/** In a terminal, until the session is to be seen there; then as the page says, Ctrl-\ d. */
const attaches = async (command: string, { env, home }: World, where: string): Promise<void> => {
  await using own = new LocalSessions();
  await own.open({ name: 'ada', command, cwd: home, env, timeoutMs: 0 });
  // Not by a match: the prompt may have been there before we wait.
  const isShown = async () =>
    />>>\s+py \| python3 waiting for a line/.test(
      (await own.read('ada', { view: 'screen' })).output,
    );
  await until(`${where}: it shows the session`, isShown, PATIENCE_MS);
  const left = await own.send('ada', { keys: 'C-\\ d', until: 'exit' });
  expect(left.exitCode, where).toBe(0);
};

/** In a terminal, until its links are printed; then as the page says, Ctrl-C. */
const views = async (command: string, { env, home }: World, where: string): Promise<void> => {
  await using own = new LocalSessions();
  const freePort = command.replace(/--port \d+/, '--port 0');
  await own.open({ name: 'ada', command: freePort, cwd: home, env, timeoutMs: 0 });
  const isServing = async () =>
    (await own.read('ada', { view: 'screen' })).output.includes('Ctrl-C ends the viewer');
  await until(`${where}: it serves`, isServing, PATIENCE_MS);
  const left = await own.send('ada', { keys: 'C-c', until: 'exit' });
  expect(left.exitCode, where).toBe(0);
};

/** On a port that is free here, whatever the page's reader has. */
const servesHttp = async (
  command: string,
  shown = '',
  { env, home, told }: World,
  where: string,
): Promise<void> => {
  const [program, ...args] = command.replace(/(--http (?:\S+:)?)\d+/, '$10').split(' ');
  const server = spawn(program!, args, { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => server.once('close', resolve));
  let printed = '';
  server.stderr.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    const expected = shown.trimEnd().split('\n').length;
    await until(`${where}: it serves`, () => printed.split('\n').length > expected, PATIENCE_MS);
    expectShown(told(printed), shown, where);
  } finally {
    server.kill();
    await ended;
  }
};
