/** A client in its own process, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';
import type { OwnDaemon } from './own-daemon.ts';

export const CLIENT_PROGRAM = join(import.meta.dirname, 'client-program.js');

export interface ClientProcess {
  process: ChildProcess;
  printed: string[];
  waitUntilPrinted(word: string): Promise<void>;
  kill(): Promise<void>;
}

export const startClientProcess = ({ env }: OwnDaemon, task: string): ClientProcess => {
  const child = spawn(process.execPath, [CLIENT_PROGRAM, task], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: string[] = [];
  child.stdout.on('data', (chunk) => printed.push(...String(chunk).trim().split('\n')));
  const client: ClientProcess = {
    process: child,
    printed,
    waitUntilPrinted: (word) => until(`the client prints "${word}"`, () => printed.includes(word)),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await exited;
    },
  };
  onTestFinished(() => client.kill());
  return client;
};
