/** Parses the arguments of the four tools. */
import {
  type Args,
  boolean,
  nonNegativeInteger,
  optional,
  required,
  string,
} from '../shared/parameters.ts';

export interface UnifiedExec {
  cmd: string;
  workdir: string | undefined;
  shell: string | undefined;
  login: boolean;
  yieldMs: number;
  maxTokens: number;
  timeoutMs: number | undefined;
}

export interface UnifiedWrite {
  id: string;
  chars: string;
  yieldMs: number;
  maxTokens: number;
}

export interface UnifiedClose {
  id: string;
  force: boolean;
}

export const parseUnifiedExec = (args: Args): UnifiedExec => ({
  cmd: required(args, 'cmd', string),
  workdir: optional(args, 'workdir', string) || undefined,
  shell: optional(args, 'shell', string),
  login: optional(args, 'login', boolean) ?? false,
  ...parseCollectOptions(args),
  timeoutMs: optional(args, 'timeout_ms', nonNegativeInteger),
});

export const parseUnifiedWrite = (args: Args): UnifiedWrite => ({
  id: required(args, 'session_id', string),
  chars: optional(args, 'chars', string) ?? '',
  ...parseCollectOptions(args),
});

export const parseUnifiedClose = (args: Args): UnifiedClose => ({
  id: required(args, 'session_id', string),
  force: optional(args, 'force', boolean) ?? false,
});

const parseCollectOptions = (args: Args) => ({
  yieldMs: optional(args, 'yield_time_ms', nonNegativeInteger) ?? 100,
  maxTokens: optional(args, 'max_output_tokens', nonNegativeInteger) ?? 10_000,
});
