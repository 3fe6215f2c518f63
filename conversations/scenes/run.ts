/** Runs what a scene needs before its program can start. */
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

const PATH = '/usr/bin:/bin:/usr/sbin:/sbin';
/** Making a scene takes at most this long, also on a busy machine. */
const LIMIT_MS = 40_000;

export const isRoot = process.getuid?.() === 0;

export interface RunOptions {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** What the program printed; rejects with its complaint if it fails. */
export const run = async (
  program: string,
  args: readonly string[],
  { cwd = '/', env = {} }: RunOptions = {},
): Promise<string> => {
  const options = { cwd, env: { PATH, LANG: 'C.UTF-8', ...env }, timeout: LIMIT_MS };
  const { stdout } = await promisify(execFile)(program, [...args], options);
  return stdout;
};

/** Waits until the condition holds. */
export const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
  const deadline = performance.now() + LIMIT_MS;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${LIMIT_MS} ms: ${what}`);
    await delay(5);
  }
};
