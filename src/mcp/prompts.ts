/** The prompts that a person picks in a client, such as `/mcp__repartee__debug`. */
import {
  type GetPromptRequestParams,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

interface PromptDefinition extends Prompt {
  /** The first argument is required. */
  arguments: [
    { name: string; description: string; required: true },
    ...{ name: string; description: string }[],
  ];
  /** `subject` is the first argument, `task` the second. */
  lines(subject: string, task: string | undefined): string[];
}

const RULES = [
  'Read the state in every result: type only when it is waiting, and answer what prompt asks for.',
  'If it waits for a secret, do not ask me for it here; say which program asks, and how I can answer.',
];
const LEAVE = 'When done, leave the program by its own command and close the session.';

const prompts: readonly PromptDefinition[] = [
  {
    name: 'converse',
    title: 'Converse with a program',
    description: 'Start an interactive program in a terminal and do something in it.',
    arguments: [
      { name: 'command', description: 'The program to start, e.g. "psql shop"', required: true },
      { name: 'task', description: 'What to do in it' },
    ],
    lines: (command, task) => [
      `Start ${JSON.stringify(command)} with terminal_open and converse with it.`,
      task ? `The task: ${task}` : 'Tell me what it says, and ask me what to do in it.',
      ...RULES,
      LEAVE,
    ],
  },
  {
    name: 'repl',
    title: 'Drive a REPL',
    description: 'Start a REPL and work something out in it, step by step.',
    arguments: [
      { name: 'command', description: 'The REPL to start, e.g. "python3 -q"', required: true },
      { name: 'task', description: 'What to find out' },
    ],
    lines: (command, task) => [
      `Start the REPL ${JSON.stringify(command)} with terminal_open.`,
      task ? `Find out: ${task}` : 'Ask me what to find out in it.',
      'Send one statement at a time with terminal_send, and look at its answer before the next one.',
      'A continuation prompt ("... ") wants the rest of the statement, or an empty line.',
      ...RULES,
      LEAVE,
    ],
  },
  {
    name: 'debug',
    title: 'Debug a program',
    description: 'Run a program under its debugger and find out why it fails.',
    arguments: [
      {
        name: 'command',
        description: 'The debugger and program, e.g. "gdb ./a.out"',
        required: true,
      },
      { name: 'problem', description: 'What goes wrong' },
    ],
    lines: (command, problem) => [
      `Start ${JSON.stringify(command)} with terminal_open. It is a debugger, or a program to start under one.`,
      problem ? `What goes wrong: ${problem}` : 'Run it, and find out whether and why it fails.',
      'Set breakpoints, run, step, and look at the stack and at variables; one command at a time.',
      'If the program runs on, terminal_wait for it, or interrupt it with keys "C-c".',
      ...RULES,
      'Tell me the cause with the evidence, then quit the debugger and close the session.',
    ],
  },
  {
    name: 'watch',
    title: 'Watch a session',
    description: 'Follow a session that runs already, and say what happens in it.',
    arguments: [
      { name: 'session', description: 'Its name, as terminal_list shows it', required: true },
      { name: 'until', description: 'What to wait for, e.g. "the build has failed"' },
    ],
    lines: (session, until) => [
      `Watch session ${JSON.stringify(session)}: terminal_read shows what it says now, terminal_wait what comes.`,
      until
        ? `Tell me when this is so: ${until}`
        : 'Tell me when it wants something, fails or ends.',
      'Do not type into it, and do not close it: it is not yours.',
    ],
  },
];

export const mcpPrompts: Prompt[] = prompts.map(({ lines: _, ...prompt }) => prompt);

export const getPrompt = ({
  name,
  arguments: args = {},
}: GetPromptRequestParams): GetPromptResult => {
  const prompt = prompts.find((each) => each.name === name);
  if (prompt === undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${JSON.stringify(name.slice(0, 100))}. There are: ${prompts.map((each) => each.name).join(', ')}.`,
    );
  const [first, second] = prompt.arguments;
  const subject = args[first.name];
  if (!subject)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Give ${first.name}: ${first.description}.`,
    );
  const text = prompt.lines(subject, second && args[second.name]).join('\n');
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
};
