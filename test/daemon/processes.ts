import { readdirSync } from 'node:fs';
import { isDead, readStat } from '../../src/pty/process-tree.ts';

export const isAlive = (pid: number): boolean => {
  const stat = readStat(pid);
  return stat !== undefined && !isDead(stat);
};

export const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
