/** The limit of a process on file locks, which the kernel ignores. */
import { type ProcReader, realProc } from './proc.ts';

/** Infinity if there is none. */
export interface LockLimits {
  soft: number;
  hard: number;
}

/** Undefined if the process is gone. Every user can read those of every process. */
export const lockLimitsOf = (pid: number, proc: ProcReader = realProc): LockLimits | undefined => {
  const limits = proc.read(`/proc/${pid}/limits`);
  if (limits.missing) return undefined;
  const [, soft, hard] = /^Max file locks +(\w+) +(\w+)/m.exec(limits.value) ?? [];
  return soft === undefined ? undefined : { soft: asNumber(soft), hard: asNumber(hard!) };
};

const asNumber = (limit: string): number =>
  limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
