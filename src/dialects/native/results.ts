/** Results as they cross the wire: the words of the specification, and no field that says nothing. */

import type {
  RunResult,
  SessionResult,
  SessionState,
  SessionSummary,
} from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/channel.ts';
import type { JsonSchema } from '../tool.ts';

type Wire = Record<string, unknown>;

const situationFields = {
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
} as const satisfies Record<string, keyof SessionState>;

const resultFields = {
  ...situationFields,
  output: 'output',
  omitted: 'omitted',
  matched: 'matched',
  cwd: 'cwd',
  position: 'position',
  elapsed_ms: 'elapsedMs',
  timed_out: 'timedOut',
} as const satisfies Record<string, keyof SessionResult | keyof RunResult>;

const summaryFields = {
  ...situationFields,
  idle_ms: 'idleMs',
  unread: 'unread',
} as const satisfies Record<string, keyof SessionSummary>;

export const resultOnWire = ({ screen, ...result }: SessionResult): Wire => {
  const wire = renamed(result, resultFields);
  if (screen === undefined) return wire;
  const { marked, title, ...place } = screen;
  return {
    ...wire,
    ...place,
    ...(title !== '' && { title }),
    ...(marked.length > 0 && { marked }),
  };
};

/** Of a fresh shell that has ended nothing is left that could be named, or read from a position. */
export const runOnWire = (result: RunResult, asked: { session?: string }): Wire => {
  const wire = resultOnWire(result);
  const isKept = asked.session !== undefined || result.state !== 'exited' || result.omitted;
  if (isKept) return wire;
  const { session: _, position: __, ...rest } = wire;
  return rest;
};

export const summaryOnWire = (summary: SessionSummary): Wire => renamed(summary, summaryFields);

export const closedOnWire = (closed: readonly string[], { survivors }: CloseResult): Wire => ({
  closed,
  ...(survivors.length > 0 && { survivors }),
});

const renamed = (from: object, fields: Readonly<Record<string, string>>): Wire => {
  const wire: Wire = {};
  for (const [name, source] of Object.entries(fields)) {
    const value: unknown = Reflect.get(from, source);
    if (value !== undefined) wire[name] = value;
  }
  return wire;
};

const text = { type: 'string' };
const count = { type: 'integer' };
const oneOf = (...words: string[]) => ({ type: 'string', enum: words });
const listOf = (items: JsonSchema) => ({ type: 'array', items });
const object = (properties: JsonSchema, ...required: string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
});

const situation = {
  session: text,
  state: oneOf('working', 'waiting', 'exited'),
  waiting_for: oneOf('command', 'line', 'secret', 'key'),
  prompt: text,
  certainty: oneOf('certain', 'likely', 'guess'),
  because: text,
  foreground: text,
  listening: listOf(count),
  exit_code: count,
  signal: text,
  secrets: listOf(text),
  keyboard: text,
};

export const resultSchema = object(
  {
    ...situation,
    output: text,
    omitted: object({ lines: count, bytes: count, from: count }, 'lines', 'bytes'),
    matched: text,
    cwd: text,
    position: count,
    elapsed_ms: count,
    timed_out: { type: 'boolean' },
    cursor: object({ col: count, row: count, visible: { type: 'boolean' } }, 'col', 'row'),
    cols: count,
    rows: count,
    title: text,
    marked: listOf(object({ row: count, col: count, text }, 'row', 'col', 'text')),
  },
  'state',
  'output',
);

export const listSchema = object(
  { sessions: listOf(object({ ...situation, idle_ms: count, unread: count }, 'session', 'state')) },
  'sessions',
);

export const resizeSchema = object({ session: text, cols: count, rows: count }, 'session');

export const closeSchema = object(
  {
    closed: listOf(text),
    survivors: listOf(object({ pid: count, name: text }, 'pid', 'name')),
  },
  'closed',
);
