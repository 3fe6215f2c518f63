/** Parses the arguments of the three tools. */

import { DialectError } from '../shared/dialect-error.ts';
import {
  type Args,
  BadArgument,
  boolean,
  integer,
  number,
  optional,
  string,
  stringMap,
} from '../shared/parameters.ts';

export interface HiveOpen {
  cwd: string | undefined;
  env: Readonly<Record<string, string>> | undefined;
  cols: number;
  rows: number;
  idleSeconds: number;
}

export interface HiveRun {
  id: string;
  command: string | undefined;
  expect: string | undefined;
  raw: boolean;
  readOnly: boolean;
  seconds: number;
}

export interface HiveClose {
  id: string;
  force: boolean;
}

export const parseHiveOpen = (args: Args): HiveOpen => {
  rejectOtherShells(args.shell);
  return {
    cwd: (optional(args, 'cwd', string) ?? optional(args, 'session_cwd', string)) || undefined,
    env: optional(args, 'env', stringMap),
    cols: optional(args, 'cols', integer) ?? 120,
    rows: optional(args, 'rows', integer) ?? 40,
    idleSeconds: optional(args, 'idle_timeout_sec', number) ?? 1800,
  };
};

export const parseHiveRun = (args: Args): HiveRun => ({
  id: parseSessionId(args),
  command: optional(args, 'command', string),
  expect: optional(args, 'expect', string),
  raw: optional(args, 'raw_send', boolean) ?? false,
  readOnly: optional(args, 'read_only', boolean) ?? false,
  seconds: Math.max(0, optional(args, 'timeout_sec', number) ?? 60),
});

export const parseHiveClose = (args: Args): HiveClose => ({
  id: parseSessionId(args),
  force: optional(args, 'force', boolean) ?? false,
});

/** The skill treats the whole result of open as the id, so that object is accepted too. */
const parseSessionId = ({ session_id: value }: Args): string => {
  const id =
    typeof value === 'object' && value !== null
      ? (value as { session_id?: unknown }).session_id
      : value;
  if (!string.is(id)) throw new BadArgument('session_id', string.description, id);
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
