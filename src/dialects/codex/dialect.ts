import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { type Args, argsOf, BadArgument } from '../shared/parameters.ts';
import { actingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import { codexComplaint, codexExecOf, codexWriteOf } from './arguments.ts';
import { Codex, type CodexOptions } from './codex.ts';
import { codexExecCommand, codexOutputSchema, codexWriteStdin } from './tools.ts';

/** A dialect whose sessions can be told from another's. */
export interface CodexDialect extends Dialect {
  knows(sessionId: number): boolean;
}

export const codex = (options: CodexOptions = {}): CodexDialect => {
  const sessions = new Codex(options);
  const common = { output: codexOutputSchema, hints: actingHints };
  return {
    name: 'codex',
    tools: [
      {
        ...codexExecCommand,
        ...common,
        run: answering((args, call) => sessions.exec(codexExecOf(args), call)),
      },
      {
        ...codexWriteStdin,
        ...common,
        run: answering((args, call) => sessions.write(codexWriteOf(args), call)),
      },
    ],
    knows: (id) => sessions.knows(id),
    close: () => sessions.close(),
  };
};

const answering =
  (run: (args: Args, call: CallOptions) => Promise<ToolResult>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    try {
      return await run(argsOf(args), call);
    } catch (error) {
      if (error instanceof BadArgument) return { text: codexComplaint(error), failed: true };
      if (error instanceof DialectError) return { text: error.message, failed: true };
      throw error;
    }
  };
