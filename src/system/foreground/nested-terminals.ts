/**
 * Programs that open a terminal of their own and relay it to ours: sudo, script, expect, screen. They
 * always wait for our terminal, so the terminal they opened must be observed instead.
 */
import { closeSync, openSync } from 'node:fs';
import { O_NOCTTY, O_NONBLOCK, O_RDWR } from '../constants.ts';
import { isDescriptorReadable, withDescriptorOf } from '../descriptors.ts';
import { descriptorLinkOf, descriptorsOf, ptyIndexOf } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { readLineMode } from '../terminal/pty-device.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { foregroundGroupOnTerminal } from './process-groups.ts';

/** UNIX98_PTY_SLAVE_MAJOR: /dev/pts/N is the device 136:N. */
const PTS_MAJOR = 136;
const deviceOf = (index: number) => (PTS_MAJOR << 8) | (index & 0xff) | ((index & ~0xff) << 12);

/**
 * The terminals whose masters a process holds. The list is empty if the process is not a relay. The
 * result is 'blind' if it is a relay, or may be one, and we cannot see the programs behind it.
 */
export const nestedTerminals = (
  proc: ProcReader,
  pid: number,
  ours: number,
): ObservedTerminal[] | 'blind' => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return fds.missing === 'denied' ? 'blind' : [];
  const found: ObservedTerminal[] = [];
  for (const fd of fds.value) {
    const link = descriptorLinkOf(pid, fd, proc);
    if (link.missing || !link.value.endsWith('ptmx')) continue;
    const index = ptyIndexOf(pid, fd, proc);
    if (index === undefined) return 'blind';
    if (deviceOf(index) === ours) continue;
    const terminal = nestedTerminal(proc, pid, Number(fd), index);
    if (terminal === undefined) return 'blind';
    found.push(terminal);
  }
  return found;
};

const nestedTerminal = (
  proc: ProcReader,
  relay: number,
  master: number,
  index: number,
): ObservedTerminal | undefined => {
  const device = deviceOf(index);
  if (foregroundGroupOnTerminal(proc, relay, device) === undefined) return undefined;
  const withSlave = <T>(use: (slave: number) => T, fallback: T): T => {
    try {
      const slave = openSync(`/dev/pts/${index}`, O_RDWR | O_NOCTTY | O_NONBLOCK);
      try {
        return use(slave);
      } finally {
        closeSync(slave);
      }
    } catch {
      // The terminal is gone, or we have no permission to open it.
      return fallback;
    }
  };
  const lineMode = withSlave<ReturnType<typeof readLineMode>>(readLineMode, undefined);
  const hasUnreadOutput = () => withDescriptorOf(relay, master, isDescriptorReadable);
  if (lineMode === undefined || hasUnreadOutput() === undefined) return undefined;
  return {
    pid: relay,
    device,
    get foregroundGroup() {
      return foregroundGroupOnTerminal(proc, relay, device);
    },
    lineMode,
    get hasUnreadInput() {
      return withSlave(isDescriptorReadable, true);
    },
    // The kernel moves output to the master with some delay, and the relay may still sleep meanwhile.
    get hasUnreadOutput() {
      return hasUnreadOutput() ?? true;
    },
  };
};
