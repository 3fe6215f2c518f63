/** The prompt `converse`: a person picks it to start a conversation of the model with a program. */
import {
  type GetPromptRequestParams,
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';

export const mcpPrompts: Prompt[] = [
  {
    name: 'converse',
    title: 'Converse with a program',
    description: 'Start an interactive program in a terminal and do something in it.',
    arguments: [
      { name: 'command', description: 'The program to start, e.g. "psql shop"', required: true },
      { name: 'task', description: 'What to do in it' },
    ],
  },
];

export const getPrompt = ({
  name,
  arguments: args = {},
}: GetPromptRequestParams): GetPromptResult => {
  if (name !== 'converse')
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no prompt ${JSON.stringify(name.slice(0, 100))}. There is: converse.`,
    );
  const { command, task } = args;
  if (!command)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'Give command: the program to start, e.g. "psql shop".',
    );
  const text = [
    `Start ${JSON.stringify(command)} with terminal_open and converse with it.`,
    task ? `The task: ${task}` : 'Tell me what it says, and ask me what to do in it.',
    'Read the state in every result: type only when it is waiting, and answer what prompt asks for.',
    'If it waits for a secret, do not ask me for it here; say which program asks, and how I can answer.',
    'When done, leave the program by its own command and close the session.',
  ].join('\n');
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
};
