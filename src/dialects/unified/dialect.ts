/** The four tools of the Python agent as a dialect. */
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { runToolAsJson } from '../shared/json-tool.ts';
import { errorMessageOf } from '../shared/spawn-error.ts';
import { actingHints, listingHints } from '../shared/tool-hints.ts';
import type { Dialect } from '../tool.ts';
import { parseUnifiedCloseArgs, parseUnifiedExecArgs, parseUnifiedWriteArgs } from './arguments.ts';
import {
  unifiedCloseSessionTool,
  unifiedExecTool,
  unifiedListSessionsTool,
  unifiedWriteStdinTool,
} from './tools.ts';
import { type UnifiedOptions, UnifiedSessions } from './unified-sessions.ts';

export const unified = (options: UnifiedOptions = {}): Dialect => {
  const sessions = new UnifiedSessions(options);
  const json = { errorObject, indent: 2 };
  return {
    name: 'unified',
    tools: [
      {
        ...unifiedExecTool,
        hints: actingHints,
        run: runToolAsJson((args, call) => sessions.exec(parseUnifiedExecArgs(args), call), json),
      },
      {
        ...unifiedWriteStdinTool,
        hints: actingHints,
        run: runToolAsJson((args, call) => sessions.write(parseUnifiedWriteArgs(args), call), json),
      },
      {
        ...unifiedCloseSessionTool,
        hints: actingHints,
        run: runToolAsJson((args) => sessions.closeOne(parseUnifiedCloseArgs(args)), json),
      },
      {
        ...unifiedListSessionsTool,
        hints: listingHints,
        run: runToolAsJson(async () => sessions.list(), json),
      },
    ],
    close: () => sessions.close(),
  };
};

/** Every error is a result. Only a cancelled call throws. */
const errorObject = (error: unknown, { signal }: CallOptions): object => {
  if (signal?.aborted) throw error;
  const message =
    error instanceof DialectError ? error.message : `Unexpected error: ${errorMessageOf(error)}`;
  return { success: false, error: message };
};
