/**
 * All ways in which we read /proc, as an interface, so that a test can replace it.
 *
 * A process may end between any two reads, so `gone` is an ordinary answer. `denied` means that we do
 * not know, never "no": a setuid program hides from an ordinary user what it does.
 */
import { closeSync, openSync, readdirSync, readlinkSync, readSync, statSync } from 'node:fs';

export type ProcMissingReason = 'gone' | 'denied';
export type ProcAnswer<T> = { value: T; missing?: undefined } | { missing: ProcMissingReason };

export interface ProcReader {
  read(path: string): ProcAnswer<string>;
  /** Reads a file of short entries and keeps it open, because it will soon be read again. */
  readKept(path: string): ProcAnswer<string>;
  list(path: string): ProcAnswer<string[]>;
  link(path: string): ProcAnswer<string>;
  /** The device that a path such as /proc/7/fd/0 names. Its number is 0 if the file is no device. */
  device(path: string): ProcAnswer<NamedDevice>;
  memory(pid: number, address: bigint, bytes: number): ProcAnswer<Buffer>;
  /** Whether a process group has members. `denied` if all of them belong to another user. */
  group(group: number): ProcAnswer<true>;
}

export interface NamedDevice {
  number: number;
  /** The number of the file system with its name: a container has terminals of the same numbers as ours. */
  fileSystem: number;
}

/** Reading the memory of a process that is ending fails with EIO or EFAULT. */
const GONE_ERRORS = ['ENOENT', 'ESRCH', 'ENOTDIR', 'EINVAL', 'EIO', 'EFAULT'];

const toAnswer = <T>(read: () => T): ProcAnswer<T> => {
  try {
    return { value: read() };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EACCES', 'EPERM'].includes(code)) return { missing: 'denied' };
    if (GONE_ERRORS.includes(code)) return { missing: 'gone' };
    // For example, we have run out of descriptors. Then neither `gone` nor `denied` would be true.
    throw error;
  }
};

const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** One read gives all of them, if the buffer is large enough. Files with many entries come in pieces. */
const GIVEN_AT_ONCE = /\/(?:stat|status|limits|environ|cmdline)$/;

/** Takes a third of the time of readFileSync. That matters: a verdict needs dozens of reads. */
const readText = (path: string): string => {
  const fd = openSync(path, 'r');
  try {
    let text = '';
    for (;;) {
      const bytes = readSync(fd, readBuffer);
      if (bytes === 0) return text;
      text += readBuffer.toString('latin1', 0, bytes);
      if (bytes < readBuffer.length && GIVEN_AT_ONCE.test(path)) return text;
    }
  } finally {
    closeSync(fd);
  }
};

/**
 * The descriptors of files that are read again and again, by path. Reading an open file takes a third
 * of the time of opening, reading and closing it.
 */
const keptFiles = new Map<string, number>();
const MAX_KEPT_FILES = 1024;
/** Of the descriptors that we may have. */
const MAX_KEPT_SHARE = 1 / 8;
/** The next wait often follows soon after the last one. If none does, the files are closed. */
const IDLE_MS = 1000;
let wasReread = false;
let idleTimer: NodeJS.Timeout | undefined;

/**
 * The kernel gives a file in pieces of up to a page, each of which ends with a whole entry. Where entries
 * are shorter than half a page, a short piece is the last one, which saves a call for most files.
 */
const SHORT_BYTES = 2048;

const readShortEntries = (fd: number): string => {
  let text = '';
  for (let at = 0; ; ) {
    const bytes = readSync(fd, readBuffer, 0, readBuffer.length, at);
    text += readBuffer.toString('latin1', 0, bytes);
    at += bytes;
    if (bytes < SHORT_BYTES) return text;
  }
};

const rereadText = (path: string): string => {
  wasReread = true;
  const kept = keptFiles.get(path);
  const fd = kept ?? keep(path);
  try {
    return readShortEntries(fd);
  } catch (error) {
    keptFiles.delete(path);
    closeSync(fd);
    // The process is gone, and another process may have got its pid, and so this path.
    if (kept !== undefined) return rereadText(path);
    throw error;
  }
};

const maxKeptFiles = (): number =>
  Math.min(MAX_KEPT_FILES, Math.floor(maxDescriptors() * MAX_KEPT_SHARE));

let ownLimit: number | undefined;

/** How many descriptors this process may have. Node raises the limit to the highest when it starts. */
export const maxDescriptors = (): number => {
  ownLimit ??= Number(
    /^Max open files +(\d+)/m.exec(readText('/proc/self/limits'))?.[1] ?? Number.POSITIVE_INFINITY,
  );
  return ownLimit;
};

const keep = (path: string): number => {
  const [oldest] = keptFiles;
  if (oldest !== undefined && keptFiles.size >= maxKeptFiles()) {
    keptFiles.delete(oldest[0]);
    closeSync(oldest[1]);
  }
  const fd = openSync(path, 'r');
  keptFiles.set(path, fd);
  idleTimer ??= setTimeout(closeIfIdle, IDLE_MS).unref();
  return fd;
};

const closeIfIdle = (): void => {
  if (wasReread) idleTimer = setTimeout(closeIfIdle, IDLE_MS).unref();
  else closeKeptProcFiles();
  wasReread = false;
};

export const closeKeptProcFiles = (): void => {
  clearTimeout(idleTimer);
  idleTimer = undefined;
  for (const fd of keptFiles.values()) closeSync(fd);
  keptFiles.clear();
};

export const realProc: ProcReader = {
  read: (path) => toAnswer(() => readText(path)),
  readKept: (path) => toAnswer(() => rereadText(path)),
  list: (path) => toAnswer(() => readdirSync(path)),
  link: (path) => toAnswer(() => readlinkSync(path)),
  device: (path) =>
    toAnswer(() => {
      const { rdev, dev } = statSync(path);
      return { number: rdev, fileSystem: dev };
    }),
  memory: (pid, address, bytes) =>
    toAnswer(() => {
      const buffer = Buffer.alloc(bytes);
      const fd = openSync(`/proc/${pid}/mem`, 'r');
      try {
        readSync(fd, buffer, 0, bytes, address);
      } finally {
        closeSync(fd);
      }
      return buffer;
    }),
  group: (group) => toAnswer(() => process.kill(-group, 0)),
};

/** Reads folders, links and device numbers only once, because descriptors seldom change. */
export const withLinkCache = (proc: ProcReader): ProcReader => {
  const view: ProcReader = {
    read: (path) => proc.read(path),
    readKept: (path) => proc.readKept(path),
    memory: (pid, address, bytes) => proc.memory(pid, address, bytes),
    group: (group) => proc.group(group),
    list: cached((path) => proc.list(path)),
    link: cached((path) => proc.link(path)),
    device: cached((path) => proc.device(path)),
  };
  if (proc === realProc) latest = { view, sinceMs: performance.now() };
  return view;
};

let latest: { view: ProcReader; sinceMs: number } | undefined;
/** An observation of many threads takes more than a millisecond. */
const RECENT_MS = 5;

/** What the last observation has read, if it was a moment ago: an answer follows its verdict at once. */
export const recentProc = (): ProcReader =>
  latest !== undefined && performance.now() - latest.sinceMs < RECENT_MS ? latest.view : realProc;

const cached = <T>(read: (path: string) => T): ((path: string) => T) => {
  const cache = new Map<string, T>();
  return (path) => {
    const known = cache.get(path);
    if (known !== undefined) return known;
    const answer = read(path);
    cache.set(path, answer);
    return answer;
  };
};
