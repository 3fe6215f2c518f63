/**
 * A program without a terminal, connected by pipes.
 *
 * Output and errors come through one pipe, so that they stay in the order in which the program
 * wrote them. The program leads a session of its own, so it cannot reach our terminal through
 * /dev/tty either.
 */
import { fstatSync } from 'node:fs';
import { O_RDWR } from '../constants.ts';
import {
  closePipeEnd,
  isDescriptorReadable,
  openPipe,
  setNonblocking,
  unreadBytes,
} from '../descriptors.ts';
import type { OpenFileId } from '../proc/descriptor-info.ts';
import { ownDescriptorLink } from '../proc/own-process.ts';
import type { ProgramRequest } from '../process/locate-program.ts';
import { type AddDescriptorActions, spawnProgram } from '../process/spawn.ts';
import {
  type AdoptedProgram,
  type AdoptionOptions,
  assertProgramPid,
  programParts,
} from './adopted-program.ts';
import { Channel, withSessionVariable } from './channel.ts';
import type { Terminal } from './terminal.ts';
import type { KeepTerminal, TerminalKeeping } from './terminal-keeping.ts';
import { type OnOutput, TerminalReader } from './terminal-reader.ts';

export interface PipesOptions extends ProgramRequest {
  /** The program's standard input: a pipe that we can write to, or /dev/null. */
  input: 'pipe' | 'null';
  /** Called with every piece of output, in order. The bytes are valid only during the call. */
  onOutput: OnOutput;
  /** @default the pipes end with this process @internal */
  keep?: KeepTerminal | undefined;
}

/** Our ends of the pipes of a program that another process has started. */
export interface AdoptedPipes extends AdoptedProgram {
  /** Where output is read. */
  output: number;
  /** Where input is written. Absent if the program has none, or if its end was told. */
  input?: number;
}

/**
 * How much of a kept pipe is read at once, which may give 64 KiB. A session that got 10 MB took 1.36 times
 * as long as one that is not kept, with 4 or 64 KiB at once 1.47: much at once fills its log too soon.
 */
const KEPT_READ_BYTES = 16 * 1024;

export const openPipes = async (options: PipesOptions): Promise<Pipes> => {
  const ends: number[] = [];
  let reader: TerminalReader | undefined;
  let keeping: TerminalKeeping | undefined;
  try {
    const output = openPipe();
    ends.push(output.readEnd, output.writeEnd);
    const input = options.input === 'pipe' ? openPipe() : undefined;
    if (input) ends.push(input.writeEnd, input.readEnd);
    setNonblocking(output.readEnd);
    if (input) setNonblocking(input.writeEnd);
    const ours = { main: output.readEnd, second: input?.writeEnd };
    keeping = options.keep?.({ ...ours, readBytes: KEPT_READ_BYTES });
    reader = new TerminalReader(output.readEnd, options.onOutput, keeping);
    const file = heldFile(output.readEnd);

    const { sessionToken, env } = withSessionVariable(options.env);
    const { isSandbox = false } = options;
    const onLoaded = (started: number) => {
      if (keeping !== undefined) keeping.pid = started;
    };
    const pid = await spawnProgram(
      { ...options, env, onLoaded },
      wireTo(output.writeEnd, input?.readEnd),
    );
    closePipeEnd(output.writeEnd);
    if (input) closePipeEnd(input.readEnd);
    const pipes = { output: output.readEnd, ...(input && { input: input.writeEnd }) };
    return new Pipes({ ...pipes, pid, mark: sessionToken, isSandbox, file }, reader, keeping);
  } catch (error) {
    reader?.stop();
    keeping?.release();
    ends.forEach(closePipeEnd);
    throw error;
  }
};

/** Takes over the pipes of a program that another process has started. */
export const adoptPipes = ({
  onOutput,
  keeping,
  ...pipes
}: AdoptedPipes & AdoptionOptions): Pipes => {
  const { pid, output, input } = pipes;
  assertProgramPid(pid);
  setNonblocking(output);
  if (input !== undefined) setNonblocking(input);
  const file = heldFile(output);
  const reader = new TerminalReader(output, onOutput, keeping);
  return new Pipes({ ...pipes, file }, reader, keeping);
};

export class Pipes extends Channel implements Terminal {
  readonly device = undefined;
  readonly fileSystem = undefined;
  readonly session = undefined;
  readonly foregroundGroup = undefined;
  readonly lineMode = undefined;
  /** No line discipline turns Enter into the line feed that programs expect. */
  readonly enter = '\n';
  readonly #output: number;
  readonly #keeping: TerminalKeeping | undefined;
  #input: number | undefined;

  constructor(
    { output, input, file, ...program }: AdoptedPipes & { file: OpenFileId },
    reader: TerminalReader,
    keeping?: TerminalKeeping,
  ) {
    super({
      ...programParts(program, keeping),
      reader,
      ...(input !== undefined && { input }),
      release: () => {
        closePipeEnd(output);
        this.#closeInput();
        keeping?.release();
      },
      file,
    });
    this.#output = output;
    this.#input = input;
    this.#keeping = keeping;
  }

  get inputPipe(): string | undefined {
    return this.#input === undefined ? undefined : ownDescriptorLink(this.#input);
  }

  get hasUnreadInput(): boolean {
    return this.#input !== undefined && this.exit === undefined && unreadBytes(this.#input) > 0;
  }

  get hasUnreadOutput(): boolean {
    return !this.isReleased && (this.hasUndelivered || isDescriptorReadable(this.#output));
  }

  /** A pipe has no size. */
  resize(): void {
    this.assertRunning('resized');
  }

  /** A program without a terminal has no foreground: the signal goes to the whole session. */
  signal(name: string): Promise<void> {
    return this.signalSession(name);
  }

  /** Closes the program's input after everything has been written. */
  async endInput(): Promise<void> {
    const written = this.write('');
    // A later write would go to a descriptor that is closed, and that may belong to another file.
    this.refuseInput();
    await written;
    // First, because the program does not find the end of its input while a copy of ours is kept.
    this.#keeping?.dropSecond();
    this.#closeInput();
  }

  #closeInput(): void {
    if (this.#input !== undefined) closePipeEnd(this.#input);
    this.#input = undefined;
  }
}

const heldFile = (fd: number): OpenFileId => {
  const { dev, ino } = fstatSync(fd);
  return { link: ownDescriptorLink(fd), dev, ino };
};

const wireTo =
  (output: number, input: number | undefined): AddDescriptorActions =>
  ({ actions_addopen, actions_adddup2 }, actions) => {
    if (input === undefined) actions_addopen(actions, 0, '/dev/null', O_RDWR, 0);
    else actions_adddup2(actions, input, 0);
    actions_adddup2(actions, output, 1);
    actions_adddup2(actions, output, 2);
  };
