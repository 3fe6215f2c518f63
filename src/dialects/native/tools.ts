/** The eight tools: the description of each, and the call to `Sessions` that it makes. */
import { TerminalError } from '../../errors.ts';
import {
  closeFields,
  listFields,
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
import type { ReadOptions } from '../../session/options/options.ts';
import type { CallOptions, SessionResult, Sessions } from '../../session/sessions.ts';
import { advertisedSchema, checkArguments, toolInput } from '../shared/check-arguments.ts';
import { toolResultOfError } from '../shared/error-result.ts';
import { actingHints, listingHints, readingHints } from '../shared/tool-hints.ts';
import type { JsonSchema, Tool, ToolHints, ToolResult } from '../tool.ts';
import { AbandonedWaits } from './abandoned-waits.ts';
import { ClientSessions } from './client-sessions.ts';
import {
  closeHints,
  listHints,
  type MakeSecretAdvice,
  NO_PICTURE_HINT,
  noMatchHint,
  resultHints,
  runHints,
  withHints,
} from './hints.ts';
import { LastOutput } from './last-output.ts';
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
  const client = new ClientSessions(sessions);
  const waits = new AbandonedWaits();
  const lastOutput = new LastOutput();
  const toResult = (result: SessionResult, ...hints: string[]): ToolResult =>
    withHints({ text: resultText(result), structured: toJsonResult(result) }, [
      ...hints,
      ...resultHints(result, personAnswers),
    ]);
  /** Makes a call on a session that the model has named. Returns a hint with the result. */
  const inNamed = async <T>(
    names: readonly string[],
    call: CallOptions,
    make: (call: CallOptions) => Promise<T>,
  ): Promise<[T, hint: string]> => {
    const naming = Promise.all(names.map((name) => client.name(name)));
    const result = await waits.during(names, call, make);
    return [result, (await naming).filter((hint) => hint !== '').join(' ')];
  };
  return [
    tool({
      name: 'terminal_open',
      title: 'Open a terminal session',
      searchHint: 'interactive shell session pty REPL debugger ssh vim password prompt',
      description:
        'Start an interactive program in a terminal (pty) session and keep it running: a shell, REPL, debugger, ssh, database console, editor (vim), installer, password prompt, server. Returns its first output and whose turn it is; go on with terminal_send. For one command: terminal_run. Example: {"command":"python3 -q"}',
      input: options(sessions.hosts ? { ...openFields, host: hostField } : openFields),
      output: resultOutputSchema,
      hints: actingHints,
      run: async (options, call) => {
        const [result, hint] = await client.open(options, call);
        lastOutput.begin(result.session);
        lastOutput.note(result);
        return toResult(result, hint);
      },
    }),
    tool({
      name: 'terminal_run',
      title: 'Run a shell command',
      searchHint: 'execute bash shell command exit code',
      description:
        'Run one shell command; returns exactly its output, exit code and folder afterwards. If it asks for input or is not done in time it goes on, in the session named in the result: terminal_send answers, terminal_wait waits. Example: {"command":"npm test"}',
      input: object({ command: string }, runFields),
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ command, ...options }, call) => {
        const names = options.session === undefined ? [] : [options.session];
        const [result, hint] = await inNamed(names, call, (call) =>
          sessions.run(command, options, call),
        );
        return withHints(
          { text: runResultText(result), structured: toJsonRunResult(result, options) },
          [hint, ...runHints(result, personAnswers)],
        );
      },
    }),
    tool({
      name: 'terminal_send',
      title: 'Type into a terminal session',
      searchHint: 'press ctrl-c keys type answer prompt password interactive REPL debugger vim ssh',
      description:
        'Type text or press keys (Ctrl-C, arrows) in a session, wait until the program wants input again or exits, return its answer. state: "waiting" is your turn, and waiting_for says what for: command, line, key, secret; "working" after timed_out: it is still busy, use terminal_wait, or keys "C-c" to interrupt. Examples: {"session":"python3","text":"1+1"}; {"session":"vim","keys":"Escape"}',
      input: object({ session: string }, sendFields),
      output: resultOutputSchema,
      hints: actingHints,
      run: async ({ session, text, ...rest }, call) => {
        // Models fill in fields they do not need: an empty text beside keys does not mean Enter.
        const hasText = text !== '' || rest.keys === undefined;
        const input = { ...rest, ...ifDefined('text', hasText ? text : undefined) };
        const [result, hint] = await inNamed([session], call, (call) =>
          sessions.send(session, input, call),
        );
        if (isNewText(input)) lastOutput.note(result);
        return withImage(toResult(result, hint), result, input);
      },
    }),
    tool({
      name: 'terminal_read',
      title: 'Read a terminal session',
      searchHint: 'screen output scrollback search terminal pty',
      description:
        'Read a session without typing: what is new to you, its screen, or its history. Example: {"session":"make","search":"error"}',
      input: object({ session: string }, readFields),
      output: resultOutputSchema,
      hints: readingHints,
      run: async ({ session, ...options }, call) => {
        const [result, hint] = await inNamed([session], call, (call) =>
          sessions.read(session, options, call),
        );
        if (!isNewText(options)) {
          const read = toResult(result, hint, noMatchHint(result, options.search));
          return withImage(read, result, options);
        }
        lastOutput.note(result);
        return toResult(result, hint, lastOutput.nothingNewHint(result));
      },
    }),
    tool({
      name: 'terminal_wait',
      title: 'Wait for a terminal session',
      searchHint: 'wait for prompt, exit, server port, output',
      description:
        'Wait for the first of several sessions that wants input or exits (or as until and match say); returns its new output. If your client gives up sooner, nothing is lost: wait again. Example: {"sessions":["server"],"until":"listening"}',
      input: options(waitFields),
      output: resultOutputSchema,
      hints: readingHints,
      run: async (options, call) => {
        const names = options.sessions ?? (await client.awaited());
        const [result, hint] = await inNamed(names, call, (call) =>
          sessions.wait({ ...options, sessions: names }, call),
        );
        lastOutput.note(result);
        return toResult(result, hint);
      },
    }),
    tool({
      name: 'terminal_list',
      title: 'List terminal sessions',
      searchHint: 'list running interactive sessions',
      description:
        'List your sessions: state, program in the foreground, idle time, unread output.',
      input: options(listFields),
      output: listOutputSchema,
      hints: listingHints,
      run: async ({ all = false }) => {
        const unreachable = (await sessions.reachHosts?.()) ?? [];
        const { own, others } = await client.list();
        const shown = all ? [...own, ...others] : own;
        const structured = {
          sessions: shown.map(toJsonSummary),
          ...(others.length > 0 && { others: others.length }),
          ...(unreachable.length > 0 && { unreachable }),
        };
        return withHints(
          { text: listText(shown, unreachable), structured },
          listHints(shown, all ? 0 : others.length),
        );
      },
    }),
    tool({
      name: 'terminal_resize',
      title: 'Resize a terminal session',
      searchHint: 'terminal size columns rows',
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
      title: 'Close a terminal session',
      searchHint: 'kill end interactive session process',
      description:
        'End a session and all that runs on its terminal; names what survived. Close sessions you no longer need.',
      input: object({ session: forTool(string, '"*": all of yours') }, closeFields),
      output: closeOutputSchema,
      hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
      run: async ({ session, ...options }) => {
        const [names, result] =
          session === '*'
            ? await client.closeOwn(options)
            : [[session], await client.close(session, options)];
        return withHints(
          { text: closeResultText(names, result), structured: toJsonCloseResult(names, result) },
          closeHints(names, result),
        );
      },
    }),
  ];
};

const hostField = forTool(string, 'Machine; default: this one');

/** What a person sees, where that was asked for. */
const withImage = async (
  toolResult: ToolResult,
  { picture, screen }: SessionResult,
  { view }: ReadOptions,
): Promise<ToolResult> => {
  // A search gives lines, whatever the view.
  if (view !== 'image' || screen === undefined) return toolResult;
  if (picture === undefined) return withHints(toolResult, [NO_PICTURE_HINT]);
  // Loaded at the first picture: the font is large.
  const { drawPng } = await import('../../picture/draw-png.ts');
  return { ...toolResult, image: await drawPng(picture) };
};

/** Whether what is read is what is new, as text. */
const isNewText = ({ view = 'text', from, search }: ReadOptions): boolean =>
  view === 'text' && from === undefined && search === undefined;

interface Definition<Args> {
  name: string;
  title: string;
  searchHint: string;
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
