/**
 * Finds the program to run, and explains why a program could not be run.
 *
 * We search the child's PATH, relative to the child's folder, as a shell there would do.
 * posix_spawnp would search our own PATH.
 */
import { accessSync, closeSync, constants, openSync, readSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  ArgumentsTooLarge,
  CwdNotFolder,
  CwdNotFound,
  CwdNotPermitted,
  InterpreterNotFound,
  ProgramNotExecutable,
  ProgramNotFound,
  SpawnFailed,
  type TerminalError,
  UnusableArgument,
} from '../../errors.ts';

export interface ProgramRequest {
  /** A path, or a name that is looked up in `env.PATH`. */
  program: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** @default the umask of this process */
  umask?: number;
  /** What it can read from descriptor 3. */
  given?: Uint8Array;
  /** Called with its pid, before anything else is awaited. */
  onLoaded?(pid: number): void;
  /**
   * Called with the pid when the program has been loaded. The program waits for it at descriptor 4, which
   * then ends; if it fails, the program is killed. Only beside `given`.
   */
  beforeStart?(pid: number): Promise<void>;
  /** It starts the actual program in a process namespace of its own: see terminal/sandboxed-program.ts. */
  isSandbox?: boolean;
}

/** The folders that execvp(3) searches if the environment has no PATH. */
const DEFAULT_PATH = '/bin:/usr/bin';

/** Returns the absolute path of the program. Throws if anything is wrong with the request. */
export const locateProgram = (request: ProgramRequest): string => {
  const { program, cwd, env } = request;
  checkStrings(request);
  checkCwd(cwd);
  const path = program.includes('/') ? resolve(cwd, program) : search(program, cwd, env);
  if (!exists(path)) throw new ProgramNotFound(program, []);
  checkExecutable(path, cwd);
  return path;
};

const search = (program: string, cwd: string, env: ProgramRequest['env']): string => {
  // An empty entry means the current folder. This is an old rule, and execvp(3) still follows it.
  const folders = (env.PATH ?? DEFAULT_PATH).split(':').map((folder) => resolve(cwd, folder));
  const candidates = folders.map((folder) => `${folder}/${program}`).filter(isFile);
  const found = candidates.find(isExecutable) ?? candidates[0];
  if (found === undefined) throw new ProgramNotFound(program, folders);
  return found;
};

/** Turns an errno of posix_spawn into an error, for a request that `locateProgram` has accepted. */
export const explainSpawnError = (
  errno: string,
  path: string,
  request: ProgramRequest,
): TerminalError => {
  switch (errno) {
    case 'E2BIG':
      return tooLarge(request);
    case 'ENOENT':
      // Everything that the request names exists, so a file that the binary itself names is missing.
      return new InterpreterNotFound(path, 'its dynamic loader');
    case 'EACCES':
      return new ProgramNotExecutable(path, 'the system does not permit it (a noexec mount?)');
    default:
      return new SpawnFailed(path, errno);
  }
};

const checkStrings = ({ program, args, cwd, env }: ProgramRequest) => {
  if (program === '') throw new UnusableArgument('The program name', 'it is empty');
  const strings: [what: string, value: string][] = [
    ['The program name', program],
    ['The cwd', cwd],
    ...args.map((arg, at): [string, string] => [`Argument ${at + 1}`, arg]),
  ];
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || name.includes('=')) {
      throw new UnusableArgument(`The variable name "${name}"`, 'it is empty or has a "=" in it');
    }
    strings.push([`The variable ${JSON.stringify(name)}`, `${name}${value ?? ''}`]);
  }
  for (const [what, value] of strings) {
    if (value.includes('\0')) throw new UnusableArgument(what, 'it contains a NUL byte');
  }
};

const checkCwd = (cwd: string) => {
  const stat = statOf(cwd);
  if (stat === undefined) throw new CwdNotFound(cwd);
  if (!stat.isDirectory()) throw new CwdNotFolder(cwd);
  if (!isExecutable(cwd)) throw new CwdNotPermitted(cwd);
};

const checkExecutable = (path: string, cwd: string) => {
  if (!isFile(path)) throw new ProgramNotExecutable(path, 'it is a folder, or otherwise no file');
  if (!isExecutable(path)) {
    throw new ProgramNotExecutable(
      path,
      `this user has no permission to execute it; if it is meant to be run: chmod +x ${path}`,
    );
  }
  const interpreter = interpreterOf(path);
  if (interpreter === undefined || isExecutable(resolve(cwd, interpreter))) return;
  if (!exists(resolve(cwd, interpreter))) throw new InterpreterNotFound(path, interpreter);
  throw new ProgramNotExecutable(path, `its "${interpreter}" may not be executed by this user`);
};

const tooLarge = ({ program, args, env }: ProgramRequest) => {
  const sizes: [what: string, bytes: number][] = [
    ...args.map((arg, at): [string, number] => [`argument ${at + 1}`, Buffer.byteLength(arg)]),
    ...Object.entries(env).map(([name, value]): [string, number] => [
      `the variable ${name}`,
      Buffer.byteLength(`${name}=${value ?? ''}`),
    ]),
  ];
  const [what, bytes] = sizes.reduce((a, b) => (b[1] > a[1] ? b : a), ['nothing', 0]);
  return new ArgumentsTooLarge(program, what, bytes);
};

/** How many bytes of a script the kernel reads to find its interpreter (linux/binfmts.h). */
const BINPRM_BUF_SIZE = 256;

const interpreterOf = (path: string): string | undefined => {
  const head = Buffer.alloc(BINPRM_BUF_SIZE);
  try {
    const fd = openSync(path, 'r');
    try {
      readSync(fd, head);
    } finally {
      closeSync(fd);
    }
  } catch {
    // A file can be executable without being readable.
    return undefined;
  }
  return /^#![ \t]*([^ \t\n\0]+)/.exec(head.toString('utf8'))?.[1];
};

const statOf = (path: string) => {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
};

const exists = (path: string) => statOf(path) !== undefined;
const isFile = (path: string) => statOf(path)?.isFile() ?? false;

const isExecutable = (path: string) => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};
