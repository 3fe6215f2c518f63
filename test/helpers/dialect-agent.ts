/** An agent that calls the tools of a dialect: through a real MCP client, or in this process. */
import { afterAll, beforeAll } from 'vitest';
import { mergeDialects } from '../../src/dialects/merge-dialects.ts';
import type { Dialect } from '../../src/dialects/tool.ts';
import { caller, type Door, overStdio } from './mcp/doors.ts';

export interface Told {
  text: string;
  failed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what a client gets from the wire has no type.
  structured: any;
}

/** A signal cancels the call, where it is made in this process. */
export type Call = (
  tool: string,
  args?: Record<string, unknown>,
  signal?: AbortSignal,
) => Promise<Told>;

export const modes = [
  { mode: 'with early returns', flags: [] },
  { mode: 'with strict waits', flags: ['--strict-waits'] },
] as const;

/** One server for the tests around it, as a client starts it; gone after them. */
export const server = (dialects: readonly string[], flags: readonly string[] = []): Call => {
  let door: Door;
  beforeAll(async () => {
    const named = dialects.flatMap((name) => ['--dialect', name]);
    door = await overStdio('2025-11-25', [...named, ...flags]);
  });
  afterAll(() => door.close());
  return (tool, args) => caller(door.client)(tool, args);
};

/** For what takes minutes, or other limits. The caller closes the dialects. */
export const inProcess = (...dialects: readonly Dialect[]): Call => {
  const tools = mergeDialects(dialects).flatMap((dialect) => dialect.tools);
  return async (name, args = {}, signal) => {
    const tool = tools.find((each) => each.name === name)!;
    const call = signal ? { signal } : {};
    const { text, structured, failed = false } = await tool.run(args, call);
    return { text, structured, failed };
  };
};

/** A busy machine may need longer than an example gives it: then it is asked again. */
export const eventually = async (
  first: Promise<Told>,
  again: () => Promise<Told>,
  output: (told: Told) => string,
  holds: (all: string, last: Told) => boolean,
): Promise<{ all: string; last: Told }> => {
  const deadline = performance.now() + 15_000;
  let last = await first;
  let all = output(last);
  while (!holds(all, last)) {
    if (performance.now() > deadline) throw new Error(`Not within 15 s, after: ${all}`);
    last = await again();
    all += output(last);
  }
  return { all, last };
};
