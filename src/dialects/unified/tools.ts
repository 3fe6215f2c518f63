/** Names, descriptions and schemas of the four tools, as the model sees them. */

const collectOptions = {
  yield_time_ms: { type: 'integer', description: 'How long to wait for output. Default 100.' },
  max_output_tokens: {
    type: 'integer',
    description: 'Output budget, 4 characters per token. Default 10000.',
  },
} as const;

const sessionId = { type: 'string', description: 'From unified_exec.' } as const;

export const unifiedExecTool = {
  name: 'unified_exec',
  description: `Starts a command on a terminal. Returns its first output and a session_id.

{"cmd":"./install.sh","yield_time_ms":5000} shows the question it asks; answer with write_stdin.
"running" says whether it goes on, "exit_code" how it ended.`,
  input: {
    type: 'object',
    properties: {
      cmd: { type: 'string', description: 'Command to run.' },
      workdir: { type: ['string', 'null'], description: 'Working directory.' },
      shell: { type: ['string', 'null'], description: 'Shell to use. Default: $SHELL.' },
      login: { type: 'boolean', description: 'Run it as a login shell. Default false.' },
      ...collectOptions,
      timeout_ms: {
        type: ['integer', 'null'],
        description: 'End the command at this age. Default: never.',
      },
    },
    required: ['cmd'],
  },
} as const;

export const unifiedWriteStdinTool = {
  name: 'write_stdin',
  description: `Writes characters to a session, exactly as given, and returns its new output.

{"session_id":"1a2b3c4d","chars":"yes\\n"} answers; {"session_id":"1a2b3c4d","chars":""} only reads.
Keys are control characters: "\\u0003" Ctrl-C, "\\u0004" Ctrl-D, "\\u001b[A" up.`,
  input: {
    type: 'object',
    properties: {
      session_id: sessionId,
      chars: { type: 'string', description: 'What to write; "" only reads.' },
      ...collectOptions,
    },
    required: ['session_id', 'chars'],
  },
} as const;

export const unifiedCloseSessionTool = {
  name: 'close_pty_session',
  description: `Ends a session and frees its place: SIGTERM, and after a second SIGKILL.

{"session_id":"1a2b3c4d","force":true} kills it at once.`,
  input: {
    type: 'object',
    properties: {
      session_id: sessionId,
      force: { type: 'boolean', description: 'SIGKILL at once. Default false.' },
    },
    required: ['session_id'],
  },
} as const;

export const unifiedListSessionsTool = {
  name: 'list_pty_sessions',
  description:
    'Lists the sessions: id, pid, when each was created and last used, and whether it still runs.',
  input: { type: 'object', properties: {} },
} as const;
