/** What /proc says about processes, for tests. */
import { readdirSync, readFileSync } from 'node:fs';
import { isProcessDead, readProcessStat } from '../../../src/system/proc/process-stat.ts';

export const isAlive = (pid: number): boolean => {
  const stat = readProcessStat(pid);
  return stat !== undefined && !isProcessDead(stat);
};

/** Whether a process runs this command line: a process in a sandbox knows itself by another number. */
export const isRunning = (command: string): boolean =>
  readdirSync('/proc')
    .map(Number)
    .some((pid) => pid > 0 && isAlive(pid) && commandLineOf(pid) === command);

const commandLineOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    // It has ended.
    return '';
  }
};

export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The processes that were started with this `NAME=value` in their environment. */
export const processesWith = (variable: string): number[] =>
  readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isAlive(pid) && environOf(pid).includes(variable));

const environOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  } catch {
    // The process has ended, or belongs to another user.
    return [];
  }
};
