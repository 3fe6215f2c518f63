/** Who holds the lock, and so is the daemon: from /proc, since one that is stuck cannot be asked. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Undefined where nobody holds it, or where it cannot be told. */
export const lockOwner = (lock: string): number | undefined => {
  try {
    const { ino } = lstatSync(lock);
    // The number of the device is not compared: some file systems tell stat(2) another one.
    const ours = new RegExp(String.raw`FLOCK .* (\d+) \S+:${ino} `, 'g');
    const pids = readFileSync('/proc/locks', 'utf8').matchAll(ours);
    return [...pids].map(([, pid]) => Number(pid)).find((pid) => hasOpen(pid, lock));
  } catch {
    // It ends just now, or /proc is not to be read: it was only to be said in passing.
    return undefined;
  }
};

const hasOpen = (pid: number, path: string): boolean => {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).some((fd) => readlinkSync(`${folder}/${fd}`) === path);
};
