import { TerminalError } from '../../errors.ts';
import type { Call } from '../../session/sessions.ts';
import { Refusal } from '../shared/dialect-error.ts';
import { type Args, argsOf, BadArgument } from '../shared/parameters.ts';
import { acts } from '../shared/tool-hints.ts';
import type { Answer, Dialect } from '../tool.ts';
import { closeOf, openOf, runOf } from './arguments.ts';
import { Blocked, Hive, type HiveOptions } from './hive.ts';
import { close, open, run } from './tools.ts';

export const hive = (options: HiveOptions = {}): Dialect => {
  const shells = new Hive(options);
  return {
    name: 'hive',
    tools: [
      { ...open, hints: acts, run: answering((args) => shells.open(openOf(args))) },
      { ...run, hints: acts, run: answering((args, call) => shells.run(runOf(args), call)) },
      { ...close, hints: acts, run: answering((args) => shells.closeOne(closeOf(args))) },
    ],
    close: () => shells.close(),
  };
};

/** Errors are results like others, with a field for what went wrong. */
const answering =
  (act: (args: Args, call: Call) => Promise<object>) =>
  async (args: unknown, call: Call): Promise<Answer> => {
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
  if (error instanceof Blocked) return { error: error.message, blocked: true };
  const isToldSo =
    error instanceof Refusal || error instanceof BadArgument || error instanceof TerminalError;
  if (isToldSo) return { error: error.message };
  throw error;
};
