/** The descriptors of a process, and the files they refer to. */
import { statSync } from 'node:fs';
import { O_NONBLOCK } from '../constants.ts';
import { type ProcAnswer, type ProcReader, realProc } from './proc.ts';

/** A terminal or a pipe, as the processes that hold it see it. */
export interface OpenFileId {
  /** The target of the link in /proc/PID/fd, such as "/dev/pts/3". */
  link: string;
  /** Device and inode, because a container has a /dev/pts/3 of its own. Only they differ. */
  dev: number;
  ino: number;
}

export const descriptorsOf = (pid: number, proc: ProcReader = realProc): ProcAnswer<string[]> =>
  proc.list(`/proc/${pid}/fd`);

/** The file that a descriptor refers to: "/dev/pts/3", "pipe:[4711]", "socket:[4712]". */
export const descriptorLinkOf = (
  pid: number,
  fd: number | string,
  proc: ProcReader = realProc,
): ProcAnswer<string> => proc.link(`/proc/${pid}/fd/${fd}`);

/** The links of all descriptors whose link can be read. */
export const descriptorLinksOf = (pid: number, proc: ProcReader = realProc): string[] => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return [];
  return fds.value.flatMap((fd) => {
    const link = descriptorLinkOf(pid, fd, proc);
    return link.missing ? [] : link.value;
  });
};

/** The links of these descriptors, '' for one that cannot be read. */
export const descriptorLinksAt = (
  pid: number,
  fds: readonly number[],
  proc: ProcReader,
): string[] =>
  fds.map((fd) => {
    const link = descriptorLinkOf(pid, fd, proc);
    return link.missing ? '' : link.value;
  });

/** The link of a descriptor that tells of changes of files. */
export const INOTIFY = 'anon_inode:inotify';

/** Undefined if the link is not that of a socket. */
export const socketInodeOf = (link: string): number | undefined => {
  const number = /^socket:\[(\d+)\]$/.exec(link)?.[1];
  return number === undefined ? undefined : Number(number);
};

/** The device number (major 5, minor 0) of /dev/tty, which means a process's controlling terminal. */
const DEV_TTY = 0x500;

/** What tells a terminal from all others. Its device number alone does not: each container counts anew. */
export interface TerminalId {
  /** The device number of the slave. */
  readonly device: number;
  /** The number of the file system that has its name. Undefined: any. */
  readonly fileSystem?: number | undefined;
  /** The process session whose controlling terminal it is. */
  readonly session: number | undefined;
  /** No terminal, but a pipe that is read in its place: the link of its descriptors. */
  readonly pipe?: string;
}

/** Whether a descriptor is this terminal, by its own name or as /dev/tty. */
export const isDescriptorTerminal = (
  { pid, session }: { pid: number; session: number },
  fd: number,
  terminal: TerminalId,
  proc: ProcReader,
): boolean => {
  // We check the link first. Calling stat on any file that a program reads could block on a dead
  // network disk.
  const link = descriptorLinkOf(pid, fd, proc);
  if (terminal.pipe !== undefined) return !link.missing && link.value === terminal.pipe;
  if (link.missing || !/^\/(dev\/|\d+$)/.test(link.value)) return false;
  const answer = proc.device(`/proc/${pid}/fd/${fd}`);
  if (answer.missing) return false;
  const { number, fileSystem } = answer.value;
  if (number === DEV_TTY) return session === terminal.session;
  return number === terminal.device && fileSystem === (terminal.fileSystem ?? fileSystem);
};

export interface EpollTarget {
  fd: number;
  events: number;
}

/** The descriptors that an epoll descriptor waits for. */
export const epollTargetsOf = (
  pid: number,
  fd: number,
  proc: ProcReader,
): ProcAnswer<EpollTarget[]> => {
  const info = proc.readKept(`/proc/${pid}/fdinfo/${fd}`);
  if (info.missing) return info;
  const targets = info.value.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm);
  return {
    value: [...targets].map(([, target, events]) => ({
      fd: Number(target),
      events: Number.parseInt(events!, 16),
    })),
  };
};

const O_ASYNC = 0o20000;

/** Whether the process gets a signal when the descriptor becomes readable. */
export const sendsSignals = (pid: number, fd: number | string, proc: ProcReader): boolean =>
  (openFlagsOf(pid, fd, proc) & O_ASYNC) !== 0;

/** Whether a read of it returns at once, with or without input. */
export const isNonblocking = (pid: number, fd: number | string, proc: ProcReader): boolean =>
  (openFlagsOf(pid, fd, proc) & O_NONBLOCK) !== 0;

/** The flags in fdinfo are octal. */
const openFlagsOf = (pid: number, fd: number | string, proc: ProcReader): number => {
  const info = proc.readKept(`/proc/${pid}/fdinfo/${fd}`);
  const flags = info.missing ? undefined : /^flags:\s*([0-7]+)/m.exec(info.value)?.[1];
  return Number.parseInt(flags ?? '0', 8);
};

/** What tells an eventfd from all others. Old kernels do not show it. */
export const eventIdOf = (
  pid: number,
  fd: number | string,
  proc: ProcReader,
): string | undefined => {
  const info = proc.readKept(`/proc/${pid}/fdinfo/${fd}`);
  return info.missing ? undefined : /^eventfd-id:.*$/m.exec(info.value)?.[0];
};

/** Whether a timerfd will expire: the line `it_value: (seconds, nanoseconds)` has the time that is left. */
export const isTimerArmed = (pid: number, fd: number, proc: ProcReader): boolean => {
  const info = proc.readKept(`/proc/${pid}/fdinfo/${fd}`);
  return info.missing !== undefined || !/^it_value: \(0, 0\)$/m.test(info.value);
};

/** Whether the process has this file open. */
export const hasFileOpen = (pid: number, { link, dev, ino }: OpenFileId): boolean => {
  const fds = descriptorsOf(pid);
  if (fds.missing) return false;
  return fds.value.some((fd) => {
    // We check the link first. Calling stat on any file that a process holds could block on a dead
    // network disk.
    const target = descriptorLinkOf(pid, fd);
    if (target.missing || target.value !== link) return false;
    const stat = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
    return stat?.dev === dev && stat.ino === ino;
  });
};
