/**
 * The shapes of what a client may say, as data.
 *
 * Only the kinds of values are checked here: an object where a string should be can make the daemon
 * allocate gigabytes (`{"length": 1e9}` is an array to Buffer.from). Whether a number, a name or a
 * word makes sense is for the engine to say, in its own words. Fields that are not named here pass.
 */
import type { Method } from './protocol.ts';

/** `strings` is a list of them, `variables` an object of them; a field named `x?` may be missing. */
type Kind = 'string' | 'number' | 'boolean' | 'strings' | 'variables' | 'object' | Shape;
interface Shape {
  readonly [field: string]: Kind;
}

const asked: Shape = { 'actor?': 'string', 'reader?': 'string', 'progress?': 'number' };
const session: Shape = { session: 'string' };
const waitFor: Shape = {
  'until?': 'string',
  'match?': 'string',
  'certainty?': 'string',
  'timeoutMs?': 'number',
};
const look: Shape = { 'view?': 'string', 'maxTokens?': 'number' };
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

const shapes: Readonly<Record<Method, Shape>> = {
  hello: { protocol: 'number', version: 'string' },
  status: {},
  retire: {},
  stop: {},
  open: { ...asked, request: openRequest },
  send: {
    ...asked,
    ...session,
    input: {
      ...waitFor,
      ...look,
      'text?': 'string',
      'submit?': 'boolean',
      'keys?': 'string',
      'secret?': { name: 'string', value: 'string', 'allow?': 'strings', 'programs?': 'strings' },
    },
  },
  run: {
    ...asked,
    request: {
      command: 'string',
      'session?': 'string',
      'open?': openRequest,
      timeoutMs: 'number',
      maxTokens: 'number',
    },
  },
  type: { ...asked, ...session, bytes: 'string' },
  take: { ...asked, ...session },
  giveBack: { ...asked, ...session },
  read: {
    ...asked,
    ...session,
    options: { ...waitFor, ...look, 'from?': 'number', 'advance?': 'boolean', 'search?': 'string' },
  },
  wait: { ...asked, options: { ...waitFor, 'sessions?': 'strings' } },
  list: {},
  resize: { ...session, cols: 'number', rows: 'number' },
  signal: { ...session, signal: 'string' },
  close: { ...session, options: closeOptions },
  closeAll: { options: closeOptions },
  subscribe: { subscription: 'number', 'session?': 'string', 'types?': 'strings' },
  unsubscribe: { subscription: 'number' },
};

export const isMethod = (method: string): method is Method => Object.hasOwn(shapes, method);

/** What is wrong with the parameters; undefined where nothing is. */
export const validateParams = (method: Method, params: unknown): string | undefined =>
  mismatchOf(method, params, shapes[method]);

const mismatchOf = (name: string, value: unknown, kind: Kind): string | undefined => {
  if (typeof kind === 'object') {
    if (!isObject(value)) return `${name} is no object`;
    for (const [field, fieldKind] of Object.entries(kind)) {
      const key = field.replace('?', '');
      const isMissing = !Object.hasOwn(value, key);
      if (isMissing && field.endsWith('?')) continue;
      const wrong = mismatchOf(`${name}.${key}`, value[key], fieldKind);
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }
  return fits(value, kind) ? undefined : `${name} is no ${kind}`;
};

const fits = (value: unknown, kind: Exclude<Kind, Shape>): boolean => {
  if (kind === 'strings') return Array.isArray(value) && value.every(isString);
  if (kind === 'variables') return isObject(value) && Object.values(value).every(isString);
  return kind === 'object' ? isObject(value) : typeof value === kind;
};

const isString = (value: unknown) => typeof value === 'string';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
