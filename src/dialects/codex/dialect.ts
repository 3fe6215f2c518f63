/** Codex's two tools as a dialect. */
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { BadArgumentError, type ToolArguments, toToolArguments } from '../shared/read-arguments.ts';
import { actingHints } from '../shared/tool-hints.ts';
import type { Dialect, ToolResult } from '../tool.ts';
import { codexArgumentError, parseCodexExecArgs, parseCodexWriteArgs } from './arguments.ts';
import { type CodexOptions, CodexSessions } from './codex-sessions.ts';
import { codexExecCommandTool, codexOutputSchema, codexWriteStdinTool } from './tools.ts';

export interface CodexDialect extends Dialect {
  /** Whether a session has this id. Needed where `write_stdin` serves two dialects. */
  knows(sessionId: number): boolean;
}

export const codex = (options: CodexOptions = {}): CodexDialect => {
  const sessions = new CodexSessions(options);
  const common = { output: codexOutputSchema, hints: actingHints };
  return {
    name: 'codex',
    tools: [
      {
        ...codexExecCommandTool,
        ...common,
        run: withErrorText((args, call) => sessions.exec(parseCodexExecArgs(args), call)),
      },
      {
        ...codexWriteStdinTool,
        ...common,
        run: withErrorText((args, call) => sessions.write(parseCodexWriteArgs(args), call)),
      },
    ],
    knows: (id) => sessions.knows(id),
    close: () => sessions.close(),
  };
};

const withErrorText =
  (run: (args: ToolArguments, call: CallOptions) => Promise<ToolResult>) =>
  async (args: unknown, call: CallOptions): Promise<ToolResult> => {
    try {
      return await run(toToolArguments(args), call);
    } catch (error) {
      if (error instanceof BadArgumentError)
        return { text: codexArgumentError(error), failed: true };
      if (error instanceof DialectError) return { text: error.message, failed: true };
      throw error;
    }
  };
