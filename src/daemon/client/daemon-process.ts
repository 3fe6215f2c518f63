/** Which process the daemon is, when it cannot be asked. */
import { findLockOwner } from '../../system/files/lock-owner.ts';
import { readProcessStat } from '../../system/proc/process-stat.ts';
import { descendantPids } from '../../system/process/process-tree.ts';
import { DAEMON_NAME } from '../protocol/daemon-paths.ts';

/** Undefined if it does not run, or if the system does not say. */
export const findDaemonProcess = (lock: string): number | undefined => {
  const owner = findLockOwner(lock);
  if (owner === undefined) return undefined;
  // The lock is the keeper's, if there is one.
  const isDaemon = (pid: number) => {
    const stat = readProcessStat(pid);
    return stat?.name === DAEMON_NAME && stat.parent === owner;
  };
  return descendantPids(owner).find(isDaemon) ?? owner;
};
