/** Runs the built command line with the test's own daemon. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type OwnDaemon, ownDaemon } from '../daemon/own-daemon.ts';
import { folderWith } from '../temporary-folder.ts';

export const MAIN = join(import.meta.dirname, '../../../dist/cli/main.js');

/** A folder for the PATH with `repartee` in it, as if it were installed, and these files. */
export const folderWithCli = (files: Readonly<Record<string, string>> = {}): string =>
  folderWith({ ...files, repartee: `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n` });

export interface CliResult {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the command.
  json: any;
}

export interface OwnCli {
  daemon: OwnDaemon;
  env: NodeJS.ProcessEnv;
  run(...args: string[]): Promise<CliResult>;
  runWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<CliResult>;
}

export const ownCli = (): OwnCli => {
  const daemon = ownDaemon();
  const env = { ...process.env, ...daemon.env, SHELL: '/bin/bash', NO_COLOR: '1' };
  return {
    daemon,
    env,
    run: (...args) => runMain(args, env),
    runWith: (extraEnv, ...args) => runMain(args, { ...env, ...extraEnv }),
  };
};

const runMain = (args: readonly string[], env: NodeJS.ProcessEnv): Promise<CliResult> =>
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
