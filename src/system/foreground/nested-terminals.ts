/**
 * Programs that open a terminal of their own and relay it to ours: sudo, script, expect, screen. They
 * always wait for our terminal, so the terminal they opened must be observed instead.
 *
 * Everything is asked of a copy of the relay's own master. A name such as /dev/pts/3 would be wrong:
 * inside a container it is another terminal than outside.
 *
 * A slave is opened only if some program has it: when the last one closes it, its master is hung up. A
 * relay that has not started its program yet, screen for example, would take it for ended.
 */
import { fstatSync } from 'node:fs';
import { O_NOCTTY, O_NONBLOCK, O_RDWR, TIOCGPTPEER, TIOCGSID } from '../constants.ts';
import { isDescriptorReadable, withDescriptorOf } from '../descriptors.ts';
import { libc } from '../libc.ts';
import { descriptorLinkOf, descriptorsOf, type TerminalId } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { readLineMode } from '../terminal/pty-device.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';

/**
 * The terminals whose masters a process holds, without ours. The list is empty if the process is not a
 * relay. The result is 'blind' if it is a relay, or may be one, and we cannot see the programs behind it.
 */
export const nestedTerminals = (
  proc: ProcReader,
  pid: number,
  ours: TerminalId,
): ObservedTerminal[] | 'blind' => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return fds.missing === 'denied' ? 'blind' : [];
  const found: ObservedTerminal[] = [];
  for (const fd of fds.value) {
    const link = descriptorLinkOf(pid, fd, proc);
    if (link.missing || !link.value.endsWith('ptmx')) continue;
    const master: MasterOf = { relay: pid, fd: Number(fd) };
    const session = ask(master, sessionOf);
    if (session === undefined) return 'blind';
    const slave = ask(master, (copy) => withSlave(copy, (peer) => fstatSync(peer)));
    if (slave?.rdev === ours.device && slave.dev === ours.fileSystem) continue;
    const terminal = slave && nestedTerminal(master, session, slave);
    if (terminal === undefined) return 'blind';
    found.push(terminal);
  }
  return found;
};

interface MasterOf {
  relay: number;
  fd: number;
}

const ask = <T>({ relay, fd }: MasterOf, question: (copy: number) => T): T | undefined =>
  withDescriptorOf(relay, fd, question);

/** Undefined if it cannot be seen, or if it is the terminal of no program. */
const nestedTerminal = (
  master: MasterOf,
  session: number,
  { rdev, dev }: { rdev: number; dev: number },
): ObservedTerminal | undefined => {
  const lineMode = ask(master, readLineMode);
  if (lineMode === undefined) return undefined;
  return {
    pid: master.relay,
    master: master.fd,
    device: rdev,
    fileSystem: dev,
    session,
    get foregroundGroup() {
      const group = ask(master, (copy) => libc().tcgetpgrp(copy)) ?? 0;
      return group > 0 ? group : undefined;
    },
    lineMode,
    get hasUnreadInput() {
      return ask(master, (copy) => withSlave(copy, isDescriptorReadable)) ?? true;
    },
    // The kernel moves output to the master with some delay, and the relay may still sleep meanwhile.
    get hasUnreadOutput() {
      return ask(master, isDescriptorReadable) ?? true;
    },
  };
};

const withSlave = <T>(master: number, use: (slave: number) => T): T | undefined => {
  const { ioctlWithNumber, close } = libc();
  const slave = ioctlWithNumber(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (slave < 0) return undefined;
  try {
    return use(slave);
  } finally {
    close(slave);
  }
};

/** Undefined if it is nobody's controlling terminal, or that of a process that we cannot see. */
const sessionOf = (master: number): number | undefined => {
  const session = askNumber(master, TIOCGSID);
  return session !== undefined && session > 0 ? session : undefined;
};

const askNumber = (master: number, request: number): number | undefined => {
  const number = new Int32Array(1);
  const result = libc().ioctl(master, request, new Uint8Array(number.buffer));
  return result < 0 ? undefined : number[0];
};
