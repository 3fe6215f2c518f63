/** Parses the arguments of both tools. Error messages have the words of openai/codex's own parser. */
import {
  type ArgumentType,
  type BadArgumentError,
  booleanArgumentType,
  integerArgumentType,
  nonNegativeIntegerArgumentType,
  readOptionalArgument,
  readRequiredArgument,
  stringArgumentType,
  type ToolArguments,
} from '../shared/read-arguments.ts';

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

const unsigned: ArgumentType<number> = {
  description: 'u64',
  is: nonNegativeIntegerArgumentType.is,
};
const I32_LIMIT = 2 ** 31;
const signed: ArgumentType<number> = {
  description: 'i32',
  is: (value): value is number =>
    integerArgumentType.is(value) && value >= -I32_LIMIT && value < I32_LIMIT,
};

export const parseCodexExecArgs = (args: ToolArguments): CodexExecArgs => ({
  cmd: readRequiredArgument(args, 'cmd', stringArgumentType),
  // An empty string counts as absent.
  workdir: readOptionalArgument(args, 'workdir', stringArgumentType) || undefined,
  shell: readOptionalArgument(args, 'shell', stringArgumentType),
  login: readOptionalArgument(args, 'login', booleanArgumentType),
  tty: readOptionalArgument(args, 'tty', booleanArgumentType) ?? false,
  yieldMs: readOptionalArgument(args, 'yield_time_ms', unsigned),
  maxTokens: readOptionalArgument(args, 'max_output_tokens', unsigned),
});

export const parseCodexWriteArgs = (args: ToolArguments): CodexWriteArgs => ({
  id: readRequiredArgument(args, 'session_id', signed),
  chars: readOptionalArgument(args, 'chars', stringArgumentType) ?? '',
  yieldMs: readOptionalArgument(args, 'yield_time_ms', unsigned),
  maxTokens: readOptionalArgument(args, 'max_output_tokens', unsigned),
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
