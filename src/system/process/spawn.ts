/**
 * Starts a program as the leader of a session of its own, on given descriptors.
 *
 * posix_spawn and not fork: forking a process with Node's threads and heap is neither safe nor cheap.
 */
import { resolve } from 'node:path';
import {
  MAX_FILE_ACTIONS_BYTES,
  MAX_SIGNAL_SET_BYTES,
  MAX_SPAWN_ATTRIBUTES_BYTES,
  POSIX_SPAWN_SETSID,
  POSIX_SPAWN_SETSIGDEF,
  POSIX_SPAWN_SETSIGMASK,
} from '../constants.ts';
import { errnoName, type Libc, libc as loadLibc } from '../libc.ts';
import { inheritableDescriptors } from '../proc/own-process.ts';
import { explainSpawnError, locateProgram, type ProgramRequest } from './locate-program.ts';
import { runWithUmask } from './umask.ts';

/** Adds the actions that give the child its descriptors 0, 1 and 2. */
export type DescriptorActions = (libc: Libc, actions: Uint8Array) => void;

/** Resolves to the pid once the program has been loaded. */
export const spawnProgram = async (
  request: ProgramRequest,
  wire: DescriptorActions,
  libc: Libc = loadLibc(),
): Promise<number> => {
  const path = locateProgram(request);
  const env = Object.entries(request.env)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`);
  const start = (file: string, argv: readonly string[]) =>
    runWithUmask(request.umask, () => spawnFile(libc, file, argv, env, request.cwd, wire));

  let result = await start(path, [request.program, ...request.args]);
  if (result.errno === 'ENOEXEC') {
    // A script without `#!` is the shell's: the rule of execvp(3).
    result = await start('/bin/sh', ['/bin/sh', path, ...request.args]);
  }
  if (result.errno !== undefined) throw explainSpawnError(result.errno, path, request);
  return result.pid;
};

type Result = { pid: number; errno?: undefined } | { errno: string };

const spawnFile = async (
  libc: Libc,
  file: string,
  argv: readonly string[],
  env: readonly string[],
  cwd: string,
  wire: DescriptorActions,
): Promise<Result> => {
  const actions = Buffer.alloc(MAX_FILE_ACTIONS_BYTES);
  const attributes = Buffer.alloc(MAX_SPAWN_ATTRIBUTES_BYTES);
  libc.actions_init(actions);
  libc.attributes_init(attributes);
  try {
    // Node ignores SIGPIPE and may block signals, and both are inherited: a program expects neither.
    libc.attributes_setflags(
      attributes,
      POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK,
    );
    libc.attributes_setsigdefault(attributes, Buffer.alloc(MAX_SIGNAL_SET_BYTES, 0xff));
    libc.attributes_setsigmask(attributes, Buffer.alloc(MAX_SIGNAL_SET_BYTES));

    wire(libc, actions);
    if (libc.actions_addclosefrom) libc.actions_addclosefrom(actions, 3);
    else for (const fd of inheritableDescriptors()) libc.actions_addclose(actions, fd);

    if (libc.actions_addchdir) libc.actions_addchdir(actions, cwd);
    else [file, argv] = startIn(cwd, file, argv);

    const pid = new Int32Array(1);
    const errno = await inTurn(() =>
      libc.posix_spawn(pid, file, actions, attributes, [...argv, null], [...env, null]),
    );
    return errno === 0 ? { pid: pid[0]! } : { errno: errnoName(errno) };
  } finally {
    libc.actions_destroy(actions);
    libc.attributes_destroy(attributes);
  }
};

/** koffi refuses more than 256 calls under way, and libuv has four threads for them anyway. */
const SPAWNS_AT_ONCE = 16;
let underWay = 0;
const waiting: (() => void)[] = [];

const inTurn = async <T>(call: () => Promise<T>): Promise<T> => {
  if (underWay === SPAWNS_AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else underWay++;
  try {
    return await call();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else underWay--;
  }
};

/**
 * Without addchdir_np a shell changes the folder and becomes the program. $0 cannot be kept: the
 * program sees its path there.
 */
const startIn = (
  cwd: string,
  file: string,
  [, ...args]: readonly string[],
): [file: string, argv: string[]] => [
  '/bin/sh',
  // Absolute, so that neither CDPATH nor a folder named "-" leads elsewhere.
  ['/bin/sh', '-c', 'cd "$1" && shift && exec "$@"', 'sh', resolve(cwd), file, ...args],
];
