/**
 * Programs that relay a terminal: sudo, script, expect, screen. They always wait for our terminal, so
 * the terminal they made must be observed instead.
 */
import { closeSync, openSync } from 'node:fs';
import { O_NOCTTY, O_NONBLOCK, O_RDWR } from '../constants.ts';
import { hasBytesToRead, withDescriptorOf } from '../descriptors.ts';
import { descriptorLinkOf, descriptorsOf, ptyIndexOf } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { readLineMode } from '../terminal/pty-device.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { foregroundGroupOnTerminal } from './process-groups.ts';

/** UNIX98_PTY_SLAVE_MAJOR: /dev/pts/N is the device 136:N. */
const PTS_MAJOR = 136;
const deviceOf = (index: number) => (PTS_MAJOR << 8) | (index & 0xff) | ((index & ~0xff) << 12);

/**
 * The terminals whose masters a process holds. Empty: it is not a relay. 'blind': it is one, or may be
 * one, and the programs behind it cannot be seen.
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
    const subject = nestedSubject(proc, pid, Number(fd), index);
    if (subject === undefined) return 'blind';
    found.push(subject);
  }
  return found;
};

const nestedSubject = (
  proc: ProcReader,
  relay: number,
  master: number,
  index: number,
): ObservedTerminal | undefined => {
  const device = deviceOf(index);
  if (foregroundGroupOnTerminal(proc, relay, device) === undefined) return undefined;
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
  const mode = ask<ReturnType<typeof readLineMode> | undefined>(readLineMode, undefined);
  const hasUnreadOutput = () => withDescriptorOf(relay, master, hasBytesToRead);
  if (mode === undefined || hasUnreadOutput() === undefined) return undefined;
  return {
    pid: relay,
    device,
    get foregroundGroup() {
      return foregroundGroupOnTerminal(proc, relay, device);
    },
    lineMode: mode,
    get hasUnreadInput() {
      return ask(hasBytesToRead, true);
    },
    // The kernel carries output to the master in its own time: the relay may sleep on meanwhile.
    get hasUnreadOutput() {
      return hasUnreadOutput() ?? true;
    },
  };
};
