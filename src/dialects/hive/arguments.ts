/** Parses the arguments of the three tools. */

import { DialectError } from '../shared/dialect-error.ts';
import {
  BadArgumentError,
  booleanArgumentType,
  integerArgumentType,
  numberArgumentType,
  readOptionalArgument,
  stringArgumentType,
  stringMapArgumentType,
  type ToolArguments,
} from '../shared/read-arguments.ts';

export interface HiveOpenArgs {
  cwd: string | undefined;
  env: Readonly<Record<string, string>> | undefined;
  cols: number;
  rows: number;
  idleSeconds: number;
}

export interface HiveRunArgs {
  id: string;
  command: string | undefined;
  expect: string | undefined;
  raw: boolean;
  readOnly: boolean;
  seconds: number;
}

export interface HiveCloseArgs {
  id: string;
  force: boolean;
}

export const parseHiveOpenArgs = (args: ToolArguments): HiveOpenArgs => {
  rejectOtherShells(args.shell);
  return {
    cwd:
      (readOptionalArgument(args, 'cwd', stringArgumentType) ??
        readOptionalArgument(args, 'session_cwd', stringArgumentType)) ||
      undefined,
    env: readOptionalArgument(args, 'env', stringMapArgumentType),
    cols: readOptionalArgument(args, 'cols', integerArgumentType) ?? 120,
    rows: readOptionalArgument(args, 'rows', integerArgumentType) ?? 40,
    idleSeconds: readOptionalArgument(args, 'idle_timeout_sec', numberArgumentType) ?? 1800,
  };
};

const DEFAULT_SECONDS = 60;
/** Many clients give up a call after 60 seconds, and a silent program would take all of them. */
const DEFAULT_DRAIN_SECONDS = 2;

export const parseHiveRunArgs = (args: ToolArguments): HiveRunArgs => {
  const readOnly = readOptionalArgument(args, 'read_only', booleanArgumentType) ?? false;
  const seconds = readOptionalArgument(args, 'timeout_sec', numberArgumentType);
  return {
    id: parseSessionId(args),
    command: readOptionalArgument(args, 'command', stringArgumentType),
    expect: readOptionalArgument(args, 'expect', stringArgumentType),
    raw: readOptionalArgument(args, 'raw_send', booleanArgumentType) ?? false,
    readOnly,
    seconds: Math.max(0, seconds ?? (readOnly ? DEFAULT_DRAIN_SECONDS : DEFAULT_SECONDS)),
  };
};

export const parseHiveCloseArgs = (args: ToolArguments): HiveCloseArgs => ({
  id: parseSessionId(args),
  force: readOptionalArgument(args, 'force', booleanArgumentType) ?? false,
});

/** The skill treats the whole result of open as the id, so that object is accepted too. */
const parseSessionId = ({ session_id: value }: ToolArguments): string => {
  const id =
    typeof value === 'object' && value !== null
      ? (value as { session_id?: unknown }).session_id
      : value;
  if (!stringArgumentType.is(id))
    throw new BadArgumentError('session_id', stringArgumentType.description, id);
  return id;
};

const rejectOtherShells = (shell: unknown): void => {
  if (shell === undefined || shell === null || shell === true) return;
  if (shell === 'bash' || shell === '/bin/bash') return;
  const rejected = `shell='${String(shell)}' rejected: terminal-tools is bash-only on POSIX.`;
  throw new DialectError(/zsh/i.test(String(shell)) ? `${rejected} ${WHY_NOT_ZSH}` : rejected);
};

const WHY_NOT_ZSH =
  'Use shell=True (bash) or omit the shell parameter to exec directly. This is a deliberate security stance — zsh has command/builtin classes (zmodload, =cmd, zpty, ztcp) that bypass bash-shaped checks.';
