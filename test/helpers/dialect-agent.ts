/** Calls the tools of a dialect as an agent does: through a real MCP client, or in this process. */
import { afterAll, beforeAll } from 'vitest';
import { mergeDialects } from '../../src/dialects/merge-dialects.ts';
import type { Dialect } from '../../src/dialects/tool.ts';
import { type Told as CallResult, caller, type Door, overStdio } from './mcp/doors.ts';
import { sharedFolder } from './temporary-folder.ts';

export type { CallResult };

/** The signal cancels the call. It works only in this process. */
export type Call = (
  tool: string,
  args?: Record<string, unknown>,
  signal?: AbortSignal,
) => Promise<CallResult>;

export const modes = [
  { mode: 'with early returns', flags: [] },
  { mode: 'with strict waits', flags: ['--strict-waits'] },
] as const;

/** Starts one server for all tests of the current `describe`, as a client does. */
export const serverFor = (dialects: readonly string[], flags: readonly string[] = []): Call => {
  let door: Door;
  beforeAll(async () => {
    const dialectFlags = dialects.flatMap((name) => ['--dialect', name]);
    // `SANDBOX=workspace npx vitest run test/dialects`: the contracts hold in a sandbox as well.
    const { SANDBOX } = process.env;
    const sandboxFlags = SANDBOX ? ['--sandbox', SANDBOX, '--workspace', sharedFolder] : [];
    door = await overStdio('2025-11-25', [...dialectFlags, ...flags, ...sandboxFlags]);
  });
  afterAll(() => door.close());
  return (tool, args) => caller(door.client)(tool, args);
};

/** For tests that move the clock or change limits. The caller closes the dialects. */
export const inProcess = (...dialects: readonly Dialect[]): Call => {
  const tools = mergeDialects(dialects).flatMap((dialect) => dialect.tools);
  return async (name, args = {}, signal) => {
    const tool = tools.find((candidate) => candidate.name === name)!;
    const call = signal ? { signal } : {};
    const { text, structured, failed = false } = await tool.run(args, call);
    return { text, structured, failed };
  };
};

/** Repeats a call until `isDone`: a busy machine may need longer than an example allows. */
export const eventually = async (
  first: Promise<CallResult>,
  again: () => Promise<CallResult>,
  output: (result: CallResult) => string,
  isDone: (all: string, last: CallResult) => boolean,
): Promise<{ all: string; last: CallResult }> => {
  const deadline = performance.now() + 15_000;
  let last = await first;
  let all = output(last);
  while (!isDone(all, last)) {
    if (performance.now() > deadline) throw new Error(`Not within 15 s, after: ${all}`);
    last = await again();
    all += output(last);
  }
  return { all, last };
};
