/** Tricode's five tools as a dialect. */
import { TerminalError } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  type Args,
  BadArgument,
  number,
  optional,
  required,
  string,
  toArgs,
} from '../shared/parameters.ts';
import { actingHints, listingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import {
  tricodeCloseSession,
  tricodeListSessions,
  tricodeReadOutput,
  tricodeSendInput,
  tricodeStartSession,
} from './tools.ts';
import { Tricode, type TricodeOptions } from './tricode.ts';

export const tricode = (options: TricodeOptions = {}): Dialect => {
  const sessions = new Tricode(options);
  const readOutputHints = { ...actingHints, destructive: false };
  const id = (args: Args) => required(args, 'session_id', string);
  return {
    name: 'tricode',
    tools: [
      {
        ...tricodeStartSession,
        hints: actingHints,
        run: withErrorText('start session', (args) =>
          sessions.start(
            // Null means a plain shell, but a missing command is a mistake.
            args.command === null ? '' : required(args, 'command', string),
            optional(args, 'shell', string) || '/bin/bash',
          ),
        ),
      },
      {
        ...tricodeSendInput,
        hints: actingHints,
        run: withErrorText('send input', (args) =>
          sessions.send(id(args), required(args, 'input_text', string)),
        ),
      },
      {
        ...tricodeReadOutput,
        hints: readOutputHints,
        run: withErrorText('read output', (args, call) =>
          sessions.read(id(args), optional(args, 'timeout', number) ?? 2, call),
        ),
      },
      {
        ...tricodeCloseSession,
        hints: actingHints,
        run: withErrorText('close session', (args) => sessions.closeOne(id(args))),
      },
      {
        ...tricodeListSessions,
        hints: listingHints,
        run: withErrorText('list sessions', async () => sessions.list()),
      },
    ],
    close: () => sessions.close(),
  };
};

/** `action` completes the sentence "Failed to …". */
const withErrorText =
  (action: string, run: (args: Args, call: CallOptions) => Promise<string>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    try {
      return { text: await run(toArgs(args), call) };
    } catch (error) {
      if (error instanceof DialectError || error instanceof BadArgument)
        return { text: error.message, failed: true };
      if (error instanceof TerminalError)
        return { text: `Failed to ${action}: ${error.message}`, failed: true };
      throw error;
    }
  };
