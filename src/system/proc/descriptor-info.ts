/** Questions about the descriptors of a process: which it has, and what they lead to. */
import { statSync } from 'node:fs';
import { type ProcAnswer, type ProcReader, realProc } from './proc.ts';

/** A terminal or a pipe, as the processes that hold it see it. */
export interface HeldFile {
  /** What a descriptor leads to, such as "/dev/pts/3". */
  link: string;
  /** A container has a /dev/pts/3 of its own: only these tell the two apart. */
  dev: number;
  ino: number;
}

export const descriptorsOf = (pid: number, proc: ProcReader = realProc): ProcAnswer<string[]> =>
  proc.list(`/proc/${pid}/fd`);

/** What a descriptor leads to: "/dev/pts/3", "pipe:[4711]", "socket:[4712]". */
export const descriptorLinkOf = (
  pid: number,
  fd: number | string,
  proc: ProcReader = realProc,
): ProcAnswer<string> => proc.link(`/proc/${pid}/fd/${fd}`);

/** The links of all descriptors that can be read. */
export const descriptorLinksOf = (pid: number, proc: ProcReader = realProc): string[] => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return [];
  return fds.value.flatMap((fd) => {
    const link = descriptorLinkOf(pid, fd, proc);
    return link.missing ? [] : link.value;
  });
};

/** /dev/tty, which stands for a process's own controlling terminal (major 5, minor 0). */
const DEV_TTY = 0x500;

/** Whether a descriptor is this terminal, by its own name or as /dev/tty. */
export const isDescriptorTerminal = (
  { pid, terminal }: { pid: number; terminal: number },
  fd: number,
  device: number,
  proc: ProcReader,
): boolean => {
  // The link first: to ask more of whatever a program reads could block on a dead network disk.
  const link = descriptorLinkOf(pid, fd, proc);
  if (link.missing || !/^\/(dev\/|\d+$)/.test(link.value)) return false;
  const answer = proc.device(`/proc/${pid}/fd/${fd}`);
  if (answer.missing) return false;
  return answer.value === device || (answer.value === DEV_TTY && terminal === device);
};

/** Of a pty master: the number of its terminal. Undefined where the kernel does not say. */
export const ptyIndexOf = (pid: number, fd: string, proc: ProcReader): number | undefined => {
  const info = proc.read(`/proc/${pid}/fdinfo/${fd}`);
  const index = info.missing ? undefined : /^tty-index:\s*(\d+)/m.exec(info.value)?.[1];
  return index === undefined ? undefined : Number(index);
};

export interface EpollTarget {
  fd: number;
  events: number;
}

/** What an epoll descriptor waits for. */
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

/** Whether the process has this very file open. */
export const holdsFile = (pid: number, { link, dev, ino }: HeldFile): boolean => {
  const fds = descriptorsOf(pid);
  if (fds.missing) return false;
  return fds.value.some((fd) => {
    // The link first: to stat whatever a process holds could block on a dead network disk.
    const found = descriptorLinkOf(pid, fd);
    if (found.missing || found.value !== link) return false;
    const stat = statSync(`/proc/${pid}/fd/${fd}`, { throwIfNoEntry: false });
    return stat?.dev === dev && stat.ino === ino;
  });
};
