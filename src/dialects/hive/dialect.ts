import { TerminalError } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { type Args, argsOf, BadArgument } from '../shared/parameters.ts';
import { actingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import { hiveCloseOf, hiveOpenOf, hiveRunOf } from './arguments.ts';
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
        run: answering((args) => shells.open(hiveOpenOf(args))),
      },
      {
        ...hiveRunTool,
        hints: actingHints,
        run: answering((args, call) => shells.run(hiveRunOf(args), call)),
      },
      {
        ...hiveCloseTool,
        hints: actingHints,
        run: answering((args) => shells.closeOne(hiveCloseOf(args))),
      },
    ],
    close: () => shells.close(),
  };
};

/** Errors are results like others, with a field for what went wrong. */
const answering =
  (act: (args: Args, call: CallOptions) => Promise<object>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    const result = await resultOf(() => act(argsOf(args), call));
    return { text: JSON.stringify(result), structured: { ...result } };
  };

const resultOf = async (act: () => Promise<object>): Promise<object> => {
  try {
    return await act();
  } catch (error) {
    return errorOf(error);
  }
};

const errorOf = (error: unknown): object => {
  if (error instanceof BlockedCommand) return { error: error.message, blocked: true };
  const isToldSo =
    error instanceof DialectError || error instanceof BadArgument || error instanceof TerminalError;
  if (isToldSo) return { error: error.message };
  throw error;
};
