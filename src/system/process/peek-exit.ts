/** How a child has ended, without reaping it: so that it can be written down before it is gone. */
import { CLD_EXITED, P_PID, SIGINFO_LAYOUT, WEXITED, WNOHANG, WNOWAIT } from '../constants.ts';
import { libc } from '../libc.ts';
import type { Exit } from './reaper.ts';
import { signalName } from './signals.ts';

/** Undefined while it runs, and for a process that is not our child. */
export const peekExit = (pid: number): Exit | undefined => {
  const info = Buffer.alloc(SIGINFO_LAYOUT.bytes);
  if (libc().waitid(P_PID, pid, info, WEXITED | WNOHANG | WNOWAIT) !== 0) return undefined;
  if (info.readInt32LE(SIGINFO_LAYOUT.pid) !== pid) return undefined;
  const status = info.readInt32LE(SIGINFO_LAYOUT.status);
  return info.readInt32LE(SIGINFO_LAYOUT.code) === CLD_EXITED
    ? { code: status }
    : { signal: signalName(status) };
};
