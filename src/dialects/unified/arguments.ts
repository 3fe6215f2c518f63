/** Parses the arguments of the four tools. */
import {
  booleanArgumentType,
  nonNegativeIntegerArgumentType,
  readOptionalArgument,
  readRequiredArgument,
  stringArgumentType,
  type ToolArguments,
} from '../shared/read-arguments.ts';

export interface UnifiedExecArgs {
  cmd: string;
  workdir: string | undefined;
  shell: string | undefined;
  login: boolean;
  yieldMs: number;
  maxTokens: number;
  timeoutMs: number | undefined;
}

export interface UnifiedWriteArgs {
  id: string;
  chars: string;
  yieldMs: number;
  maxTokens: number;
}

export interface UnifiedCloseArgs {
  id: string;
  force: boolean;
}

export const parseUnifiedExecArgs = (args: ToolArguments): UnifiedExecArgs => ({
  cmd: readRequiredArgument(args, 'cmd', stringArgumentType),
  workdir: readOptionalArgument(args, 'workdir', stringArgumentType) || undefined,
  shell: readOptionalArgument(args, 'shell', stringArgumentType),
  login: readOptionalArgument(args, 'login', booleanArgumentType) ?? false,
  ...parseCollectOptions(args),
  timeoutMs: readOptionalArgument(args, 'timeout_ms', nonNegativeIntegerArgumentType),
});

export const parseUnifiedWriteArgs = (args: ToolArguments): UnifiedWriteArgs => ({
  id: readRequiredArgument(args, 'session_id', stringArgumentType),
  chars: readOptionalArgument(args, 'chars', stringArgumentType) ?? '',
  ...parseCollectOptions(args),
});

export const parseUnifiedCloseArgs = (args: ToolArguments): UnifiedCloseArgs => ({
  id: readRequiredArgument(args, 'session_id', stringArgumentType),
  force: readOptionalArgument(args, 'force', booleanArgumentType) ?? false,
});

const parseCollectOptions = (args: ToolArguments) => ({
  yieldMs: readOptionalArgument(args, 'yield_time_ms', nonNegativeIntegerArgumentType) ?? 100,
  maxTokens:
    readOptionalArgument(args, 'max_output_tokens', nonNegativeIntegerArgumentType) ?? 10_000,
});
