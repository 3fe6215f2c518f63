import type { Call } from '../../session/sessions.ts';
import { Refusal } from '../shared/dialect-error.ts';
import { type Args, argsOf } from '../shared/parameters.ts';
import { messageOf } from '../shared/spawn-error.ts';
import { acts, lists } from '../shared/tool-hints.ts';
import type { Answer, Dialect } from '../tool.ts';
import { closeOf, execOf, writeOf } from './arguments.ts';
import { closeSession, listSessions, unifiedExec, writeStdin } from './tools.ts';
import { Unified, type UnifiedOptions } from './unified.ts';

export const unified = (options: UnifiedOptions = {}): Dialect => {
  const sessions = new Unified(options);
  return {
    name: 'unified',
    tools: [
      {
        ...unifiedExec,
        hints: acts,
        run: answering((args, call) => sessions.exec(execOf(args), call)),
      },
      {
        ...writeStdin,
        hints: acts,
        run: answering((args, call) => sessions.write(writeOf(args), call)),
      },
      { ...closeSession, hints: acts, run: answering((args) => sessions.closeOne(closeOf(args))) },
      { ...listSessions, hints: lists, run: answering(async () => sessions.list()) },
    ],
    close: () => sessions.close(),
  };
};

/** Every answer is JSON in a text, also that something went wrong. */
const answering =
  (act: (args: Args, call: Call) => Promise<object>) =>
  async (args: unknown, call: Call): Promise<Answer> => {
    const result = await resultOf(() => act(argsOf(args), call), call);
    return { text: JSON.stringify(result, undefined, 2), structured: { ...result } };
  };

const resultOf = async (act: () => Promise<object>, { signal }: Call): Promise<object> => {
  try {
    return await act();
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof Refusal) return { success: false, error: error.message };
    return { success: false, error: `Unexpected error: ${messageOf(error)}` };
  }
};
