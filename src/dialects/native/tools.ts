/** The eight tools: the description of each, and the call to `Sessions` that it makes. */
import type { z } from 'zod';
import { TerminalError } from '../../errors.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { CallOptions, SessionResult, Sessions } from '../../session/sessions.ts';
import { advertisedSchema, checkArguments } from '../shared/check-arguments.ts';
import { toolResultOfError } from '../shared/error-result.ts';
import { actingHints, listingHints, readingHints } from '../shared/tool-hints.ts';
import type { JsonSchema, Tool, ToolHints, ToolResult } from '../tool.ts';
import * as inputs from './inputs.ts';
import {
  closeOutputSchema,
  listOutputSchema,
  resizeOutputSchema,
  resultOutputSchema,
  toJsonCloseResult,
  toJsonResult,
  toJsonRunResult,
  toJsonSummary,
} from './results.ts';
import {
  closeResultText,
  listText,
  type MakeSecretAdvice,
  resultText,
  runResultText,
} from './text.ts';

export const nativeTools = (
  sessions: Sessions,
  personAnswers: MakeSecretAdvice,
): readonly Tool[] => {
  const toResult = (result: SessionResult, search?: string): ToolResult => ({
    text: resultText(result, personAnswers, search),
    structured: toJsonResult(result),
  });
  return [
    tool({
      name: 'terminal_open',
      description:
        'Start a program on a real terminal and keep it running: a shell, REPL, debugger, ssh, database console, editor, installer, server. Returns its first output and whose turn it is; go on with terminal_send. A command that needs no conversation: terminal_run. Example: {"command":"python3 -q"}',
      fields: inputs.openToolInput,
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ timeout_ms, ...rest }, call) =>
        toResult(await sessions.open({ ...rest, ...ifDefined('timeoutMs', timeout_ms) }, call)),
    }),
    tool({
      name: 'terminal_run',
      description:
        'Run one shell command; returns exactly its output, its exit code and the folder it left the shell in. If it asks for input or is not done in time it goes on, in the session named in the result: answer with terminal_send, or terminal_wait. Example: {"command":"npm test"}',
      fields: inputs.runToolInput,
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ command, timeout_ms, max_tokens, ...rest }, call) => {
        const options = {
          ...rest,
          ...ifDefined('timeoutMs', timeout_ms),
          ...ifDefined('maxTokens', max_tokens),
        };
        const result = await sessions.run(command, options, call);
        return {
          text: runResultText(result, personAnswers),
          structured: toJsonRunResult(result, rest),
        };
      },
    }),
    tool({
      name: 'terminal_send',
      description:
        'Type into a session, wait until the program wants input again or exits, return what it answered (without echo and prompt). state: "waiting" is your turn, and waiting_for says what for: command, line, key, secret; "working" after timed_out: it is still busy, use terminal_wait, or keys "C-c" to interrupt. Examples: {"session":"python3","text":"1+1"}; {"session":"vim","keys":"Escape"}',
      fields: inputs.sendToolInput,
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ session, text, timeout_ms, max_tokens, ...rest }, call) => {
        // Models fill in fields they do not need: an empty text beside keys does not mean Enter.
        const hasText = text !== '' || rest.keys === undefined;
        const input = {
          ...rest,
          ...ifDefined('text', hasText ? text : undefined),
          ...ifDefined('timeoutMs', timeout_ms),
          ...ifDefined('maxTokens', max_tokens),
        };
        return toResult(await sessions.send(session, input, call));
      },
    }),
    tool({
      name: 'terminal_read',
      description:
        'Read a session without typing: what is new since you last looked, its screen, or any part of its history. Example: {"session":"make","search":"error"}',
      fields: inputs.readToolInput,
      output: resultOutputSchema,
      hints: readingHints,
      run: async ({ session, timeout_ms, max_tokens, ...rest }, call) => {
        const options = {
          ...rest,
          ...ifDefined('timeoutMs', timeout_ms),
          ...ifDefined('maxTokens', max_tokens),
        };
        return toResult(await sessions.read(session, options, call), rest.search);
      },
    }),
    tool({
      name: 'terminal_wait',
      description:
        'Wait for the first of several sessions that wants input or exits (or as until and match say); returns its new output. Example: {"sessions":["server"],"until":"listening"}',
      fields: inputs.waitToolInput,
      output: resultOutputSchema,
      hints: readingHints,
      run: async ({ timeout_ms, ...rest }, call) =>
        toResult(await sessions.wait({ ...rest, ...ifDefined('timeoutMs', timeout_ms) }, call)),
    }),
    tool({
      name: 'terminal_list',
      description:
        'List every session: state, program in the foreground, idle time, unread output.',
      fields: inputs.listToolInput,
      output: listOutputSchema,
      hints: listingHints,
      run: async () => {
        const summaries = await sessions.list();
        return {
          text: listText(summaries),
          structured: { sessions: summaries.map(toJsonSummary) },
        };
      },
    }),
    tool({
      name: 'terminal_resize',
      description: "Change the size of a session's terminal.",
      fields: inputs.resizeToolInput,
      output: resizeOutputSchema,
      hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
      run: async ({ session, cols, rows }) => {
        await sessions.resize(session, cols, rows);
        return { text: `[${session}: ${cols}x${rows}]`, structured: { session, cols, rows } };
      },
    }),
    tool({
      name: 'terminal_close',
      description:
        'End a session and all that runs on its terminal; names what survived. Close sessions you no longer need.',
      fields: inputs.closeToolInput,
      output: closeOutputSchema,
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      run: async ({ session, force }) => {
        const names =
          session === '*' ? (await sessions.list()).map(({ session }) => session) : [session];
        const options = ifDefined('force', force);
        const result =
          session === '*'
            ? await sessions.closeAll(options)
            : await sessions.close(session, options);
        return {
          text: closeResultText(names, result),
          structured: toJsonCloseResult(names, result),
        };
      },
    }),
  ];
};

interface Definition<Fields extends z.ZodObject> {
  name: string;
  description: string;
  fields: Fields;
  output: JsonSchema;
  hints: ToolHints;
  run(args: z.output<Fields>, call: CallOptions): Promise<ToolResult>;
}

const tool = <Fields extends z.ZodObject>({ fields, run, ...rest }: Definition<Fields>): Tool => ({
  ...rest,
  input: advertisedSchema(fields),
  run: async (args, call) => {
    try {
      return await run(checkArguments(rest.name, fields, args), call);
    } catch (error) {
      // An error thrown on purpose is a result: the model can read it and correct itself.
      if (error instanceof TerminalError) return toolResultOfError(error);
      throw error;
    }
  },
});
