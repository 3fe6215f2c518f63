/**
 * A program without a terminal: the same channel, on pipes.
 *
 * Output and errors come through one pipe, so that their order is the program's. The program leads a
 * session of its own, hence it cannot reach our terminal through /dev/tty either.
 */
import { fstatSync } from 'node:fs';
import { O_RDWR } from '../constants.ts';
import { closePipeEnd, openPipe, setNonblocking } from '../descriptors.ts';
import type { HeldFile } from '../proc/descriptor-info.ts';
import { ownDescriptorLink } from '../proc/own-process.ts';
import type { ProgramRequest } from '../process/locate-program.ts';
import { type DescriptorActions, spawnProgram } from '../process/spawn.ts';
import { Channel, type ChannelParts, withSessionVariable } from './channel.ts';
import { type OnOutput, TerminalReader } from './terminal-reader.ts';

export interface PipesOptions extends ProgramRequest {
  /** What the program finds as its input: a pipe that can be written to, or /dev/null. */
  input: 'pipe' | 'null';
  /** Called with every piece of output, in order. The bytes are there only during the call. */
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

    const { mark, env } = withSessionVariable(options.env);
    const pid = await spawnProgram({ ...options, env }, wireTo(output.writeEnd, input?.readEnd));
    closePipeEnd(output.writeEnd);
    if (input) closePipeEnd(input.readEnd);
    return new Pipes({ pid, mark, file }, reader, output.readEnd, input?.writeEnd);
  } catch (error) {
    reader?.stop();
    ends.forEach(closePipeEnd);
    throw error;
  }
};

export class Pipes extends Channel {
  #input: number | undefined;

  constructor(
    program: Pick<ChannelParts, 'pid' | 'mark' | 'file'>,
    reader: TerminalReader,
    output: number,
    input: number | undefined,
  ) {
    const release = () => {
      closePipeEnd(output);
      this.#closeInput();
    };
    super({ ...program, reader, release, ...(input !== undefined && { input }) });
    this.#input = input;
  }

  /** Lets the program find the end of its input, after all that was written. */
  async endInput(): Promise<void> {
    const written = this.write('');
    // Whatever came after it would be written to a descriptor that is no longer ours.
    this.refuseInput();
    await written;
    this.#closeInput();
  }

  #closeInput(): void {
    if (this.#input !== undefined) closePipeEnd(this.#input);
    this.#input = undefined;
  }
}

const heldFile = (fd: number): HeldFile => {
  const { dev, ino } = fstatSync(fd);
  return { link: ownDescriptorLink(fd), dev, ino };
};

const wireTo =
  (output: number, input: number | undefined): DescriptorActions =>
  ({ actions_addopen, actions_adddup2 }, actions) => {
    if (input === undefined) actions_addopen(actions, 0, '/dev/null', O_RDWR, 0);
    else actions_adddup2(actions, input, 0);
    actions_adddup2(actions, output, 1);
    actions_adddup2(actions, output, 2);
  };
