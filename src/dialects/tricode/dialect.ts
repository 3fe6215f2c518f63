/** Tricode's five tools as a dialect. */
import { TerminalError } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  BadArgumentError,
  numberArgumentType,
  readOptionalArgument,
  readRequiredArgument,
  stringArgumentType,
  type ToolArguments,
  toToolArguments,
} from '../shared/read-arguments.ts';
import { actingHints, listingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import {
  tricodeCloseSessionTool,
  tricodeListSessionsTool,
  tricodeReadOutputTool,
  tricodeSendInputTool,
  tricodeStartSessionTool,
} from './tools.ts';
import { type TricodeOptions, TricodeSessions } from './tricode-sessions.ts';

export const tricode = (options: TricodeOptions = {}): Dialect => {
  const sessions = new TricodeSessions(options);
  const readOutputHints = { ...actingHints, destructive: false };
  const id = (args: ToolArguments) => readRequiredArgument(args, 'session_id', stringArgumentType);
  return {
    name: 'tricode',
    tools: [
      {
        ...tricodeStartSessionTool,
        hints: actingHints,
        run: withErrorText('start session', (args, call) =>
          sessions.start(
            readOptionalArgument(args, 'command', stringArgumentType) ?? '',
            readOptionalArgument(args, 'shell', stringArgumentType) || '/bin/bash',
            call,
          ),
        ),
      },
      {
        ...tricodeSendInputTool,
        hints: actingHints,
        run: withErrorText('send input', (args, call) =>
          sessions.send(
            id(args),
            readRequiredArgument(args, 'input_text', stringArgumentType),
            call,
          ),
        ),
      },
      {
        ...tricodeReadOutputTool,
        hints: readOutputHints,
        run: withErrorText('read output', (args, call) =>
          sessions.read(
            id(args),
            readOptionalArgument(args, 'timeout', numberArgumentType) ?? 2,
            call,
          ),
        ),
      },
      {
        ...tricodeCloseSessionTool,
        hints: actingHints,
        run: withErrorText('close session', (args) => sessions.closeOne(id(args))),
      },
      {
        ...tricodeListSessionsTool,
        hints: listingHints,
        run: withErrorText('list sessions', async () => sessions.list()),
      },
    ],
    close: () => sessions.close(),
  };
};

/** `action` completes the sentence "Failed to …". */
const withErrorText =
  (action: string, run: (args: ToolArguments, call: CallOptions) => Promise<string>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    try {
      return { text: await run(toToolArguments(args), call) };
    } catch (error) {
      if (error instanceof DialectError || error instanceof BadArgumentError)
        return { text: error.message, failed: true };
      if (error instanceof TerminalError)
        return { text: `Failed to ${action}: ${error.message}`, failed: true };
      throw error;
    }
  };
