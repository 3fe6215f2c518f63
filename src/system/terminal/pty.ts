/** A program on its own pseudo-terminal. */
import { closeSync, fstatSync, statSync } from 'node:fs';
import { O_NOCTTY, O_RDWR } from '../constants.ts';
import { isDescriptorReadable, setNonblocking } from '../descriptors.ts';
import { type Libc, libc } from '../libc.ts';
import type { ProgramRequest } from '../process/locate-program.ts';
import { sendSignal, signalNumber } from '../process/signals.ts';
import { spawnProgram } from '../process/spawn.ts';
import {
  type AdoptedProgram,
  type AdoptionOptions,
  assertProgramPid,
  programParts,
} from './adopted-program.ts';
import { Channel, withSessionVariable } from './channel.ts';
import {
  type LineMode,
  openPtyDevice,
  type PtyDevice,
  ptySlavePath,
  readLineMode,
  type Size,
  setTerminalSize,
} from './pty-device.ts';
import type { Terminal } from './terminal.ts';
import type { KeepTerminal, TerminalKeeping } from './terminal-keeping.ts';
import { type OnOutput, TerminalReader } from './terminal-reader.ts';

export interface PtyOptions extends ProgramRequest, Size {
  /** Called with every piece of output, in order. The bytes are valid only during the call. */
  onOutput: OnOutput;
  /** @default the terminal ends with this process @internal */
  keep?: KeepTerminal | undefined;
}

/** An open terminal and the leader of its session, both started by another process. */
export interface AdoptedTerminal extends AdoptedProgram {
  master: number;
  /** Absent if the program has ended: then it is closed. */
  slave?: number;
}

export const openPty = async (options: PtyOptions): Promise<Pty> => {
  const device = openPtyDevice(options);
  let reader: TerminalReader | undefined;
  let keeping: TerminalKeeping | undefined;
  try {
    keeping = options.keep?.({ main: device.master, second: device.slave });
    reader = new TerminalReader(device.master, options.onOutput, keeping);
    const { sessionToken, env } = withSessionVariable(options.env);
    const { isSandbox = false } = options;
    const onLoaded = (started: number) => {
      if (keeping !== undefined) keeping.pid = started;
    };
    const pid = await spawnProgram({ ...options, env, onLoaded }, wireTo(device, isSandbox));
    return new Pty({ ...device, pid, mark: sessionToken, isSandbox }, reader, keeping);
  } catch (error) {
    reader?.stop();
    keeping?.release();
    closeSync(device.slave);
    closeSync(device.master);
    throw error;
  }
};

/** Takes over the terminal of a program that another process has started, with its descriptors. */
export const adoptPty = ({
  onOutput,
  keeping,
  ...terminal
}: AdoptedTerminal & AdoptionOptions): Pty => {
  const { pid, master } = terminal;
  assertProgramPid(pid);
  setNonblocking(master);
  const reader = new TerminalReader(master, onOutput, keeping);
  return new Pty({ ...terminal, path: ptySlavePath(master) }, reader, keeping);
};

export class Pty extends Channel implements Terminal {
  /** The path of the terminal, such as /dev/pts/3. */
  readonly path: string;
  /** The slave's device number. By it we recognise this terminal among a process's descriptors. */
  readonly device: number;
  readonly fileSystem: number;
  readonly inputPipe = undefined;
  readonly enter = '\r';
  readonly #master: number;
  readonly #slave: number | undefined;

  constructor(
    { master, slave, path, ...program }: AdoptedTerminal & { path: string },
    reader: TerminalReader,
    keeping?: TerminalKeeping,
  ) {
    const letSlaveGo = (fd: number) => {
      closeSync(fd);
      keeping?.dropSecond();
    };
    const { dev, ino, rdev } = slave === undefined ? statSync(path) : fstatSync(slave);
    super({
      ...programParts(program, keeping),
      reader,
      input: master,
      // From now on the terminal ends when the last process that holds it ends.
      ...(slave !== undefined && { afterExit: () => letSlaveGo(slave) }),
      release: () => {
        closeSync(master);
        keeping?.release();
      },
      file: { link: path, dev, ino },
    });
    this.path = path;
    this.device = rdev;
    this.fileSystem = dev;
    this.#master = master;
    this.#slave = slave;
  }

  get session(): number {
    return this.programPid;
  }

  /** Stops reading for good, and returns what another process needs to adopt the terminal. */
  handOver(): AdoptedTerminal {
    this.pause();
    this.deliverRest();
    const { pid, mark, exit, isSandbox } = this;
    const terminal = { master: this.#master, pid, mark, ...(isSandbox && { isSandbox }) };
    if (exit !== undefined) return { ...terminal, exit };
    return this.#slave === undefined ? terminal : { ...terminal, slave: this.#slave };
  }

  resize(size: Size): void {
    this.assertRunning('resized');
    setTerminalSize(this.#master, size);
  }

  /** The process group in the foreground of this terminal. Undefined if there is none. */
  get foregroundGroup(): number | undefined {
    if (!this.#isLive) return undefined;
    const group = libc().tcgetpgrp(this.#master);
    return group > 0 ? group : undefined;
  }

  /** How the terminal now treats typed input. Undefined after the program has ended. */
  get lineMode(): LineMode | undefined {
    return this.#isLive ? readLineMode(this.#master) : undefined;
  }

  /** Whether there is input that the program has not read yet. */
  get hasUnreadInput(): boolean {
    return this.#isLive && this.#slave !== undefined && isDescriptorReadable(this.#slave);
  }

  /** Whether there is output that `onOutput` has not received yet. */
  get hasUnreadOutput(): boolean {
    return !this.isReleased && (this.hasUndelivered || isDescriptorReadable(this.#master));
  }

  /** Types the key: a program in raw mode gets it as a key. */
  endInput(): Promise<void> {
    return this.write('\x04');
  }

  async signal(name: string): Promise<void> {
    this.signalForeground(name);
  }

  /** Signals the foreground process group, as a key such as Ctrl-C does. */
  signalForeground(name: string): void {
    signalNumber(name);
    this.assertRunning('sent a signal');
    const group = this.foregroundGroup;
    if (group !== undefined) sendSignal(name, [-group]);
  }

  get #isLive(): boolean {
    return this.exit === undefined && !this.isReleased;
  }
}

/** The new session's leader gets the slave as its controlling terminal, because it opens it itself. */
const wireTo =
  ({ path }: PtyDevice, isSandbox: boolean) =>
  ({ actions_addopen, actions_adddup2 }: Libc, actions: Uint8Array) => {
    // The program in a sandbox gets it, not the sandbox: one session alone can have it.
    actions_addopen(actions, 0, path, isSandbox ? O_RDWR | O_NOCTTY : O_RDWR, 0);
    actions_adddup2(actions, 0, 1);
    actions_adddup2(actions, 0, 2);
  };
