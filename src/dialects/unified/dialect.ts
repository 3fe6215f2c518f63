import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { type Args, argsOf } from '../shared/parameters.ts';
import { messageOf } from '../shared/spawn-error.ts';
import { actingHints, listingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import { unifiedCloseOf, unifiedExecOf, unifiedWriteOf } from './arguments.ts';
import {
  unifiedCloseSession,
  unifiedExecTool,
  unifiedListSessions,
  unifiedWriteStdin,
} from './tools.ts';
import { Unified, type UnifiedOptions } from './unified.ts';

export const unified = (options: UnifiedOptions = {}): Dialect => {
  const sessions = new Unified(options);
  return {
    name: 'unified',
    tools: [
      {
        ...unifiedExecTool,
        hints: actingHints,
        run: answering((args, call) => sessions.exec(unifiedExecOf(args), call)),
      },
      {
        ...unifiedWriteStdin,
        hints: actingHints,
        run: answering((args, call) => sessions.write(unifiedWriteOf(args), call)),
      },
      {
        ...unifiedCloseSession,
        hints: actingHints,
        run: answering((args) => sessions.closeOne(unifiedCloseOf(args))),
      },
      { ...unifiedListSessions, hints: listingHints, run: answering(async () => sessions.list()) },
    ],
    close: () => sessions.close(),
  };
};

/** Every answer is JSON in a text, also that something went wrong. */
const answering =
  (act: (args: Args, call: CallOptions) => Promise<object>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    const result = await resultOf(() => act(argsOf(args), call), call);
    return { text: JSON.stringify(result, undefined, 2), structured: { ...result } };
  };

const resultOf = async (act: () => Promise<object>, { signal }: CallOptions): Promise<object> => {
  try {
    return await act();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof DialectError) return { success: false, error: error.message };
    return { success: false, error: `Unexpected error: ${messageOf(error)}` };
  }
};
