import { TerminalError } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  type Args,
  argsOf,
  BadArgument,
  number,
  optional,
  required,
  string,
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
  const reads = { ...actingHints, destructive: false };
  const id = (args: Args) => required(args, 'session_id', string);
  return {
    name: 'tricode',
    tools: [
      {
        ...tricodeStartSession,
        hints: actingHints,
        run: answering('start session', (args) =>
          sessions.start(
            // Null is a plain shell; without it something was forgotten.
            args.command === null ? '' : required(args, 'command', string),
            optional(args, 'shell', string) || '/bin/bash',
          ),
        ),
      },
      {
        ...tricodeSendInput,
        hints: actingHints,
        run: answering('send input', (args) =>
          sessions.send(id(args), required(args, 'input_text', string)),
        ),
      },
      {
        ...tricodeReadOutput,
        hints: reads,
        run: answering('read output', (args, call) =>
          sessions.read(id(args), optional(args, 'timeout', number) ?? 2, call),
        ),
      },
      {
        ...tricodeCloseSession,
        hints: actingHints,
        run: answering('close session', (args) => sessions.closeOne(id(args))),
      },
      {
        ...tricodeListSessions,
        hints: listingHints,
        run: answering('list sessions', async () => sessions.list()),
      },
    ],
    close: () => sessions.close(),
  };
};

const answering =
  (deed: string, act: (args: Args, call: CallOptions) => Promise<string>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    try {
      return { text: await act(argsOf(args), call) };
    } catch (error) {
      if (error instanceof DialectError || error instanceof BadArgument)
        return { text: error.message, failed: true };
      if (error instanceof TerminalError)
        return { text: `Failed to ${deed}: ${error.message}`, failed: true };
      throw error;
    }
  };
