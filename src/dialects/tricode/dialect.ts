import { TerminalError } from '../../errors.ts';
import type { Call } from '../../session/sessions.ts';
import { Refusal } from '../shared/dialect-error.ts';
import {
  type Args,
  argsOf,
  BadArgument,
  number,
  optional,
  required,
  string,
} from '../shared/parameters.ts';
import { acts, lists } from '../shared/tool-hints.ts';
import type { Answer, Dialect } from '../tool.ts';
import { closeSession, listSessions, readOutput, sendInput, startSession } from './tools.ts';
import { Tricode, type TricodeOptions } from './tricode.ts';

export const tricode = (options: TricodeOptions = {}): Dialect => {
  const sessions = new Tricode(options);
  const reads = { ...acts, destructive: false };
  const id = (args: Args) => required(args, 'session_id', string);
  return {
    name: 'tricode',
    tools: [
      {
        ...startSession,
        hints: acts,
        run: answering('start session', (args) =>
          sessions.start(
            // Null is a plain shell; without it something was forgotten.
            args.command === null ? '' : required(args, 'command', string),
            optional(args, 'shell', string) || '/bin/bash',
          ),
        ),
      },
      {
        ...sendInput,
        hints: acts,
        run: answering('send input', (args) =>
          sessions.send(id(args), required(args, 'input_text', string)),
        ),
      },
      {
        ...readOutput,
        hints: reads,
        run: answering('read output', (args, call) =>
          sessions.read(id(args), optional(args, 'timeout', number) ?? 2, call),
        ),
      },
      {
        ...closeSession,
        hints: acts,
        run: answering('close session', (args) => sessions.closeOne(id(args))),
      },
      {
        ...listSessions,
        hints: lists,
        run: answering('list sessions', async () => sessions.list()),
      },
    ],
    close: () => sessions.close(),
  };
};

const answering =
  (deed: string, act: (args: Args, call: Call) => Promise<string>) =>
  async (args: unknown, call: Call): Promise<Answer> => {
    try {
      return { text: await act(argsOf(args), call) };
    } catch (error) {
      if (error instanceof Refusal || error instanceof BadArgument)
        return { text: error.message, failed: true };
      if (error instanceof TerminalError)
        return { text: `Failed to ${deed}: ${error.message}`, failed: true };
      throw error;
    }
  };
