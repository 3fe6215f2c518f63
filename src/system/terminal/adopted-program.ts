/** A program that another process has started, and whose terminal or pipes are now ours. */
import type { Exit } from '../process/reaper.ts';
import type { ChannelParts } from './channel.ts';
import type { TerminalKeeping } from './terminal-keeping.ts';
import type { OnOutput } from './terminal-reader.ts';

export interface AdoptedProgram {
  /** The leader of its session. */
  pid: number;
  /** The value of REPARTEE_SESSION in the program's environment. */
  mark: string;
  /** When the program started. @default as the kernel says of the pid */
  startTime?: number;
  /** How the program ended, if it has. */
  exit?: Exit;
  /** The leader is a sandbox, which has started the program. */
  isSandbox?: boolean;
}

export interface AdoptionOptions {
  /** Called with every piece of output, in order. The bytes are valid only during the call. */
  onOutput: OnOutput;
  /** @default what is adopted ends with this process */
  keeping?: TerminalKeeping;
}

export const assertProgramPid = (pid: number): void => {
  // Lower numbers have special meanings for kill(2) and waitpid(2), and 1 is init.
  if (!Number.isInteger(pid) || pid <= 1)
    throw new TypeError(`${pid} is not the pid of a program.`);
};

/** What a channel has to know of its program. */
export const programParts = (
  { pid, mark, startTime, exit, isSandbox }: AdoptedProgram,
  keeping: TerminalKeeping | undefined,
): Pick<
  ChannelParts,
  'pid' | 'sessionToken' | 'startTime' | 'exit' | 'exitNote' | 'isSandbox'
> => ({
  pid,
  sessionToken: mark,
  ...(startTime !== undefined && { startTime }),
  ...(exit && { exit }),
  ...(isSandbox && { isSandbox }),
  ...(keeping && { exitNote: keeping }),
});
