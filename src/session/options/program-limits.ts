/** Limits for the programs of a session, set before its program starts so that nothing escapes them. */
import type { ProgramLimits } from './options.ts';

const flags = {
  cpuSeconds: 'cpu',
  memoryBytes: 'as',
  processes: 'nproc',
  fileBytes: 'fsize',
} as const;

/**
 * Puts prlimit(1) and nice(1) before the command. They set the limits and then become the program: a
 * limit set from outside could come after its first fork.
 */
export const commandWithLimits = (
  command: readonly string[],
  { nice, ...limits }: ProgramLimits,
): readonly string[] => {
  const args = Object.entries(limits)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `--${flags[name as keyof typeof flags]}=${value}`);
  return [
    ...(args.length > 0 ? ['prlimit', ...args, '--'] : []),
    ...(nice === undefined ? [] : ['nice', '-n', String(nice), '--']),
    ...command,
  ];
};
