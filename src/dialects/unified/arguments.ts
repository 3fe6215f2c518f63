/** The arguments of the four tools. */
import { type Args, boolean, count, optional, required, string } from '../shared/parameters.ts';

export interface Exec {
  cmd: string;
  workdir: string | undefined;
  shell: string | undefined;
  login: boolean;
  yieldMs: number;
  maxTokens: number;
  timeoutMs: number | undefined;
}

export interface Write {
  id: string;
  chars: string;
  yieldMs: number;
  maxTokens: number;
}

export interface Close {
  id: string;
  force: boolean;
}

export const execOf = (args: Args): Exec => ({
  cmd: required(args, 'cmd', string),
  workdir: optional(args, 'workdir', string) || undefined,
  shell: optional(args, 'shell', string),
  login: optional(args, 'login', boolean) ?? false,
  ...collectionOf(args),
  timeoutMs: optional(args, 'timeout_ms', count),
});

export const writeOf = (args: Args): Write => ({
  id: required(args, 'session_id', string),
  chars: optional(args, 'chars', string) ?? '',
  ...collectionOf(args),
});

export const closeOf = (args: Args): Close => ({
  id: required(args, 'session_id', string),
  force: optional(args, 'force', boolean) ?? false,
});

const collectionOf = (args: Args) => ({
  yieldMs: optional(args, 'yield_time_ms', count) ?? 100,
  maxTokens: optional(args, 'max_output_tokens', count) ?? 10_000,
});
