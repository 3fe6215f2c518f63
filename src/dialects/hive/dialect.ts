/** Hive's three tools as a dialect. */
import { TerminalError } from '../../errors.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { runToolAsJson } from '../shared/json-tool.ts';
import { BadArgumentError } from '../shared/read-arguments.ts';
import { isRefusal } from '../shared/spawn-error.ts';
import { actingHints } from '../shared/tool-hints.ts';
import type { Dialect } from '../tool.ts';
import { parseHiveCloseArgs, parseHiveOpenArgs, parseHiveRunArgs } from './arguments.ts';
import { BlockedCommandError, type HiveOptions, HiveSessions } from './hive-sessions.ts';
import { hiveCloseTool, hiveOpenTool, hiveRunTool } from './tools.ts';

export const hive = (options: HiveOptions = {}): Dialect => {
  const shells = new HiveSessions(options);
  return {
    name: 'hive',
    tools: [
      {
        ...hiveOpenTool,
        hints: actingHints,
        run: runToolAsJson((args, call) => shells.open(parseHiveOpenArgs(args), call), {
          errorObject,
        }),
      },
      {
        ...hiveRunTool,
        hints: actingHints,
        run: runToolAsJson((args, call) => shells.run(parseHiveRunArgs(args), call), {
          errorObject,
        }),
      },
      {
        ...hiveCloseTool,
        hints: actingHints,
        run: runToolAsJson((args) => shells.closeOne(parseHiveCloseArgs(args)), { errorObject }),
      },
    ],
    close: () => shells.close(),
  };
};

/** An error is a normal result with an `error` field. */
const errorObject = (error: unknown): object => {
  if (error instanceof BlockedCommandError) return { error: error.message, blocked: true };
  if (isRefusal(error)) return { error: `BLOCKED: ${error.message}`, blocked: true };
  const isForAgent =
    error instanceof DialectError ||
    error instanceof BadArgumentError ||
    error instanceof TerminalError;
  if (isForAgent) return { error: error.message };
  throw error;
};
