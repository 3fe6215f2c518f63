/** Starts the daemon as a separate process that outlives this one and its terminal. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { daemonEnvironment } from '../../system/daemon-environment.ts';
import { openPrivateFile } from '../../system/files/private-files.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../protocol/path-ownership.ts';
import { rotateDaemonLog } from '../server/daemon-log.ts';

export interface StartDaemonOptions {
  /** The daemon's own program. @default this package's */
  program?: string;
  /** How long the daemon keeps running without sessions and clients. */
  idleMs?: number;
  /** The program of its keeper, with which its sessions outlive it. @internal @default this package's; false: none */
  keeper?: string | false;
  /** The daemon gets only the few variables that it needs. @default the caller's environment */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The state of a process that was started as the daemon. */
export interface DaemonStartProcess {
  /** Undefined while it runs. */
  exitCode: number | null | undefined;
  /** Why it ended, according to what it wrote to the log. */
  failureReason(): string;
}

/** Of this version. */
export const DAEMON_PROGRAM = fileURLToPath(new URL('../server/main.js', import.meta.url));
const KEEPER_PROGRAM = fileURLToPath(new URL('../../keeper/main.js', import.meta.url));

export const startDaemon = (
  paths: DaemonPaths,
  options: StartDaemonOptions = {},
): DaemonStartProcess => {
  const { program = DAEMON_PROGRAM, keeper = KEEPER_PROGRAM, idleMs, env = process.env } = options;
  ensurePrivateFolder(paths.runtimeFolder, 'runtime');
  ensurePrivateFolder(paths.stateFolder, 'state');
  rotateDaemonLog(paths.log);
  const log = openPrivateFile(paths.log, 'a');
  // What earlier daemons wrote to the log says nothing about this one.
  const { size: startBytes } = fstatSync(log);
  const daemon = commandOf(program, { paths, idleMs });
  const command = keeper === false ? daemon : keeperCommand(paths, daemon, keeper);
  const child = spawn(process.execPath, command, {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: daemonEnvironment(env),
  });
  closeSync(log);
  child.unref();
  let exitReason = '';
  const started: DaemonStartProcess = {
    exitCode: undefined,
    failureReason: () =>
      lastError(readFileSync(paths.log).subarray(startBytes).toString()) ?? exitReason,
  };
  child.on('exit', (code, signal) => {
    started.exitCode = code;
    exitReason = `its process ended with ${signal ?? `code ${code}`} and printed nothing`;
  });
  child.on('error', ({ message }) => {
    started.exitCode = null;
    exitReason = message;
  });
  return started;
};

const commandOf = (program: string, argument: object): string[] => [
  program,
  JSON.stringify(argument),
];

/** The arguments for Node with which a keeper is started, which starts the daemon. */
export const keeperCommand = (
  paths: DaemonPaths,
  daemon: readonly string[] = commandOf(DAEMON_PROGRAM, { paths }),
  keeper = KEEPER_PROGRAM,
): string[] => {
  const { socket, stateSocket, lock } = paths;
  return commandOf(keeper, { daemon, socket, stateSocket, lock });
};

/** Node prints a stack and its version after the error, so the last line is not enough. */
const lastError = (output: string): string | undefined => {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.flatMap((line) => /^\w*Error(?: \[\w+\])?: (.+)$/.exec(line)?.[1] ?? []);
  return (errors.at(-1) ?? lines.at(-1))?.replace(/\.$/, '');
};
