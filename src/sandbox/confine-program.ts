/** Puts a program into a sandbox: what to start in its place. */
import { homedir } from 'node:os';
import { HiddenInSandbox } from '../errors.ts';
import { O_RDWR } from '../system/constants.ts';
import { locateProgram, type ProgramRequest } from '../system/process/locate-program.ts';
import { onProcessExit } from '../system/process/reaper.ts';
import { spawnProgram } from '../system/process/spawn.ts';
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
import { hostsOf, SandboxNetwork } from './network/sandbox-network.ts';
import { realPath } from './paths.ts';
import { leadingCommand } from './process-session.ts';
import type { Sandbox } from './sandbox.ts';

export interface ProgramNeeds {
  /** Whether it has a terminal. @default true */
  tty?: boolean;
  files?: ProgramPlace['files'];
  /** Called before the program starts, if the profile names hosts. It is to be closed with the program. */
  onNetwork?(network: SandboxNetwork): void;
}

/** The descriptor at which bubblewrap waits until the network is there. */
const GATE_DESCRIPTOR = 4;

/** Throws if the sandbox cannot be had: then nothing must be started. */
export const confineProgram = async (
  sandbox: Sandbox,
  request: Pick<ProgramRequest, 'program' | 'args' | 'cwd' | 'env'>,
  { tty = true, files, onNetwork }: ProgramNeeds = {},
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
  const args = [...bubblewrapArguments(sandbox, machine, place), ...confined];
  const hosts = hostsOf(sandbox);
  const openNetwork = async (leader: number) =>
    onNetwork?.(await SandboxNetwork.open(leader, { hosts: hosts! }));
  return {
    program: bubblewrap,
    args: hosts === undefined ? args : ['--block-fd', String(GATE_DESCRIPTOR), ...args],
    cwd: '/',
    env: sandboxedEnvironment({ HOME: homedir(), ...request.env }, sandbox),
    given,
    ...(hosts && { beforeStart: openNetwork }),
    isSandbox: true,
  };
};

/** Throws if the sandbox cannot be had on this machine. */
export const trySandbox = async (sandbox: Sandbox): Promise<void> => {
  let network: SandboxNetwork | undefined;
  const request = await confineProgram(
    sandbox,
    { program: '/bin/true', args: [], cwd: '/', env: {} },
    {
      tty: false,
      onNetwork: (opened) => {
        network = opened;
      },
    },
  );
  // Without hosts, all of it has been tried by now.
  if (request.beforeStart === undefined) return;
  const pid = await spawnProgram(request, ({ actions_addopen }, actions) => {
    for (const fd of [0, 1, 2]) actions_addopen(actions, fd, '/dev/null', O_RDWR, 0);
  });
  await new Promise((resolve) => onProcessExit(pid, resolve));
  network?.close();
};
