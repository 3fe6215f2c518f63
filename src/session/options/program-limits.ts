/** Limits on what runs inside a session, set before its program starts so that nothing escapes them. */
import type { ProgramLimits } from './options.ts';

const flags = {
  cpuSeconds: 'cpu',
  memoryBytes: 'as',
  processes: 'nproc',
  fileBytes: 'fsize',
} as const;

/**
 * The command under prlimit(1) and nice(1), which set the limits and become the program: a limit set
 * from outside would come after its first fork.
 */
export const withLimits = (
  command: readonly string[],
  { nice, ...limits }: ProgramLimits,
): readonly string[] => {
  const set = Object.entries(limits).filter(([, value]) => value !== undefined);
  const prlimit = set.map(([name, value]) => `--${flags[name as keyof typeof flags]}=${value}`);
  return [
    ...(prlimit.length > 0 ? ['prlimit', ...prlimit, '--'] : []),
    ...(nice === undefined ? [] : ['nice', '-n', String(nice), '--']),
    ...command,
  ];
};
