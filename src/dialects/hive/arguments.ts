/** Parses the arguments of the three tools. */

import { DialectError } from '../shared/dialect-error.ts';
import {
  BadArgumentError,
  booleanParameter,
  integerParameter,
  numberParameter,
  optionalArgument,
  stringMapParameter,
  stringParameter,
  type ToolArguments,
} from '../shared/parameters.ts';

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
      (optionalArgument(args, 'cwd', stringParameter) ??
        optionalArgument(args, 'session_cwd', stringParameter)) ||
      undefined,
    env: optionalArgument(args, 'env', stringMapParameter),
    cols: optionalArgument(args, 'cols', integerParameter) ?? 120,
    rows: optionalArgument(args, 'rows', integerParameter) ?? 40,
    idleSeconds: optionalArgument(args, 'idle_timeout_sec', numberParameter) ?? 1800,
  };
};

export const parseHiveRunArgs = (args: ToolArguments): HiveRunArgs => ({
  id: parseSessionId(args),
  command: optionalArgument(args, 'command', stringParameter),
  expect: optionalArgument(args, 'expect', stringParameter),
  raw: optionalArgument(args, 'raw_send', booleanParameter) ?? false,
  readOnly: optionalArgument(args, 'read_only', booleanParameter) ?? false,
  seconds: Math.max(0, optionalArgument(args, 'timeout_sec', numberParameter) ?? 60),
});

export const parseHiveCloseArgs = (args: ToolArguments): HiveCloseArgs => ({
  id: parseSessionId(args),
  force: optionalArgument(args, 'force', booleanParameter) ?? false,
});

/** The skill treats the whole result of open as the id, so that object is accepted too. */
const parseSessionId = ({ session_id: value }: ToolArguments): string => {
  const id =
    typeof value === 'object' && value !== null
      ? (value as { session_id?: unknown }).session_id
      : value;
  if (!stringParameter.is(id))
    throw new BadArgumentError('session_id', stringParameter.description, id);
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
