/** Hive's three tools as a dialect. */
import { TerminalError } from '../../errors.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { runAsJson } from '../shared/json-tool.ts';
import { BadArgument } from '../shared/parameters.ts';
import { actingHints } from '../shared/tool-hints.ts';
import type { Dialect } from '../tool.ts';
import { parseHiveClose, parseHiveOpen, parseHiveRun } from './arguments.ts';
import { BlockedCommand, Hive, type HiveOptions } from './hive.ts';
import { hiveCloseTool, hiveOpenTool, hiveRunTool } from './tools.ts';

export const hive = (options: HiveOptions = {}): Dialect => {
  const shells = new Hive(options);
  return {
    name: 'hive',
    tools: [
      {
        ...hiveOpenTool,
        hints: actingHints,
        run: runAsJson((args) => shells.open(parseHiveOpen(args)), { errorObject }),
      },
      {
        ...hiveRunTool,
        hints: actingHints,
        run: runAsJson((args, call) => shells.run(parseHiveRun(args), call), { errorObject }),
      },
      {
        ...hiveCloseTool,
        hints: actingHints,
        run: runAsJson((args) => shells.closeOne(parseHiveClose(args)), { errorObject }),
      },
    ],
    close: () => shells.close(),
  };
};

/** An error is a normal result with an `error` field. */
const errorObject = (error: unknown): object => {
  if (error instanceof BlockedCommand) return { error: error.message, blocked: true };
  const isForAgent =
    error instanceof DialectError || error instanceof BadArgument || error instanceof TerminalError;
  if (isForAgent) return { error: error.message };
  throw error;
};
