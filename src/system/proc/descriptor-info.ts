/** The descriptors of a process, and the files they refer to. */
import { statSync } from 'node:fs';
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

/** The device number (major 5, minor 0) of /dev/tty, which means a process's controlling terminal. */
const DEV_TTY = 0x500;

/** Whether a descriptor is this terminal, by its own name or as /dev/tty. */
export const isDescriptorTerminal = (
  { pid, terminal }: { pid: number; terminal: number },
  fd: number,
  device: number,
  proc: ProcReader,
): boolean => {
  // We check the link first. Calling stat on any file that a program reads could block on a dead
  // network disk.
  const link = descriptorLinkOf(pid, fd, proc);
  if (link.missing || !/^\/(dev\/|\d+$)/.test(link.value)) return false;
  const answer = proc.device(`/proc/${pid}/fd/${fd}`);
  if (answer.missing) return false;
  return answer.value === device || (answer.value === DEV_TTY && terminal === device);
};

/**
 * The number N of the /dev/pts/N that belongs to a pty master. Undefined if the kernel does not
 * show it.
 */
export const ptyIndexOf = (pid: number, fd: string, proc: ProcReader): number | undefined => {
  const info = proc.read(`/proc/${pid}/fdinfo/${fd}`);
  const index = info.missing ? undefined : /^tty-index:\s*(\d+)/m.exec(info.value)?.[1];
  return index === undefined ? undefined : Number(index);
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
  const info = proc.read(`/proc/${pid}/fdinfo/${fd}`);
  if (info.missing) return info;
  const targets = info.value.matchAll(/^tfd:\s*(\d+) events:\s*([0-9a-f]+)/gm);
  return {
    value: [...targets].map(([, target, events]) => ({
      fd: Number(target),
      events: Number.parseInt(events!, 16),
    })),
  };
};

/** O_ASYNC in the flags of fdinfo, which are octal. */
const SENDS_SIGNALS = 0o20000;

/** Whether the process gets a signal when the descriptor becomes readable. */
export const sendsSignals = (pid: number, fd: number, proc: ProcReader): boolean => {
  const info = proc.read(`/proc/${pid}/fdinfo/${fd}`);
  const flags = info.missing ? undefined : /^flags:\s*([0-7]+)/m.exec(info.value)?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & SENDS_SIGNALS) !== 0;
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
