/** Why a program could not be started, in the operating system's words, which agents know. */
import { PolicyBroken, RefusedByPolicy, TerminalError } from '../../errors.ts';

export interface SystemErrorWords {
  errno: number;
  /** The text of strerror(3). */
  text: string;
  /** The name of Python's exception. */
  type: string;
  /** The file or folder that caused it. */
  path: string | undefined;
}

const missing = { errno: 2, text: 'No such file or directory', type: 'FileNotFoundError' };
const denied = { errno: 13, text: 'Permission denied', type: 'PermissionError' };
const notFolder = { errno: 20, text: 'Not a directory', type: 'NotADirectoryError' };

const errors: Readonly<Record<string, Omit<SystemErrorWords, 'path'>>> = {
  CWD_NOT_FOUND: missing,
  CWD_NOT_FOLDER: notFolder,
  CWD_NOT_PERMITTED: denied,
  PROGRAM_NOT_FOUND: missing,
  PROGRAM_NOT_EXECUTABLE: denied,
  INTERPRETER_NOT_FOUND: missing,
};

/** Undefined for any other kind of failure. */
export const systemErrorWordsOf = (error: unknown): SystemErrorWords | undefined => {
  if (!(error instanceof TerminalError)) return undefined;
  const known = errors[error.code];
  const { cwd, program } = error.details as { cwd?: string; program?: string };
  return known && { ...known, path: cwd ?? program };
};

/** `[Errno 2] No such file or directory: '/no/such'` */
export const pythonErrorMessage = (error: unknown): string => {
  const known = systemErrorWordsOf(error);
  if (known === undefined) return errorMessageOf(error);
  const path = known.path === undefined ? '' : `: '${known.path}'`;
  return `[Errno ${known.errno}] ${known.text}${path}`;
};

/** Of the user's policy, or a policy that cannot be had: what is wrong is not the program. */
export const isRefusal = (error: unknown): error is TerminalError =>
  error instanceof RefusedByPolicy || error instanceof PolicyBroken;

export const errorMessageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
