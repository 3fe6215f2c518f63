/** Puts a program into a sandbox: what to start in its place. */
import { homedir } from 'node:os';
import { HiddenInSandbox } from '../errors.ts';
import { locateProgram, type ProgramRequest } from '../system/process/locate-program.ts';
import { filterForThisMachine, findBubblewrap, tryBubblewrap } from './bubblewrap.ts';
import {
  bubblewrapArguments,
  canStartIn,
  isVisible,
  type ProgramPlace,
} from './bubblewrap-arguments.ts';
import { sandboxedEnvironment } from './environment.ts';
import { limitingCommand } from './limits.ts';
import { machineFacts } from './machine-facts.ts';
import { realPath } from './paths.ts';
import { leadingCommand } from './process-session.ts';
import type { Sandbox } from './sandbox.ts';

export interface ProgramNeeds {
  /** Whether it has a terminal. @default true */
  tty?: boolean;
  files?: ProgramPlace['files'];
}

/** Throws if the sandbox cannot be had: then nothing must be started. */
export const confineProgram = async (
  sandbox: Sandbox,
  request: Pick<ProgramRequest, 'program' | 'args' | 'cwd' | 'env'>,
  { tty = true, files }: ProgramNeeds = {},
): Promise<ProgramRequest> => {
  const bubblewrap = findBubblewrap();
  const given = filterForThisMachine();
  const limiting = limitingCommand(sandbox.limits);
  const machine = machineFacts(sandbox);
  const path = locateProgram(request);
  const cwd = realPath(request.cwd) ?? request.cwd;
  const program = realPath(path) ?? path;
  if (!canStartIn(cwd, sandbox, machine)) throw new HiddenInSandbox(cwd, sandbox.profile);
  if (!isVisible(program, sandbox, machine)) throw new HiddenInSandbox(program, sandbox.profile);
  const leading = leadingCommand(tty);
  await tryBubblewrap(bubblewrap, bubblewrapArguments(sandbox, machine, { cwd: '/' }));
  const place = { cwd: request.cwd, ...(files && { files }) };
  const confined = [...leading, ...limiting, request.program, ...request.args];
  return {
    program: bubblewrap,
    args: [...bubblewrapArguments(sandbox, machine, place), ...confined],
    cwd: '/',
    env: sandboxedEnvironment({ HOME: homedir(), ...request.env }, sandbox.env),
    given,
    isSandbox: true,
  };
};

/** Throws if the sandbox cannot be had on this machine. */
export const trySandbox = async (sandbox: Sandbox): Promise<void> => {
  await confineProgram(sandbox, { program: '/bin/true', args: [], cwd: '/', env: {} });
};
