/** Starts the daemon as a process of its own, which outlives us and our terminal. */
import { spawn } from 'node:child_process';
import { closeSync, fstatSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPrivate } from '../../system/files/private-files.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../protocol/path-ownership.ts';
import { rotateLog } from '../server/daemon-log.ts';

export interface StartOptions {
  /** The daemon's own program. @default this package's */
  program?: string;
  /** How long the daemon stays without session and client. */
  idleMs?: number;
  /** Of which the daemon gets the little that it needs. @default the caller's */
  env?: Readonly<Record<string, string | undefined>>;
}

/** How it went with a process that was to become the daemon. */
export interface StartedDaemon {
  /** Undefined while it runs. */
  exitCode: number | null | undefined;
  /** Why it ended, according to what it has written to the log. */
  lastWords(): string;
}

/**
 * What the daemon itself needs. A session's environment is its caller's, and comes with the request;
 * what a caller's secrets are is none of the daemon's business.
 */
const kept = ['HOME', 'PATH', 'LANG', 'LC_ALL', 'TZ', 'XDG_RUNTIME_DIR'];

const PROGRAM = fileURLToPath(new URL('../server/main.js', import.meta.url));

export const startDaemon = (
  paths: DaemonPaths,
  { program = PROGRAM, idleMs, env = process.env }: StartOptions = {},
): StartedDaemon => {
  ensurePrivateFolder(paths.runtimeFolder, 'runtime');
  ensurePrivateFolder(paths.stateFolder, 'state');
  rotateLog(paths.log);
  const log = openPrivate(paths.log, 'a');
  // What those before it said is no reason of its own.
  const { size: saidBefore } = fstatSync(log);
  const child = spawn(process.execPath, [program, JSON.stringify({ paths, idleMs })], {
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    env: Object.fromEntries(kept.map((name) => [name, env[name]])),
  });
  closeSync(log);
  child.unref();
  let end = '';
  const started: StartedDaemon = {
    exitCode: undefined,
    lastWords: () => lastError(readFileSync(paths.log).subarray(saidBefore).toString()) ?? end,
  };
  child.on('exit', (code, signal) => {
    started.exitCode = code;
    end = `its process ended with ${signal ?? `code ${code}`} and said nothing`;
  });
  child.on('error', ({ message }) => {
    started.exitCode = null;
    end = message;
  });
  return started;
};

/** Node puts a stack and its version behind what it has to say. */
const lastError = (said: string): string | undefined => {
  const lines = said.split('\n').filter((line) => line.trim() !== '');
  const errors = lines.flatMap((line) => /^\w*Error(?: \[\w+\])?: (.+)$/.exec(line)?.[1] ?? []);
  return (errors.at(-1) ?? lines.at(-1))?.replace(/\.$/, '');
};
