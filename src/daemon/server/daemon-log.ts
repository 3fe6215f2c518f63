/** The daemon's log: what the daemon did. Nothing that sessions print or that is typed into them. */
import { renameSync, statSync } from 'node:fs';
import { writePrivateFile } from '../../system/files/private-files.ts';

/** This file and the one before it are enough to see what happened last. */
const MAX_BYTES = 2 ** 20;

export class DaemonLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  write(line: string): void {
    const entry = `${new Date().toISOString()} [${process.pid}] ${line}\n`;
    try {
      rotateDaemonLog(this.#path);
      writePrivateFile(this.#path, entry, 'a');
    } catch {
      // The disk is full, or the folder was deleted. The sessions must go on without a log.
    }
  }
}

/** Also called before the daemon is started, because Node's own output goes to the same file. */
export const rotateDaemonLog = (path: string): void => {
  const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (size > MAX_BYTES) renameSync(path, `${path}.1`);
};
