/** The four tools of the Python agent as a dialect. */
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { runAsJson } from '../shared/json-tool.ts';
import { messageOf } from '../shared/spawn-error.ts';
import { actingHints, listingHints } from '../shared/tool-hints.ts';
import type { Dialect } from '../tool.ts';
import { parseUnifiedClose, parseUnifiedExec, parseUnifiedWrite } from './arguments.ts';
import {
  unifiedCloseSession,
  unifiedExecTool,
  unifiedListSessions,
  unifiedWriteStdin,
} from './tools.ts';
import { Unified, type UnifiedOptions } from './unified.ts';

export const unified = (options: UnifiedOptions = {}): Dialect => {
  const sessions = new Unified(options);
  const json = { errorObject, indent: 2 };
  return {
    name: 'unified',
    tools: [
      {
        ...unifiedExecTool,
        hints: actingHints,
        run: runAsJson((args, call) => sessions.exec(parseUnifiedExec(args), call), json),
      },
      {
        ...unifiedWriteStdin,
        hints: actingHints,
        run: runAsJson((args, call) => sessions.write(parseUnifiedWrite(args), call), json),
      },
      {
        ...unifiedCloseSession,
        hints: actingHints,
        run: runAsJson((args) => sessions.closeOne(parseUnifiedClose(args)), json),
      },
      {
        ...unifiedListSessions,
        hints: listingHints,
        run: runAsJson(async () => sessions.list(), json),
      },
    ],
    close: () => sessions.close(),
  };
};

/** Every error is a result. Only a cancelled call throws. */
const errorObject = (error: unknown, { signal }: CallOptions): object => {
  if (signal?.aborted) throw error;
  const message =
    error instanceof DialectError ? error.message : `Unexpected error: ${messageOf(error)}`;
  return { success: false, error: message };
};
