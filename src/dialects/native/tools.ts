/** The eight tools: the description of each, and the call to `Sessions` that it makes. */
import { TerminalError } from '../../errors.ts';
import {
  closeFields,
  openFields,
  readFields,
  runFields,
  sendFields,
  sizeFields,
  waitFields,
} from '../../session/options/calls.ts';
import {
  forTool,
  type ObjectField,
  object,
  options,
  string,
} from '../../session/options/fields.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { CallOptions, SessionResult, Sessions } from '../../session/sessions.ts';
import { advertisedSchema, checkArguments, toolInput } from '../shared/check-arguments.ts';
import { toolResultOfError } from '../shared/error-result.ts';
import { actingHints, listingHints, readingHints } from '../shared/tool-hints.ts';
import type { JsonSchema, Tool, ToolHints, ToolResult } from '../tool.ts';
import { closeHints, type MakeSecretAdvice, resultHints, runHints, withHints } from './hints.ts';
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
import { closeResultText, listText, resultText, runResultText } from './text.ts';

export const nativeTools = (
  sessions: Sessions,
  personAnswers: MakeSecretAdvice,
): readonly Tool[] => {
  const toResult = (result: SessionResult, search?: string): ToolResult =>
    withHints(
      { text: resultText(result), structured: toJsonResult(result) },
      resultHints(result, personAnswers, search),
    );
  return [
    tool({
      name: 'terminal_open',
      description:
        'Start a program on a real terminal and keep it running: a shell, REPL, debugger, ssh, database console, editor, installer, server. Returns its first output and whose turn it is; go on with terminal_send. A command that needs no conversation: terminal_run. Example: {"command":"python3 -q"}',
      input: options(openFields),
      output: resultOutputSchema,
      hints: actingHints,
      run: async (options, call) => toResult(await sessions.open(options, call)),
    }),
    tool({
      name: 'terminal_run',
      description:
        'Run one shell command; returns exactly its output, its exit code and the folder it left the shell in. If it asks for input or is not done in time it goes on, in the session named in the result: answer with terminal_send, or terminal_wait. Example: {"command":"npm test"}',
      input: object({ command: string }, runFields),
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ command, ...options }, call) => {
        const result = await sessions.run(command, options, call);
        return withHints(
          { text: runResultText(result), structured: toJsonRunResult(result, options) },
          runHints(result, personAnswers),
        );
      },
    }),
    tool({
      name: 'terminal_send',
      description:
        'Type into a session, wait until the program wants input again or exits, return what it answered (without echo and prompt). state: "waiting" is your turn, and waiting_for says what for: command, line, key, secret; "working" after timed_out: it is still busy, use terminal_wait, or keys "C-c" to interrupt. Examples: {"session":"python3","text":"1+1"}; {"session":"vim","keys":"Escape"}',
      input: object({ session: string }, sendFields),
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ session, text, ...rest }, call) => {
        // Models fill in fields they do not need: an empty text beside keys does not mean Enter.
        const hasText = text !== '' || rest.keys === undefined;
        const input = { ...rest, ...ifDefined('text', hasText ? text : undefined) };
        return toResult(await sessions.send(session, input, call));
      },
    }),
    tool({
      name: 'terminal_read',
      description:
        'Read a session without typing: what is new since you last looked, its screen, or any part of its history. Example: {"session":"make","search":"error"}',
      input: object({ session: string }, readFields),
      output: resultOutputSchema,
      hints: readingHints,
      run: async ({ session, ...options }, call) =>
        toResult(await sessions.read(session, options, call), options.search),
    }),
    tool({
      name: 'terminal_wait',
      description:
        'Wait for the first of several sessions that wants input or exits (or as until and match say); returns its new output. Example: {"sessions":["server"],"until":"listening"}',
      input: options(waitFields),
      output: resultOutputSchema,
      hints: readingHints,
      run: async (options, call) => toResult(await sessions.wait(options, call)),
    }),
    tool({
      name: 'terminal_list',
      description:
        'List every session: state, program in the foreground, idle time, unread output.',
      input: options({}),
      output: listOutputSchema,
      hints: listingHints,
      run: async () => {
        const summaries = await sessions.list();
        return withHints(
          { text: listText(summaries), structured: { sessions: summaries.map(toJsonSummary) } },
          summaries.length === 0 ? ['terminal_open starts one.'] : [],
        );
      },
    }),
    tool({
      name: 'terminal_resize',
      description: "Change the size of a session's terminal.",
      input: object({ session: string, ...sizeFields }, {}),
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
      input: object({ session: forTool(string, '"*": all') }, closeFields),
      output: closeOutputSchema,
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      run: async ({ session, ...options }) => {
        const names =
          session === '*' ? (await sessions.list()).map(({ session }) => session) : [session];
        const result =
          session === '*'
            ? await sessions.closeAll(options)
            : await sessions.close(session, options);
        return withHints(
          { text: closeResultText(names, result), structured: toJsonCloseResult(names, result) },
          closeHints(names, result),
        );
      },
    }),
  ];
};

interface Definition<Args> {
  name: string;
  description: string;
  input: ObjectField<Args>;
  output: JsonSchema;
  hints: ToolHints;
  run(args: Args, call: CallOptions): Promise<ToolResult>;
}

const tool = <Args>({ input, run, ...rest }: Definition<Args>): Tool => {
  const checkedInput = toolInput(input);
  return {
    ...rest,
    input: advertisedSchema(checkedInput),
    run: async (args, call) => {
      try {
        const { value, ignored } = checkArguments(rest.name, checkedInput, args);
        const hint = `${rest.name} has no ${ignored.join(', ')}: ignored.`;
        return withHints(await run(value, call), ignored.length > 0 ? [hint] : []);
      } catch (error) {
        // An error thrown on purpose is a result: the model can read it and correct itself.
        if (error instanceof TerminalError) return toolResultOfError(error);
        throw error;
      }
    },
  };
};
