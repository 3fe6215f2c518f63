/**
 * Programs that relay a terminal: sudo, script, expect, screen. They always wait for our terminal, so
 * the terminal they made must be observed instead.
 */
import { closeSync, openSync } from 'node:fs';
import { O_NOCTTY, O_NONBLOCK, O_RDWR } from '../constants.ts';
import { askForeign, isReadable } from '../descriptors.ts';
import { descriptorsOf, linkOf, ptyIndexOf } from '../proc/descriptor-info.ts';
import type { Proc } from '../proc/proc.ts';
import { lineMode } from '../terminal/device.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { foregroundGroupOf } from './process-groups.ts';

/** UNIX98_PTY_SLAVE_MAJOR: /dev/pts/N is the device 136:N. */
const PTS_MAJOR = 136;
const deviceOf = (index: number) => (PTS_MAJOR << 8) | (index & 0xff) | ((index & ~0xff) << 12);

/**
 * The terminals whose masters a process holds. Empty: it is not a relay. 'blind': it is one, or may be
 * one, and the programs behind it cannot be seen.
 */
export const nestedTerminals = (
  proc: Proc,
  pid: number,
  ours: number,
): ObservedTerminal[] | 'blind' => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return fds.missing === 'denied' ? 'blind' : [];
  const found: ObservedTerminal[] = [];
  for (const fd of fds.value) {
    const link = linkOf(pid, fd, proc);
    if (link.missing || !link.value.endsWith('ptmx')) continue;
    const index = ptyIndexOf(pid, fd, proc);
    if (index === undefined) return 'blind';
    if (deviceOf(index) === ours) continue;
    const subject = nestedSubject(proc, pid, Number(fd), index);
    if (subject === undefined) return 'blind';
    found.push(subject);
  }
  return found;
};

const nestedSubject = (
  proc: Proc,
  relay: number,
  master: number,
  index: number,
): ObservedTerminal | undefined => {
  const device = deviceOf(index);
  if (foregroundGroupOf(proc, relay, device) === undefined) return undefined;
  const ask = <T>(question: (slave: number) => T, otherwise: T): T => {
    try {
      const slave = openSync(`/dev/pts/${index}`, O_RDWR | O_NOCTTY | O_NONBLOCK);
      try {
        return question(slave);
      } finally {
        closeSync(slave);
      }
    } catch {
      // Gone meanwhile, or not ours to open.
      return otherwise;
    }
  };
  const mode = ask<ReturnType<typeof lineMode> | undefined>(lineMode, undefined);
  const hasUnreadOutput = () => askForeign(relay, master, isReadable);
  if (mode === undefined || hasUnreadOutput() === undefined) return undefined;
  return {
    pid: relay,
    device,
    get foregroundGroup() {
      return foregroundGroupOf(proc, relay, device);
    },
    lineMode: mode,
    get hasUnreadInput() {
      return ask(isReadable, true);
    },
    // The kernel carries output to the master in its own time: the relay may sleep on meanwhile.
    get hasUnreadOutput() {
      return hasUnreadOutput() ?? true;
    },
  };
};
