/** Parses the arguments of the four tools. */
import {
  booleanParameter,
  nonNegativeIntegerParameter,
  optionalArgument,
  requiredArgument,
  stringParameter,
  type ToolArguments,
} from '../shared/parameters.ts';

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
  cmd: requiredArgument(args, 'cmd', stringParameter),
  workdir: optionalArgument(args, 'workdir', stringParameter) || undefined,
  shell: optionalArgument(args, 'shell', stringParameter),
  login: optionalArgument(args, 'login', booleanParameter) ?? false,
  ...parseCollectOptions(args),
  timeoutMs: optionalArgument(args, 'timeout_ms', nonNegativeIntegerParameter),
});

export const parseUnifiedWriteArgs = (args: ToolArguments): UnifiedWriteArgs => ({
  id: requiredArgument(args, 'session_id', stringParameter),
  chars: optionalArgument(args, 'chars', stringParameter) ?? '',
  ...parseCollectOptions(args),
});

export const parseUnifiedCloseArgs = (args: ToolArguments): UnifiedCloseArgs => ({
  id: requiredArgument(args, 'session_id', stringParameter),
  force: optionalArgument(args, 'force', booleanParameter) ?? false,
});

const parseCollectOptions = (args: ToolArguments) => ({
  yieldMs: optionalArgument(args, 'yield_time_ms', nonNegativeIntegerParameter) ?? 100,
  maxTokens: optionalArgument(args, 'max_output_tokens', nonNegativeIntegerParameter) ?? 10_000,
});
