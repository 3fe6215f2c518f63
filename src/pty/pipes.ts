/**
 * A program without a terminal: the same channel, on pipes.
 *
 * Output and errors come through one pipe, so that their order is the program's. The program leads a
 * session of its own, hence it cannot reach our terminal through /dev/tty either.
 */
import { readlinkSync } from 'node:fs';
import { Channel, newMark } from './channel.ts';
import { MARK } from './closing.ts';
import { closePipe, openPipe, setNonblocking } from './descriptors.ts';
import { O_RDWR } from './libc.ts';
import type { Program } from './program.ts';
import { type OnOutput, Reader } from './reader.ts';
import { spawn, type Wiring } from './spawn.ts';

export interface PipesOptions extends Program {
  /** What the program finds as its input: a pipe that can be written to, or /dev/null. */
  input: 'pipe' | 'null';
  /** Called with every piece of output, in order. The bytes are the callee's to keep. */
  onOutput: OnOutput;
}

export const openPipes = async (options: PipesOptions): Promise<Channel> => {
  const ends: number[] = [];
  let reader: Reader | undefined;
  try {
    const output = openPipe();
    ends.push(output.readEnd, output.writeEnd);
    const input = options.input === 'pipe' ? openPipe() : undefined;
    if (input) ends.push(input.writeEnd, input.readEnd);
    setNonblocking(output.readEnd);
    if (input) setNonblocking(input.writeEnd);
    reader = new Reader(output.readEnd, options.onOutput);

    const mark = newMark();
    const env = { ...options.env, [MARK]: mark };
    const pid = await spawn({ ...options, env }, wireTo(output.writeEnd, input?.readEnd));
    const ours = [output.readEnd, ...(input ? [input.writeEnd] : [])];
    for (const end of ends.filter((end) => !ours.includes(end))) closePipe(end);
    return new Channel({
      pid,
      reader,
      ...(input && { input: input.writeEnd }),
      release: () => ours.forEach(closePipe),
      mark,
      link: readlinkSync(`/proc/self/fd/${output.readEnd}`),
    });
  } catch (error) {
    reader?.stop();
    ends.forEach(closePipe);
    throw error;
  }
};

const wireTo =
  (output: number, input: number | undefined): Wiring =>
  ({ actions_addopen, actions_adddup2 }, actions) => {
    if (input === undefined) actions_addopen(actions, 0, '/dev/null', O_RDWR, 0);
    else actions_adddup2(actions, input, 0);
    actions_adddup2(actions, output, 1);
    actions_adddup2(actions, output, 2);
  };
