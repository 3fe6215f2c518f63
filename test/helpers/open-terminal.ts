import { readdirSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { readProcessStat } from '../../src/system/proc/process-stat.ts';
import { openPty, type Pty, type PtyOptions } from '../../src/system/terminal/pty.ts';
import { until } from './until.ts';

export const env = { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', TERM: 'xterm-256color', PS1: '$ ' };

export interface TestTerminal {
  pty: Pty;
  /** All output so far. */
  text(): string;
  /** Waits until the output matches. */
  see(pattern: RegExp): Promise<void>;
}

/** A terminal that is closed when the test is over. */
export const open = async (
  program: string,
  args: readonly string[] = [],
  options: Partial<PtyOptions> = {},
): Promise<TestTerminal> => {
  let output = '';
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString('latin1');
  };
  const pty = await openPty({
    program,
    args,
    cwd: '/',
    env,
    cols: 80,
    rows: 24,
    onOutput,
    ...options,
  });
  onTestFinished(async () => {
    await pty.close({ graceMs: 0, force: true });
  });
  return {
    pty,
    text: () => output,
    see: (pattern) => until(`output matching ${pattern}`, () => pattern.test(output)),
  };
};

/** A shell command on a terminal. */
export const sh = (command: string, options: Partial<PtyOptions> = {}): Promise<TestTerminal> =>
  open('/bin/sh', ['-c', command], options);

/** A zombie runs no more; it is its parent who has not looked. */
export const isRunning = (pid: number): boolean => (readProcessStat(pid)?.state ?? 'Z') !== 'Z';

export const openDescriptors = (): number => readdirSync('/proc/self/fd').length;
