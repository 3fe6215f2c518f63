/** Starts the program of a session, on a terminal or on pipes, with its limits and in its sandbox. */

import { confineProgram } from '../sandbox/confine-program.ts';
import { hostsOf, SandboxNetwork } from '../sandbox/network/sandbox-network.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ShellStartCommand } from '../shell/start-with-marks.ts';
import { openPipes } from '../system/terminal/pipes.ts';
import { openPty } from '../system/terminal/pty.ts';
import type { Terminal } from '../system/terminal/terminal.ts';
import type { KeepTerminal } from '../system/terminal/terminal-keeping.ts';
import type { OnOutput } from '../system/terminal/terminal-reader.ts';
import { commandWithLimits } from './options/program-limits.ts';
import type { OpenRequest } from './options/requests.ts';

export const startProgram = async (
  { tty, stdin, limits, cols, rows, cwd, umask }: OpenRequest,
  { command, env, files }: ShellStartCommand,
  { onOutput, keep }: { onOutput: OnOutput; keep: KeepTerminal | undefined },
  sandbox: Sandbox | undefined,
): Promise<Terminal> => {
  const [program = '', ...args] = commandWithLimits(command, limits);
  const asked = { program, args, cwd, env };
  let network: SandboxNetwork | undefined;
  const onNetwork = (opened: SandboxNetwork) => {
    network = opened;
  };
  const request =
    sandbox === undefined
      ? asked
      : await confineProgram(sandbox, asked, { tty, onNetwork, ...(files && { files }) });
  const common = { ...request, onOutput, ...(umask !== undefined && { umask }) };
  const terminal = await (tty
    ? openPty({ ...common, keep, cols, rows })
    : openPipes({ ...common, keep, input: stdin ? 'pipe' : 'null' }));
  if (network !== undefined) closeWithTerminal(network, terminal);
  return terminal;
};

/** For a program that another process has started, with whose end its network has ended. */
export const reopenNetwork = async (
  sandbox: Sandbox | undefined,
  terminal: Terminal,
): Promise<void> => {
  const hosts = sandbox && hostsOf(sandbox);
  if (hosts === undefined || terminal.exit !== undefined) return;
  closeWithTerminal(await SandboxNetwork.open(terminal.pid, { hosts }), terminal);
};

const closeWithTerminal = (network: SandboxNetwork, { ended }: Terminal): void =>
  void ended.then(() => network.close());
