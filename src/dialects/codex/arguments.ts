/** Parses the arguments of both tools. Errors use the words of the original's parser. */
import {
  type Args,
  type BadArgument,
  boolean,
  integer,
  nonNegativeInteger,
  optional,
  type ParameterType,
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

const unsigned: ParameterType<number> = {
  description: 'u64',
  is: nonNegativeInteger.is,
};
const I32_LIMIT = 2 ** 31;
const signed: ParameterType<number> = {
  description: 'i32',
  is: (value): value is number => integer.is(value) && value >= -I32_LIMIT && value < I32_LIMIT,
};

export const parseCodexExec = (args: Args): CodexExec => ({
  cmd: required(args, 'cmd', string),
  // An empty string counts as absent.
  workdir: optional(args, 'workdir', string) || undefined,
  shell: optional(args, 'shell', string),
  login: optional(args, 'login', boolean),
  tty: optional(args, 'tty', boolean) ?? false,
  yieldMs: optional(args, 'yield_time_ms', unsigned),
  maxTokens: optional(args, 'max_output_tokens', unsigned),
});

export const parseCodexWrite = (args: Args): CodexWrite => ({
  id: required(args, 'session_id', signed),
  chars: optional(args, 'chars', string) ?? '',
  yieldMs: optional(args, 'yield_time_ms', unsigned),
  maxTokens: optional(args, 'max_output_tokens', unsigned),
});

export const codexArgumentError = ({ parameter, expected, found }: BadArgument): string =>
  `failed to parse function arguments: ${
    found === undefined
      ? `missing field \`${parameter}\``
      : `invalid type: ${describeValue(found)}, expected ${expected}`
  }`;

const describeValue = (value: unknown): string => {
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
