/**
 * Limits of the programs in a sandbox, set by prlimit(1) inside it, before the program starts. They hold for
 * each process, except the number of processes: the kernel counts those of the sandbox's user namespace.
 */
import { existsSync } from 'node:fs';
import { SandboxUnavailable } from '../errors.ts';
import type { SandboxLimits } from './profile.ts';

const flags = {
  memoryBytes: '--as',
  processes: '--nproc',
  cpuSeconds: '--cpu',
  fileBytes: '--fsize',
} as const;

/** Not by the PATH of a program: it could name another one, which sets nothing. */
const PRLIMIT = '/usr/bin/prlimit';

/** How limits are held on this machine. */
export const describeLimits = (isRoot = process.getuid?.() === 0): string =>
  isRoot
    ? 'by prlimit, for each process; none on the number of processes, which would not hold for root'
    : 'by prlimit, for each process; on the number of processes for the whole sandbox';

/** What stands before the program. Empty without limits. Throws if one of them would not hold. */
export const limitingCommand = (
  limits: SandboxLimits,
  { isRoot = process.getuid?.() === 0, hasPrlimit = existsSync(PRLIMIT) } = {},
): string[] => {
  const set = Object.entries(flags).flatMap(([name, flag]) => {
    const limit = limits[name as keyof typeof flags];
    return limit === undefined ? [] : `${flag}=${limit}`;
  });
  if (set.length === 0) return [];
  if (limits.processes !== undefined && isRoot)
    throw new SandboxUnavailable(
      'no limit on the number of processes holds for root',
      'Run it as another user, or take `processes` out of the profile',
    );
  if (!hasPrlimit)
    throw new SandboxUnavailable(`there is no ${PRLIMIT} to set limits`, 'Install util-linux');
  return [PRLIMIT, ...set, '--'];
};
