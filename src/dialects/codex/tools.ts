/** Names, descriptions and schemas of both tools, as the model sees them. */
import type { JsonSchema } from '../tool.ts';

const yieldMs = 'How long to wait, in milliseconds.';
const maxTokens = { type: 'number', description: 'Output budget in tokens (default 10000).' };

export const codexExecCommandTool = {
  name: 'exec_command',
  description: `Runs a shell command. Returns its output, or a session ID if it is still running.

{"cmd":"npm test"} runs to its end, or for yield_time_ms.
{"cmd":"python3","tty":true} starts a conversation: go on with write_stdin.
Without tty the command has no input: only polling and Ctrl-C are possible.`,
  input: {
    type: 'object',
    properties: {
      cmd: { type: 'string', description: 'Shell command to run.' },
      workdir: { type: 'string', description: 'Working directory (default: the server’s).' },
      shell: { type: 'string', description: 'Shell to use (default: the user’s).' },
      login: { type: 'boolean', description: 'Run it as a login shell (default true).' },
      tty: {
        type: 'boolean',
        description: 'Give it a terminal, and keep its input open (default false: pipes).',
      },
      yield_time_ms: {
        type: 'number',
        description: `${yieldMs} Default 10000, from 250 to 30000.`,
      },
      max_output_tokens: maxTokens,
      sandbox_permissions: {
        type: 'string',
        enum: ['use_default', 'with_additional_permissions', 'require_escalated'],
        description: 'Accepted, and has no effect here.',
      },
      justification: {
        type: 'string',
        description: 'Only beside sandbox_permissions; has no effect here.',
      },
      prefix_rule: {
        type: 'array',
        items: { type: 'string' },
        description: 'Accepted, and has no effect here.',
      },
    },
    required: ['cmd'],
    additionalProperties: false,
  },
} as const;

export const codexWriteStdinTool = {
  name: 'write_stdin',
  description: `Writes characters to a running session, exactly as given, and returns its recent output.

{"session_id":1234,"chars":"print(2+2)\\n"} types a line; the newline is yours to send.
{"session_id":1234} polls: waits at least 5 seconds for output or the end.
Keys are control characters: "\\u0003" Ctrl-C, "\\u0004" Ctrl-D, "\\u001b[A" up.
A session ends with "exit\\n", "\\u0004" or "\\u0003"; once its exit is reported, its ID is gone, and so are the jobs it has left.`,
  input: {
    type: 'object',
    properties: {
      session_id: { type: 'number', description: 'Session ID from exec_command.' },
      chars: { type: 'string', description: 'What to write; empty or absent polls.' },
      yield_time_ms: {
        type: 'number',
        description: `${yieldMs} Default 250, from 250 to 30000; polling from 5000 to 300000.`,
      },
      max_output_tokens: maxTokens,
    },
    required: ['session_id'],
    additionalProperties: false,
  },
} as const;

export const codexOutputSchema: JsonSchema = {
  type: 'object',
  properties: {
    chunk_id: { type: 'string' },
    wall_time_seconds: { type: 'number' },
    exit_code: { type: 'number' },
    session_id: { type: 'number' },
    original_token_count: { type: 'number' },
    output: { type: 'string' },
  },
  required: ['wall_time_seconds', 'output'],
  additionalProperties: false,
};
