/** The command line as built, with a daemon of the test's own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type OwnDaemon, ownDaemon } from '../daemon/own-daemon.ts';

export const MAIN = join(import.meta.dirname, '../../../dist/cli/main.js');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
  /** What it printed, as data. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the command prints.
  json: any;
}

export interface OwnCli {
  daemon: OwnDaemon;
  env: NodeJS.ProcessEnv;
  run(...args: string[]): Promise<Ran>;
  runWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ran>;
}

export const ownCli = (): OwnCli => {
  const daemon = ownDaemon();
  const env = { ...process.env, ...daemon.env, SHELL: '/bin/bash', NO_COLOR: '1' };
  return {
    daemon,
    env,
    run: (...args) => runMain(args, env),
    runWith: (more, ...args) => runMain(args, { ...env, ...more }),
  };
};

const runMain = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [MAIN, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({
        code,
        stdout,
        stderr,
        get json() {
          return JSON.parse(stdout);
        },
      });
    });
  });
