/** Structured results as they are sent: fields in snake case, without those that are empty. */

import type {
  RunResult,
  SessionResult,
  SessionState,
  SessionSummary,
} from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';
import type { JsonSchema } from '../tool.ts';

type Wire = Record<string, unknown>;

const stateFields = {
  session: 'session',
  state: 'state',
  waiting_for: 'waitingFor',
  prompt: 'prompt',
  certainty: 'certainty',
  because: 'because',
  foreground: 'foreground',
  listening: 'listening',
  exit_code: 'exitCode',
  signal: 'signal',
  secrets: 'secrets',
  keyboard: 'keyboard',
  notice: 'notice',
} as const satisfies Record<string, keyof SessionState>;

const resultFields = {
  ...stateFields,
  output: 'output',
  omitted: 'omitted',
  hidden: 'hidden',
  matched: 'matched',
  cwd: 'cwd',
  position: 'position',
  elapsed_ms: 'elapsedMs',
  timed_out: 'timedOut',
} as const satisfies Record<string, keyof SessionResult | keyof RunResult>;

const summaryFields = {
  ...stateFields,
  idle_ms: 'idleMs',
  unread: 'unread',
  sandbox: 'sandbox',
} as const satisfies Record<string, keyof SessionSummary>;

export const toJsonResult = ({ screen, ...result }: SessionResult): Wire => {
  const wire = renameFields(result, resultFields);
  if (screen === undefined) return wire;
  const { marked, title, ...rest } = screen;
  return {
    ...wire,
    ...rest,
    ...(title !== '' && { title }),
    ...(marked.length > 0 && { marked }),
  };
};

/** A shell started for one command is gone once it has ended, so its name and position are useless. */
export const toJsonRunResult = (result: RunResult, request: { session?: string }): Wire => {
  const wire = toJsonResult(result);
  const isKept = request.session !== undefined || result.state !== 'exited' || result.omitted;
  if (isKept) return wire;
  const { session: _, position: __, ...rest } = wire;
  return rest;
};

export const toJsonSummary = (summary: SessionSummary): Wire =>
  renameFields(summary, summaryFields);

export const toJsonCloseResult = (closed: readonly string[], { survivors }: CloseResult): Wire => ({
  closed,
  ...(survivors.length > 0 && { survivors }),
});

const renameFields = (source: object, fields: Readonly<Record<string, string>>): Wire => {
  const wire: Wire = {};
  for (const [name, sourceName] of Object.entries(fields)) {
    const value: unknown = Reflect.get(source, sourceName);
    if (value !== undefined) wire[name] = value;
  }
  return wire;
};

const text = { type: 'string' };
const integer = { type: 'integer' };
const boolean = { type: 'boolean' };
const oneOf = (...values: string[]) => ({ type: 'string', enum: values });
const listOf = (items: JsonSchema) => ({ type: 'array', items });
const object = (properties: JsonSchema, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const stateProperties = {
  session: text,
  state: oneOf('working', 'waiting', 'exited'),
  waiting_for: oneOf('command', 'line', 'secret', 'key'),
  prompt: text,
  certainty: oneOf('certain', 'likely', 'guess'),
  because: text,
  foreground: text,
  listening: listOf(integer),
  exit_code: integer,
  signal: text,
  secrets: listOf(text),
  keyboard: text,
  notice: text,
};

export const resultOutputSchema = object(
  {
    hint: text,
    ...stateProperties,
    output: text,
    omitted: object({ lines: integer, bytes: integer, from: integer }, 'lines', 'bytes'),
    hidden: integer,
    matched: text,
    cwd: text,
    position: integer,
    elapsed_ms: integer,
    timed_out: boolean,
    cursor: object({ col: integer, row: integer, visible: boolean }, 'col', 'row'),
    cols: integer,
    rows: integer,
    title: text,
    marked: listOf(object({ row: integer, col: integer, text }, 'row', 'col', 'text')),
  },
  'state',
  'output',
);

export const listOutputSchema = object(
  {
    hint: text,
    sessions: listOf(
      object(
        { ...stateProperties, idle_ms: integer, unread: integer, sandbox: text },
        'session',
        'state',
      ),
    ),
    others: integer,
    unreachable: listOf(object({ host: text, reason: text }, 'host', 'reason')),
  },
  'sessions',
);

export const resizeOutputSchema = object(
  { hint: text, session: text, cols: integer, rows: integer },
  'session',
);

export const closeOutputSchema = object(
  {
    hint: text,
    closed: listOf(text),
    survivors: listOf(object({ pid: integer, name: text }, 'pid', 'name')),
  },
  'closed',
);
