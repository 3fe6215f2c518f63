/** Parses the arguments of both tools. Error messages have the words of openai/codex's own parser. */

import { DialectError } from '../shared/dialect-error.ts';
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

const milliseconds: ArgumentType<number> = {
  description: 'u64',
  is: nonNegativeIntegerArgumentType.is,
};
const tokens: ArgumentType<number> = { ...milliseconds, description: 'usize' };
const I32_LIMIT = 2 ** 31;
const signed: ArgumentType<number> = {
  description: 'i32',
  is: (value): value is number =>
    integerArgumentType.is(value) && value >= -I32_LIMIT && value < I32_LIMIT,
};

export const parseCodexExecArgs = (args: ToolArguments): CodexExecArgs => {
  const parsed = {
    cmd: readRequiredArgument(args, 'cmd', stringArgumentType),
    // An empty string counts as absent.
    workdir: readOptionalArgument(args, 'workdir', stringArgumentType) || undefined,
    shell: readOptionalArgument(args, 'shell', stringArgumentType),
    login: readOptionalArgument(args, 'login', booleanArgumentType),
    tty: readOptionalArgument(args, 'tty', booleanArgumentType) ?? false,
    yieldMs: readOptionalArgument(args, 'yield_time_ms', milliseconds),
    maxTokens: readOptionalArgument(args, 'max_output_tokens', tokens),
  };
  const justification = readOptionalArgument(args, 'justification', stringArgumentType);
  if (justification !== undefined && (args.sandbox_permissions ?? undefined) === undefined)
    throw new DialectError(JUSTIFICATION_ALONE);
  return parsed;
};

const JUSTIFICATION_ALONE =
  '`justification` requires an explicit `sandbox_permissions`; use `sandbox_permissions: "require_escalated"` for unsandboxed execution, or omit `justification`.';

export const parseCodexWriteArgs = (args: ToolArguments): CodexWriteArgs => ({
  id: readRequiredArgument(args, 'session_id', signed),
  chars: readOptionalArgument(args, 'chars', stringArgumentType) ?? '',
  yieldMs: readOptionalArgument(args, 'yield_time_ms', milliseconds),
  maxTokens: readOptionalArgument(args, 'max_output_tokens', tokens),
});

export const codexArgumentError = (error: BadArgumentError): string =>
  `failed to parse function arguments: ${reasonOf(error)}`;

const reasonOf = ({ parameter, expected, found }: BadArgumentError): string => {
  if (found === undefined) return `missing field \`${parameter}\``;
  const isOutOfRange = Number.isInteger(found) && /^[ui]/.test(expected);
  return `invalid ${isOutOfRange ? 'value' : 'type'}: ${describeValue(found)}, expected ${expected}`;
};

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
