/**
 * The few ways in which we read /proc, so that a test can answer in its place.
 *
 * A process may end between any two reads: `gone` is an ordinary answer. `denied` is another one, and
 * never means "no": a setuid program hides what it does from an ordinary user.
 */
import { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';

export type ProcMissing = 'gone' | 'denied';
export type ProcAnswer<T> = { value: T; missing?: undefined } | { missing: ProcMissing };

export interface ProcReader {
  read(path: string): ProcAnswer<string>;
  /** The same of a small file that will soon be asked again. */
  readKept(path: string): ProcAnswer<string>;
  list(path: string): ProcAnswer<string[]>;
  link(path: string): ProcAnswer<string>;
  /** The device number behind a path, such as /proc/7/fd/0; 0 for what is no device. */
  device(path: string): ProcAnswer<number>;
  memory(pid: number, address: bigint, bytes: number): ProcAnswer<Buffer>;
  /** Whether a process group has members: `denied` where all of them are another user's. */
  group(group: number): ProcAnswer<true>;
}

/** EIO and EFAULT: the memory of a process that is just ending. */
const GONE = ['ENOENT', 'ESRCH', 'ENOTDIR', 'EINVAL', 'EIO', 'EFAULT'];

const ask = <T>(question: () => T): ProcAnswer<T> => {
  try {
    return { value: question() };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EACCES', 'EPERM'].includes(code)) return { missing: 'denied' };
    if (GONE.includes(code)) return { missing: 'gone' };
    // Out of descriptors, for example: an answer must not be made up.
    throw error;
  }
};

const page = Buffer.allocUnsafeSlow(64 * 1024);

/** A third of what readFileSync takes; a verdict costs dozens of these. */
const readText = (path: string): string => {
  const fd = openSync(path, 'r');
  try {
    let text = '';
    for (let bytes = 1; bytes > 0; ) {
      bytes = readSync(fd, page);
      text += page.toString('latin1', 0, bytes);
    }
    return text;
  } finally {
    closeSync(fd);
  }
};

/** Files that are asked again and again stay open: that takes another two thirds off. */
const kept = new Map<string, number>();
const MOST_KEPT = 256;

const rereadText = (path: string): string => {
  const fd = kept.get(path) ?? keep(path);
  try {
    return page.toString('latin1', 0, readSync(fd, page, 0, page.length, 0));
  } catch (error) {
    // The process is gone, and its number may come again.
    kept.delete(path);
    closeSync(fd);
    throw error;
  }
};

const keep = (path: string): number => {
  const [oldest] = kept;
  if (oldest !== undefined && kept.size >= MOST_KEPT) {
    kept.delete(oldest[0]);
    closeSync(oldest[1]);
  }
  const fd = openSync(path, 'r');
  kept.set(path, fd);
  return fd;
};

/** Call it when no more verdicts are wanted for now. */
export const closeKeptProcFiles = (): void => {
  for (const fd of kept.values()) closeSync(fd);
  kept.clear();
};

export const realProc: ProcReader = {
  read: (path) => ask(() => readText(path)),
  readKept: (path) => ask(() => rereadText(path)),
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
  group: (group) => ask(() => process.kill(-group, 0)),
};

/** The same, with each question about descriptors asked once: what they lead to seldom changes. */
export const withLinkCache = (proc: ProcReader): ProcReader => ({
  read: (path) => proc.read(path),
  readKept: (path) => proc.readKept(path),
  memory: (pid, address, bytes) => proc.memory(pid, address, bytes),
  group: (group) => proc.group(group),
  list: once((path) => proc.list(path)),
  link: once((path) => proc.link(path)),
  device: once((path) => proc.device(path)),
});

const once = <T>(ask: (path: string) => T): ((path: string) => T) => {
  const answers = new Map<string, T>();
  return (path) => {
    const known = answers.get(path);
    if (known !== undefined) return known;
    const answer = ask(path);
    answers.set(path, answer);
    return answer;
  };
};
