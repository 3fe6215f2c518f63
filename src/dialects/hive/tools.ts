/** Names, descriptions and schemas of the three tools, as the model sees them. */

export const hiveOpenTool = {
  name: 'terminal_pty_open',
  description: `Opens a lasting bash in a terminal, for stateful or interactive work. Returns {session_id, pid, shell}.

{"cwd":"/srv/app"} opens it there. Close it when done: there may be 8 at once.`,
  input: {
    type: 'object',
    properties: {
      cwd: { type: ['string', 'null'], description: 'Initial directory.' },
      env: {
        type: ['object', 'null'],
        additionalProperties: { type: 'string' },
        description: 'Added to the environment.',
      },
      cols: { type: 'integer', description: 'Default 120.' },
      rows: { type: 'integer', description: 'Default 40.' },
      idle_timeout_sec: {
        type: 'integer',
        description: 'Idle for longer, it may be closed when another is opened. Default 1800.',
      },
    },
  },
} as const;

export const hiveRunTool = {
  name: 'terminal_pty_run',
  description: `Runs a command in an open session, sends raw input, or drains output.

{"session_id":S,"command":"make"} runs it and waits for the prompt; output is what it printed.
{"session_id":S,"command":"python3","expect":">>>\\\\s*$"} waits for that instead: programs that prompt.
Both return at once if the program asks for a line or a secret: answer it with raw_send.
{"session_id":S,"command":"print(1)\\n","raw_send":true} writes exactly this, and waits for nothing.
{"session_id":S,"read_only":true} returns what has not been returned yet.`,
  input: {
    type: 'object',
    properties: {
      session_id: { type: 'string', description: 'From terminal_pty_open.' },
      command: {
        type: ['string', 'null'],
        description: 'What to send; required unless read_only.',
      },
      expect: {
        type: ['string', 'null'],
        description: 'Regular expression (Python syntax) to wait for instead of the prompt.',
      },
      raw_send: { type: 'boolean', description: 'Write exactly these bytes. Default false.' },
      read_only: { type: 'boolean', description: 'Send nothing, drain output. Default false.' },
      timeout_sec: {
        type: 'number',
        description: 'The longest wait. Default 60, with read_only 2.',
      },
    },
    required: ['session_id'],
  },
} as const;

export const hiveCloseTool = {
  name: 'terminal_pty_close',
  description: `Ends a session and frees its place. Returns {exit_code, final_output, already_closed}.

{"session_id":S} lets bash exit; {"session_id":S,"force":true} does not ask it.`,
  input: {
    type: 'object',
    properties: {
      session_id: { type: 'string', description: 'From terminal_pty_open.' },
      force: { type: 'boolean', description: 'Do not wait for bash to exit. Default false.' },
    },
    required: ['session_id'],
  },
} as const;
