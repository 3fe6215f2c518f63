/**
 * A program on a pseudo-terminal of its own.
 */
import { closeSync, fstatSync } from 'node:fs';
import { Channel, newMark, sendSignal } from './channel.ts';
import { MARK } from './closing.ts';
import { isReadable, setNonblocking } from './descriptors.ts';
import {
  type Device,
  type LineMode,
  lineMode,
  openDevice,
  type Size,
  setSize,
  slavePath,
} from './device.ts';
import { type Libc, libc, O_RDWR } from './libc.ts';
import type { Program } from './program.ts';
import { type OnOutput, Reader } from './reader.ts';
import { signalNumber } from './signals.ts';
import { spawn } from './spawn.ts';

export interface PtyOptions extends Program, Size {
  /** Called with every piece of output, in order. The bytes are the callee's to keep. */
  onOutput: OnOutput;
}

/** An open terminal and the process that leads its session, from whoever made them. */
export interface Adopted {
  master: number;
  slave: number;
  pid: number;
  /** The value of REPARTEE_SESSION in the program's environment. */
  mark: string;
}

export const openPty = async (options: PtyOptions): Promise<Pty> => {
  const device = openDevice(options);
  let reader: Reader | undefined;
  try {
    reader = new Reader(device.master, options.onOutput);
    const mark = newMark();
    const env = { ...options.env, [MARK]: mark };
    const pid = await spawn({ ...options, env }, wireTo(device));
    return new Pty({ ...device, pid, mark }, reader);
  } catch (error) {
    reader?.stop();
    closeSync(device.slave);
    closeSync(device.master);
    throw error;
  }
};

/** The terminal of a program that another process has started; the descriptors become ours. */
export const adoptPty = ({ onOutput, ...terminal }: Adopted & { onOutput: OnOutput }): Pty => {
  setNonblocking(terminal.master);
  const path = slavePath(terminal.master);
  return new Pty({ ...terminal, path }, new Reader(terminal.master, onOutput));
};

export class Pty extends Channel {
  /** Such as /dev/pts/3. */
  readonly path: string;
  readonly mark: string;
  /** The slave's device number, by which a process's descriptors are recognised. */
  readonly device: number;
  readonly #master: number;
  readonly #slave: number;

  constructor({ master, slave, path, pid, mark }: Device & Adopted, reader: Reader) {
    super({
      pid,
      reader,
      input: master,
      // From now on the terminal ends when the last job that holds it does.
      onExit: () => closeSync(slave),
      release: () => closeSync(master),
      mark,
      link: path,
    });
    this.path = path;
    this.mark = mark;
    this.device = fstatSync(slave).rdev;
    this.#master = master;
    this.#slave = slave;
  }

  resize(size: Size): void {
    this.assertRunning('resized');
    setSize(this.#master, size);
  }

  /** The process group whose turn it is at this terminal; undefined where there is none. */
  get foregroundGroup(): number | undefined {
    if (!this.#isLive) return undefined;
    const group = libc().tcgetpgrp(this.#master);
    return group > 0 ? group : undefined;
  }

  /** How the terminal treats what is typed now; undefined once the program has ended. */
  get lineMode(): LineMode | undefined {
    return this.#isLive ? lineMode(this.#master) : undefined;
  }

  /** Whether the program has input to read. */
  get hasUnreadInput(): boolean {
    return this.#isLive && isReadable(this.#slave);
  }

  /** Whether the program has written what `onOutput` has not seen yet. */
  get hasUnreadOutput(): boolean {
    return !this.isReleased && isReadable(this.#master);
  }

  get #isLive(): boolean {
    return this.exit === undefined && !this.isReleased;
  }

  /** Signals the foreground process group, as a key such as Ctrl-C would. */
  signalForeground(name: string): void {
    const signal = signalNumber(name);
    this.assertRunning('sent a signal');
    const group = this.foregroundGroup;
    if (group !== undefined) sendSignal(name, signal, [-group]);
  }
}

/** Opening the slave is what makes it the controlling terminal of the new session's leader. */
const wireTo =
  ({ path }: Device) =>
  ({ actions_addopen, actions_adddup2 }: Libc, actions: Uint8Array) => {
    actions_addopen(actions, 0, path, O_RDWR, 0);
    actions_adddup2(actions, 0, 1);
    actions_adddup2(actions, 0, 2);
  };
