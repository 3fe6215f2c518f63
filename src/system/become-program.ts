/**
 * Executes another program in place of this one: execve(2). The process stays, with its pid, its children
 * and the descriptors that are named. Everything else of this program ends.
 *
 * Node resets signals when it starts. What the kernel keeps beside them, and what we change for a moment
 * while a program is being started, is put back before.
 */
import { closeOnExec, keepOnExec } from './descriptors.ts';
import { lastErrnoName, libc } from './libc.ts';
import { inheritableDescriptors } from './proc/own-process.ts';
import { takeOwnMarkOff } from './process/session-mark.ts';
import { restoreOwnUmask } from './process/umask.ts';

/** Node has them closed by execve, and gives them to the programs that it starts by other means. */
const STANDARD_STREAMS = [0, 1, 2];

export interface NextProgram {
  /** A program for this version of Node, and its arguments. */
  command: readonly string[];
  /** Beside the standard streams. */
  descriptors: readonly number[];
}

/** Returns only if it has failed, with the reason. Then this program can go on. */
export const becomeProgram = ({ command, descriptors }: NextProgram): string => {
  for (const fd of inheritableDescriptors()) closeOnExec(fd);
  for (const fd of [...STANDARD_STREAMS, ...descriptors]) keepOnExec(fd);
  restoreOwnUmask();
  takeOwnMarkOff();
  const env = Object.entries(process.env).map(([name, value]) => `${name}=${value}`);
  const { execPath } = process;
  libc().execve(execPath, [execPath, ...command, null], [...env, null]);
  const problem = lastErrnoName();
  for (const fd of [...STANDARD_STREAMS, ...descriptors]) closeOnExec(fd);
  return problem;
};
