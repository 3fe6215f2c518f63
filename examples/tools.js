// @ts-check
/**
 * Four terminal tools as data, in no maker's format: a name, a description, a JSON schema, and what
 * to run. The examples beside this file hand them to three kinds of models.
 */
import { TerminalError } from 'repartee';

/**
 * The shape that the library's own tools have, too.
 * @typedef {Pick<import('repartee').Tool, 'name' | 'description' | 'input'>} Described
 * @typedef {import('repartee').Answer} Answer
 * @typedef {Described & {run(args: any, call: import('repartee').Call): Promise<Answer>}} Tool
 */

/** @type {(sessions: import('repartee').Sessions) => Tool[]} */
export const terminalTools = (sessions) =>
  definitions(sessions).map((tool) => ({ ...tool, run: answering(tool) }));

/** @type {(sessions: import('repartee').Sessions) => Tool[]} */
const definitions = (sessions) => [
  {
    name: 'terminal_open',
    description:
      'Start a program on a real terminal and keep it running: a shell, a REPL, a debugger, ssh.',
    input: object({ command: string, name: string }, ['command']),
    run: async (args, call) => said(await sessions.open(args, call)),
  },
  {
    name: 'terminal_send',
    description:
      'Type into a session, wait until the program wants input again or exits, return its answer.',
    input: object({ session: string, text: string, keys: string }, ['session']),
    run: async ({ session, ...input }, call) => said(await sessions.send(session, input, call)),
  },
  {
    name: 'terminal_read',
    description: 'What a session has printed since you last looked, or its screen.',
    input: object({ session: string, view: { enum: ['text', 'screen'] } }, ['session']),
    run: async ({ session, ...options }, call) => said(await sessions.read(session, options, call)),
  },
  {
    name: 'terminal_close',
    description: 'End a session and all that runs in it.',
    input: object({ session: string }, ['session']),
    run: async ({ session }) => {
      await sessions.close(session);
      return { text: `[closed: ${session}]` };
    },
  },
];

const string = { type: 'string' };

/** @type {(properties: Record<string, object>, required: string[]) => Record<string, unknown>} */
const object = (properties, required) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/**
 * The output, then one line that says whose turn it is.
 * @type {(result: import('repartee').Result) => Answer}
 */
const said = ({ session, state, waitingFor, prompt, exitCode, output }) => {
  const turn = {
    waiting: `waiting for a ${waitingFor} at ${JSON.stringify(prompt)}`,
    working: 'still working',
    exited: `exit code ${exitCode}`,
  }[state];
  return { text: `${output}\n[${session}: ${turn}]`.trimStart() };
};

/**
 * What went wrong on purpose is an answer too: the model is to read it and do better.
 * @type {(tool: Tool) => Tool['run']}
 */
const answering = (tool) => async (args, call) => {
  try {
    return await tool.run(args, call);
  } catch (error) {
    if (error instanceof TerminalError) return { text: error.message, failed: true };
    throw error;
  }
};
