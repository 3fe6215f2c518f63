import type { Call } from '../../session/sessions.ts';
import { Refusal } from '../shared/dialect-error.ts';
import { type Args, argsOf, BadArgument } from '../shared/parameters.ts';
import { acts } from '../shared/tool-hints.ts';
import type { Answer, Dialect } from '../tool.ts';
import { complaint, execOf, writeOf } from './arguments.ts';
import { Codex, type CodexOptions } from './codex.ts';
import { execCommand, outputSchema, writeStdin } from './tools.ts';

/** A dialect whose sessions can be told from another's. */
export interface CodexDialect extends Dialect {
  knows(sessionId: number): boolean;
}

export const codex = (options: CodexOptions = {}): CodexDialect => {
  const sessions = new Codex(options);
  const common = { output: outputSchema, hints: acts };
  return {
    name: 'codex',
    tools: [
      {
        ...execCommand,
        ...common,
        run: answering((args, call) => sessions.exec(execOf(args), call)),
      },
      {
        ...writeStdin,
        ...common,
        run: answering((args, call) => sessions.write(writeOf(args), call)),
      },
    ],
    knows: (id) => sessions.knows(id),
    close: () => sessions.close(),
  };
};

const answering =
  (run: (args: Args, call: Call) => Promise<Answer>) =>
  async (args: unknown, call: Call): Promise<Answer> => {
    try {
      return await run(argsOf(args), call);
    } catch (error) {
      if (error instanceof BadArgument) return { text: complaint(error), failed: true };
      if (error instanceof Refusal) return { text: error.message, failed: true };
      throw error;
    }
  };
