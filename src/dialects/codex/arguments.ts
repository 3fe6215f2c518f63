/** The arguments of both tools, and what is wrong with them in the words of the original's parser. */
import {
  type Args,
  type BadArgument,
  boolean,
  optional,
  type ParameterKind,
  required,
  string,
} from '../shared/parameters.ts';

export interface CodexExec {
  cmd: string;
  workdir: string | undefined;
  shell: string | undefined;
  login: boolean | undefined;
  tty: boolean;
  yieldMs: number | undefined;
  maxTokens: number | undefined;
}

export interface CodexWrite {
  id: number;
  chars: string;
  yieldMs: number | undefined;
  maxTokens: number | undefined;
}

const unsigned: ParameterKind<number> = {
  words: 'u64',
  is: (it): it is number => Number.isInteger(it) && (it as number) >= 0,
};
const I32 = 2 ** 31;
const signed: ParameterKind<number> = {
  words: 'i32',
  is: (it): it is number => Number.isInteger(it) && (it as number) >= -I32 && (it as number) < I32,
};

export const codexExecOf = (args: Args): CodexExec => ({
  cmd: required(args, 'cmd', string),
  // An empty one is the same as none.
  workdir: optional(args, 'workdir', string) || undefined,
  shell: optional(args, 'shell', string),
  login: optional(args, 'login', boolean),
  tty: optional(args, 'tty', boolean) ?? false,
  yieldMs: optional(args, 'yield_time_ms', unsigned),
  maxTokens: optional(args, 'max_output_tokens', unsigned),
});

export const codexWriteOf = (args: Args): CodexWrite => ({
  id: required(args, 'session_id', signed),
  chars: optional(args, 'chars', string) ?? '',
  yieldMs: optional(args, 'yield_time_ms', unsigned),
  maxTokens: optional(args, 'max_output_tokens', unsigned),
});

export const codexComplaint = ({ parameter, expected, found }: BadArgument): string =>
  `failed to parse function arguments: ${
    found === undefined
      ? `missing field \`${parameter}\``
      : `invalid type: ${described(found)}, expected ${expected}`
  }`;

const described = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'sequence';
  switch (typeof value) {
    case 'string':
      return `string ${JSON.stringify(value)}`;
    case 'boolean':
      return `boolean \`${value}\``;
    case 'number':
      return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``;
    default:
      return 'map';
  }
};
