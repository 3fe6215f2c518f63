/**
 * The few questions we ask /proc, so that a test can answer them.
 *
 * A process may end between any two questions: `gone` is an ordinary answer. `denied` is another
 * one, and never means "no": a setuid program hides what it does from an ordinary user.
 */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  statSync,
} from 'node:fs';

export type Missing = 'gone' | 'denied';
export type Answer<T> = { value: T; missing?: undefined } | { missing: Missing };

export interface Proc {
  read(path: string): Answer<string>;
  list(path: string): Answer<string[]>;
  link(path: string): Answer<string>;
  /** The device number behind a path, such as /proc/7/fd/0; 0 for what is no device. */
  device(path: string): Answer<number>;
  memory(pid: number, address: bigint, bytes: number): Answer<Buffer>;
}

/** EIO and EFAULT: the memory of a process that is just ending. */
const GONE = ['ENOENT', 'ESRCH', 'ENOTDIR', 'EINVAL', 'EIO', 'EFAULT'];

const ask = <T>(question: () => T): Answer<T> => {
  try {
    return { value: question() };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EACCES', 'EPERM'].includes(code)) return { missing: 'denied' };
    if (GONE.includes(code)) return { missing: 'gone' };
    // Out of descriptors, say: an answer must not be made up.
    throw error;
  }
};

export const realProc: Proc = {
  read: (path) => ask(() => readFileSync(path, 'latin1')),
  list: (path) => ask(() => readdirSync(path)),
  link: (path) => ask(() => readlinkSync(path)),
  device: (path) => ask(() => statSync(path).rdev),
  memory: (pid, address, bytes) =>
    ask(() => {
      const buffer = Buffer.alloc(bytes);
      const fd = openSync(`/proc/${pid}/mem`, 'r');
      try {
        readSync(fd, buffer, 0, bytes, address);
      } finally {
        closeSync(fd);
      }
      return buffer;
    }),
};
