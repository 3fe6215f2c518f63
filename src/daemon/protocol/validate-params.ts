/**
 * Checks the parameters of requests against their shapes, which are data.
 *
 * Only the types of values are checked here: an object instead of a string can make the daemon
 * allocate gigabytes (Buffer.from takes `{"length": 1e9}` for an array). The engine checks whether a
 * number, a name or a word makes sense, and has its own errors for that. Unknown fields are ignored.
 */
import type { DaemonMethod } from './protocol.ts';

type ValueType = 'string' | 'number' | 'boolean' | 'strings' | 'numbers' | 'variables' | 'bytes';

/** A field named `x?` is optional. */
interface Shape {
  readonly [field: string]: ValueType | Shape;
}

const typeNames: Readonly<Record<ValueType, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'a boolean',
  strings: 'a list of strings',
  numbers: 'a list of numbers',
  variables: 'an object of strings',
  bytes: 'bytes',
};

const callFields: Shape = { 'actor?': 'string', 'reader?': 'string', 'progress?': 'number' };
const sessionField: Shape = { session: 'string' };
const waitOptions: Shape = {
  'until?': 'string',
  'match?': 'string',
  'certainty?': 'string',
  'timeoutMs?': 'number',
};
const viewOptions: Shape = { 'view?': 'string', 'maxTokens?': 'number' };
const closeOptions: Shape = { 'force?': 'boolean', 'graceMs?': 'number', 'signal?': 'string' };

const openRequest: Shape = {
  command: 'strings',
  'marks?': { shell: 'string', clean: 'boolean' },
  'tellsFolder?': 'boolean',
  program: 'string',
  cwd: 'string',
  env: 'variables',
  'umask?': 'number',
  'name?': 'string',
  cols: 'number',
  rows: 'number',
  tty: 'boolean',
  stdin: 'boolean',
  timeoutMs: 'number',
  history: { 'maxBytes?': 'number', 'maxLines?': 'number' },
  limits: {
    'cpuSeconds?': 'number',
    'memoryBytes?': 'number',
    'processes?': 'number',
    'fileBytes?': 'number',
    'nice?': 'number',
  },
  'record?': 'boolean',
};

const shapes: Readonly<Record<DaemonMethod, Shape>> = {
  hello: {
    protocol: 'number',
    'protocols?': { oldest: 'number', newest: 'number' },
    version: 'string',
    'client?': { id: 'string', pending: 'numbers', lastEvent: 'number' },
  },
  status: {},
  retire: {},
  stop: {},
  open: { ...callFields, request: openRequest },
  send: {
    ...callFields,
    ...sessionField,
    input: {
      ...waitOptions,
      ...viewOptions,
      'text?': 'string',
      'submit?': 'boolean',
      'keys?': 'string',
      'secret?': { name: 'string', value: 'string', 'allow?': 'strings', 'programs?': 'strings' },
    },
  },
  run: {
    ...callFields,
    request: {
      command: 'string',
      'session?': 'string',
      'open?': openRequest,
      timeoutMs: 'number',
      maxTokens: 'number',
    },
  },
  type: { ...callFields, ...sessionField, bytes: 'bytes' },
  take: { ...callFields, ...sessionField },
  giveBack: { ...callFields, ...sessionField },
  read: {
    ...callFields,
    ...sessionField,
    options: {
      ...waitOptions,
      ...viewOptions,
      'from?': 'number',
      'advance?': 'boolean',
      'search?': 'string',
    },
  },
  wait: { ...callFields, options: { ...waitOptions, 'sessions?': 'strings' } },
  list: {},
  resize: { ...sessionField, cols: 'number', rows: 'number' },
  signal: { ...sessionField, signal: 'string' },
  close: { ...sessionField, options: closeOptions },
  closeAll: { options: closeOptions },
  subscribe: { subscription: 'number', 'session?': 'string', 'types?': 'strings' },
  unsubscribe: { subscription: 'number' },
};

export const isDaemonMethod = (method: string): method is DaemonMethod =>
  Object.hasOwn(shapes, method);

/** Returns what is wrong with the parameters, or undefined if they are valid. */
export const findParamsProblem = (method: DaemonMethod, params: unknown): string | undefined =>
  findMismatch(method, params, shapes[method]);

const findMismatch = (
  name: string,
  value: unknown,
  expected: ValueType | Shape,
): string | undefined => {
  if (typeof expected === 'string')
    return hasType(value, expected) ? undefined : `${name} is not ${typeNames[expected]}`;
  if (!isObject(value)) return `${name} is not an object`;
  for (const [field, fieldType] of Object.entries(expected)) {
    const key = field.replace('?', '');
    const isMissing = !Object.hasOwn(value, key);
    if (isMissing && field.endsWith('?')) continue;
    const mismatch = findMismatch(`${name}.${key}`, value[key], fieldType);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
};

const hasType = (value: unknown, type: ValueType): boolean => {
  if (type === 'strings') return Array.isArray(value) && value.every(isString);
  if (type === 'numbers') return Array.isArray(value) && value.every(Number.isFinite);
  if (type === 'variables') return isObject(value) && Object.values(value).every(isString);
  // As base64 from a client that speaks protocol 1.
  if (type === 'bytes') return value instanceof Uint8Array || isString(value);
  return typeof value === type;
};

const isString = (value: unknown) => typeof value === 'string';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
