/** A client in a process of its own, so that it can be killed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';
import type { OwnDaemon } from './own-daemon.ts';

export interface OwnClient {
  process: ChildProcess;
  said: string[];
  says(word: string): Promise<void>;
  kill(): Promise<void>;
}

export const startTalker = ({ env }: OwnDaemon, task: string): OwnClient => {
  const talker = join(import.meta.dirname, 'talker.js');
  const child = spawn(process.execPath, [talker, task], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said: string[] = [];
  child.stdout.on('data', (chunk) => said.push(...String(chunk).trim().split('\n')));
  const client: OwnClient = {
    process: child,
    said,
    says: (word) => until(`the client says "${word}"`, () => said.includes(word)),
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
