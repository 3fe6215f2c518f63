/** Names, descriptions and schemas of the five tools, as the model sees them. */

const sessionId = { type: 'string', description: 'From start_session.' } as const;

export const tricodeStartSessionTool = {
  name: 'start_session',
  description: `Starts a lasting shell, without a terminal. Its command is typed first; the shell stays after it.

{} starts a plain shell; {"command":"cd /srv && ls"} begins with that.`,
  input: {
    type: 'object',
    properties: {
      command: { type: 'string', description: 'Typed as the first line. Default: none.' },
      shell: { type: 'string', description: 'Default /bin/bash.' },
    },
  },
} as const;

export const tricodeSendInputTool = {
  name: 'send_input',
  description: `Sends a line to a session; the newline is added. Read the answer with read_output.

{"session_id":"1a2b3c4d","input_text":"pwd"}`,
  input: {
    type: 'object',
    properties: {
      session_id: sessionId,
      input_text: { type: 'string', description: 'The line, without its newline.' },
    },
    required: ['session_id', 'input_text'],
  },
} as const;

export const tricodeReadOutputTool = {
  name: 'read_output',
  description: `Returns whole lines that were not read yet, 4 KB at most; read again for the rest. A carriage return ends a line too.

{"session_id":"1a2b3c4d","timeout":5} waits up to 5 seconds for the first.`,
  input: {
    type: 'object',
    properties: {
      session_id: sessionId,
      timeout: { type: 'integer', description: 'Seconds. Default 2.' },
    },
    required: ['session_id'],
  },
} as const;

export const tricodeCloseSessionTool = {
  name: 'close_session',
  description: `Ends a session and frees its place: there may be 3.

{"session_id":"1a2b3c4d"}`,
  input: { type: 'object', properties: { session_id: sessionId }, required: ['session_id'] },
} as const;

export const tricodeListSessionsTool = {
  name: 'list_sessions',
  description: 'Lists the sessions: alive or dead, their age and how long each was idle.',
  input: { type: 'object', properties: {} },
} as const;
