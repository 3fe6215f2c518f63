/**
 * Starts a program as the leader of a new session, with given descriptors.
 *
 * We use posix_spawn: forking a process with Node's threads and heap is neither safe nor cheap.
 */
import { writeSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  MAX_FILE_ACTIONS_BYTES,
  MAX_SIGNAL_SET_BYTES,
  MAX_SPAWN_ATTRIBUTES_BYTES,
  POSIX_SPAWN_SETSID,
  POSIX_SPAWN_SETSIGDEF,
  POSIX_SPAWN_SETSIGMASK,
} from '../constants.ts';
import { closePipeEnd, openPipe } from '../descriptors.ts';
import { errnoName, type Libc, libc as loadLibc } from '../libc.ts';
import { raiseOomScore } from '../proc/oom-score.ts';
import { inheritableDescriptors } from '../proc/own-process.ts';
import { explainSpawnError, locateProgram, type ProgramRequest } from './locate-program.ts';
import { forgetSession, rememberSession } from './possible-starters.ts';
import { onProcessExit } from './reaper.ts';
import { type StartedProgram, sessionMarkOf, startMarked } from './session-mark.ts';
import { SESSION_VARIABLE } from './session-variable.ts';
import { sendSignal } from './signals.ts';
import { runWithUmask } from './umask.ts';

/** Adds the actions that give the child its descriptors 0, 1 and 2. */
export type AddDescriptorActions = (libc: Libc, actions: Uint8Array) => void;

/** Resolves to the pid once the program has been loaded. */
export const spawnProgram = async (
  request: ProgramRequest,
  wire: AddDescriptorActions,
  libc: Libc = loadLibc(),
): Promise<number> => {
  const path = locateProgram(request);
  const env = Object.entries(request.env)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const gate = request.beforeStart && openPipe();
  const start = (file: string, argv: readonly string[]) =>
    runWithUmask(request.umask, () =>
      startMarked(request.env[SESSION_VARIABLE], () =>
        withGiven(request.given, (given) =>
          spawnFile(libc, file, argv, env, request.cwd, { wire, given, gate: gate?.readEnd }),
        ),
      ),
    );

  const sessionToken = request.env[SESSION_VARIABLE];
  // Before it has a pid: it may have started others by then.
  const session = sessionToken && { sessionToken, mark: sessionMarkOf(sessionToken) };
  if (session) rememberSession(session);
  try {
    let result = await start(path, [request.program, ...request.args]);
    if (result.errno === 'ENOEXEC') {
      // A script without `#!` is run by the shell, as execvp(3) does.
      result = await start('/bin/sh', ['/bin/sh', path, ...request.args]);
    }
    if (result.errno !== undefined) throw explainSpawnError(result.errno, path, request);
    raiseOomScore(result.pid);
    request.onLoaded?.(result.pid);
    await request.beforeStart?.(result.pid).catch((error: unknown) => {
      killUnstarted(result.pid);
      throw error;
    });
    return result.pid;
  } catch (error) {
    if (session) forgetSession(session);
    throw error;
  } finally {
    for (const end of gate ? [gate.readEnd, gate.writeEnd] : []) closePipeEnd(end);
  }
};

/** Before its gate opens: with it go those that it has started, which are in its group as yet. */
const killUnstarted = (pid: number): void => {
  sendSignal('SIGKILL', [-pid]);
  onProcessExit(pid, () => {});
};

/** A pipe with the bytes in it. They are few, so that it takes them all. */
const withGiven = async <T>(
  bytes: Uint8Array | undefined,
  start: (descriptor: number | undefined) => Promise<T>,
): Promise<T> => {
  if (bytes === undefined) return start(undefined);
  const { readEnd, writeEnd } = openPipe();
  try {
    writeSync(writeEnd, bytes);
    closePipeEnd(writeEnd);
    return await start(readEnd);
  } finally {
    closePipeEnd(readEnd);
  }
};

interface Descriptors {
  wire: AddDescriptorActions;
  /** What the program gets as descriptor 3. */
  given: number | undefined;
  /** What it gets as descriptor 4. */
  gate: number | undefined;
}

const spawnFile = async (
  libc: Libc,
  file: string,
  argv: readonly string[],
  env: readonly string[],
  cwd: string,
  { wire, given, gate }: Descriptors,
): Promise<StartedProgram> => {
  const actions = Buffer.alloc(MAX_FILE_ACTIONS_BYTES);
  const attributes = Buffer.alloc(MAX_SPAWN_ATTRIBUTES_BYTES);
  libc.actions_init(actions);
  libc.attributes_init(attributes);
  try {
    // Node ignores SIGPIPE and may block signals. A child would inherit both, and programs do not
    // expect that.
    libc.attributes_setflags(
      attributes,
      POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK,
    );
    libc.attributes_setsigdefault(attributes, Buffer.alloc(MAX_SIGNAL_SET_BYTES, 0xff));
    libc.attributes_setsigmask(attributes, Buffer.alloc(MAX_SIGNAL_SET_BYTES));

    wire(libc, actions);
    if (given !== undefined) libc.actions_adddup2(actions, given, 3);
    if (gate !== undefined) libc.actions_adddup2(actions, gate, 4);
    const first = 3 + [given, gate].filter((fd) => fd !== undefined).length;
    if (libc.actions_addclosefrom) libc.actions_addclosefrom(actions, first);
    else
      for (const fd of inheritableDescriptors())
        if (fd >= first) libc.actions_addclose(actions, fd);

    if (libc.actions_addchdir) libc.actions_addchdir(actions, cwd);
    else [file, argv] = startIn(cwd, file, argv);

    const pid = new Int32Array(1);
    const errno = await limitConcurrency(() =>
      libc.posix_spawn(pid, file, actions, attributes, [...argv, null], [...env, null]),
    );
    return errno === 0 ? { pid: pid[0]! } : { errno: errnoName(errno) };
  } finally {
    libc.actions_destroy(actions);
    libc.attributes_destroy(attributes);
  }
};

/** koffi allows at most 256 calls at the same time, and libuv has only four threads for them anyway. */
const MAX_CONCURRENT_SPAWNS = 16;
let running = 0;
const queue: (() => void)[] = [];

const limitConcurrency = async <T>(call: () => Promise<T>): Promise<T> => {
  if (running === MAX_CONCURRENT_SPAWNS) await new Promise<void>((start) => queue.push(start));
  else running++;
  try {
    return await call();
  } finally {
    const startNext = queue.shift();
    if (startNext) startNext();
    else running--;
  }
};

/**
 * Used if libc lacks addchdir_np: a shell changes the folder and then executes the program. The shell
 * passes the program's path as $0, so our own $0 is lost.
 */
const startIn = (
  cwd: string,
  file: string,
  [, ...args]: readonly string[],
): [file: string, argv: string[]] => [
  '/bin/sh',
  // The path is absolute, so that neither CDPATH nor a folder named "-" changes where `cd` goes.
  ['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', resolve(cwd), file, ...args],
];
