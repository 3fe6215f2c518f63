/** The daemon's log: what it did, for whoever wonders later. Nothing of what sessions say or get. */
import { appendFileSync, chmodSync, existsSync, renameSync, statSync } from 'node:fs';

/** One file of this size and one before it are enough to see what happened last. */
const MOST_BYTES = 2 ** 20;

export class Log {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  write(line: string): void {
    const entry = `${new Date().toISOString()} [${process.pid}] ${line}\n`;
    try {
      makeRoom(this.#path);
      appendFileSync(this.#path, entry, { mode: 0o600 });
    } catch {
      // The disk is full, or somebody has erased the folder. Sessions are worth more than their log.
    }
  }
}

/** Also before the daemon is started, since what Node itself says of its end goes to the same file. */
export const makeRoom = (path: string): void => {
  if (!existsSync(path)) return;
  const { size, mode } = statSync(path);
  if ((mode & 0o077) !== 0) chmodSync(path, 0o600);
  if (size > MOST_BYTES) renameSync(path, `${path}.1`);
};
