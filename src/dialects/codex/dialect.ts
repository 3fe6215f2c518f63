/** Codex's two tools as a dialect. */
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { type Args, BadArgument, toArgs } from '../shared/parameters.ts';
import { actingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import { codexArgumentError, parseCodexExec, parseCodexWrite } from './arguments.ts';
import { Codex, type CodexOptions } from './codex.ts';
import { codexExecCommand, codexOutputSchema, codexWriteStdin } from './tools.ts';

export interface CodexDialect extends Dialect {
  /** Whether a session has this id. Needed where `write_stdin` serves two dialects. */
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
        run: withErrorText((args, call) => sessions.exec(parseCodexExec(args), call)),
      },
      {
        ...codexWriteStdin,
        ...common,
        run: withErrorText((args, call) => sessions.write(parseCodexWrite(args), call)),
      },
    ],
    knows: (id) => sessions.knows(id),
    close: () => sessions.close(),
  };
};

const withErrorText =
  (run: (args: Args, call: CallOptions) => Promise<ToolResult>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    try {
      return await run(toArgs(args), call);
    } catch (error) {
      if (error instanceof BadArgument) return { text: codexArgumentError(error), failed: true };
      if (error instanceof DialectError) return { text: error.message, failed: true };
      throw error;
    }
  };
