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
import { Channel, type ChannelParts, withSessionVariable } from './channel.ts';
import type { Terminal } from './terminal.ts';
import { type OnOutput, TerminalReader } from './terminal-reader.ts';

export interface PipesOptions extends ProgramRequest {
  /** The program's standard input: a pipe that we can write to, or /dev/null. */
  input: 'pipe' | 'null';
  /** Called with every piece of output, in order. The bytes are valid only during the call. */
  onOutput: OnOutput;
}

export const openPipes = async (options: PipesOptions): Promise<Pipes> => {
  const ends: number[] = [];
  let reader: TerminalReader | undefined;
  try {
    const output = openPipe();
    ends.push(output.readEnd, output.writeEnd);
    const input = options.input === 'pipe' ? openPipe() : undefined;
    if (input) ends.push(input.writeEnd, input.readEnd);
    setNonblocking(output.readEnd);
    if (input) setNonblocking(input.writeEnd);
    reader = new TerminalReader(output.readEnd, options.onOutput);
    const file = heldFile(output.readEnd);

    const { sessionToken, env } = withSessionVariable(options.env);
    const pid = await spawnProgram({ ...options, env }, wireTo(output.writeEnd, input?.readEnd));
    closePipeEnd(output.writeEnd);
    if (input) closePipeEnd(input.readEnd);
    return new Pipes({ pid, sessionToken, file }, reader, output.readEnd, input?.writeEnd);
  } catch (error) {
    reader?.stop();
    ends.forEach(closePipeEnd);
    throw error;
  }
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
  #input: number | undefined;

  constructor(
    program: Pick<ChannelParts, 'pid' | 'sessionToken' | 'file'>,
    reader: TerminalReader,
    output: number,
    input: number | undefined,
  ) {
    const release = () => {
      closePipeEnd(output);
      this.#closeInput();
    };
    super({ ...program, reader, release, ...(input !== undefined && { input }) });
    this.#output = output;
    this.#input = input;
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
