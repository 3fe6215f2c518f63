/** Parses the arguments of both tools. Error messages have the words of openai/codex's own parser. */
import {
  type BadArgumentError,
  booleanParameter,
  integerParameter,
  nonNegativeIntegerParameter,
  optionalArgument,
  type ParameterType,
  requiredArgument,
  stringParameter,
  type ToolArguments,
} from '../shared/parameters.ts';

export interface CodexExecArgs {
  cmd: string;
  workdir: string | undefined;
  shell: string | undefined;
  login: boolean | undefined;
  tty: boolean;
  yieldMs: number | undefined;
  maxTokens: number | undefined;
}

export interface CodexWriteArgs {
  id: number;
  chars: string;
  yieldMs: number | undefined;
  maxTokens: number | undefined;
}

const unsigned: ParameterType<number> = {
  description: 'u64',
  is: nonNegativeIntegerParameter.is,
};
const I32_LIMIT = 2 ** 31;
const signed: ParameterType<number> = {
  description: 'i32',
  is: (value): value is number =>
    integerParameter.is(value) && value >= -I32_LIMIT && value < I32_LIMIT,
};

export const parseCodexExecArgs = (args: ToolArguments): CodexExecArgs => ({
  cmd: requiredArgument(args, 'cmd', stringParameter),
  // An empty string counts as absent.
  workdir: optionalArgument(args, 'workdir', stringParameter) || undefined,
  shell: optionalArgument(args, 'shell', stringParameter),
  login: optionalArgument(args, 'login', booleanParameter),
  tty: optionalArgument(args, 'tty', booleanParameter) ?? false,
  yieldMs: optionalArgument(args, 'yield_time_ms', unsigned),
  maxTokens: optionalArgument(args, 'max_output_tokens', unsigned),
});

export const parseCodexWriteArgs = (args: ToolArguments): CodexWriteArgs => ({
  id: requiredArgument(args, 'session_id', signed),
  chars: optionalArgument(args, 'chars', stringParameter) ?? '',
  yieldMs: optionalArgument(args, 'yield_time_ms', unsigned),
  maxTokens: optionalArgument(args, 'max_output_tokens', unsigned),
});

export const codexArgumentError = ({ parameter, expected, found }: BadArgumentError): string =>
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
