/** The daemon's log: what it did, for whoever wonders later. Nothing of what sessions say or get. */
import { renameSync, statSync } from 'node:fs';
import { writePrivate } from '../../system/files/private-files.ts';

/** One file of this size and one before it are enough to see what happened last. */
const MOST_BYTES = 2 ** 20;

export class DaemonLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  write(line: string): void {
    const entry = `${new Date().toISOString()} [${process.pid}] ${line}\n`;
    try {
      rotateLog(this.#path);
      writePrivate(this.#path, entry, 'a');
    } catch {
      // The disk is full, or somebody has erased the folder. Sessions are worth more than their log.
    }
  }
}

/** Also before the daemon is started, since what Node itself says of its end goes to the same file. */
export const rotateLog = (path: string): void => {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > MOST_BYTES) renameSync(path, `${path}.1`);
};
