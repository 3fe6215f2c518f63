/**
 * What each call takes, described once. A model reads only what `forTool` says, and that costs tokens in
 * every conversation, so all eight tools together stay under 6 KB.
 *
 * The command line needs the types that come from here, and does not load this file.
 */
import type { CloseOptions } from '../../system/terminal/terminal.ts';
import type { Secret, SecretPermission } from '../secrets/secrets.ts';
import {
  boolean,
  type Field,
  type FieldsOf,
  forTool,
  integerFrom,
  number,
  object,
  oneOf,
  options,
  string,
  strings,
  variables,
} from './fields.ts';
import { callDefaults, MAX_TIMER_MS, untils, viewNames } from './options.ts';

const milliseconds: Field<number> = { type: 'number', minimum: 0, maximum: MAX_TIMER_MS };
const cwd = forTool(string, "Folder; default: the server's");
const maxTokens = forTool(integerFrom(1), 'Longer output is cut in the middle');
const view = oneOf(viewNames);
/** A command line; only the library takes a program and its arguments. */
const command: Field<string | readonly string[]> = string;
/** A name; only the library takes the secret itself. */
const secret: Field<string | Secret> = string;
const allow: Field<readonly SecretPermission[]> = { type: 'strings' };

export const secretFields = object(
  { name: string, value: string },
  {
    allow,
    /** The only programs it may be typed to. @default all */
    programs: strings,
    /** The only other machines on which it may be typed. @default none */
    hosts: strings,
  },
);

export const sizeFields = { cols: integerFrom(1), rows: integerFrom(1) };

export const historyFields = {
  /** Raw bytes kept. @default 4 MiB */
  maxBytes: number,
  /** Lines kept as text. @default 10000 */
  maxLines: number,
};

export const limitFields = {
  cpuSeconds: number,
  memoryBytes: number,
  processes: number,
  fileBytes: number,
  /** From -20, the most favoured, to 19. */
  nice: number,
};

export const openFields = {
  /** On which machine, where hosts are configured. @default this one */
  host: string,
  /** A command line for the user's shell, or a program and its arguments. @default the user's shell */
  command: forTool(command, 'Shell command line; default: a shell'),
  /** @default the caller's */
  cwd,
  /** Added to the caller's environment; undefined removes a variable. */
  env: forTool(variables, 'Variables to add'),
  /** @default made from the program: python3, python3-2 */
  name: forTool(string, "Session name; default: the program's"),
  /** @default 120 */
  cols: forTool(sizeFields.cols, `Default ${callDefaults.cols}`),
  /** @default 40 */
  rows: forTool(sizeFields.rows, `Default ${callDefaults.rows}`),
  /** The shell that runs a command line, or is opened without one. @default the user's */
  shell: string,
  /** Start a shell without the user's startup files. @default false */
  clean: boolean,
  /** Give the program a terminal; otherwise it gets pipes. @default true */
  tty: forTool(boolean, 'false: pipes, no terminal'),
  /** Without a terminal: whether the program has input, or gets its end at once. @default true */
  stdin: boolean,
  /** How long to wait until the program is ready. @default 10000 */
  timeoutMs: forTool(
    milliseconds,
    `Longest wait until it is ready; default ${callDefaults.openMs}`,
  ),
  /** The profile of its sandbox: workspace, read-only, offline or one of the user's. @default the caller's */
  sandbox: forTool(string, 'Confine it: workspace, read-only, offline'),
  history: options(historyFields),
  limits: options(limitFields),
  /** Write a recording. @default `recordings.always` of the sessions */
  record: boolean,
};

export const waitForFields = {
  /** @default 'ready' */
  until: forTool(oneOf(untils)),
  /** A regular expression for new output. With it, the wait ends at a match or at the exit. */
  match: forTool(string, 'Wait for this regex in new output (or exit)'),
  /** With `ready`: only a certain verdict ends the wait, not a likely one or a guess. */
  certainty: oneOf(['certain']),
  /** @default 30000 after typing, 0 for a read, 45000 for a wait */
  timeoutMs: milliseconds,
};

export const sendFields = {
  text: forTool(string, 'A line to type; Enter follows (a newline at its end is that Enter)'),
  /** Press Enter after the text. @default true */
  submit: forTool(boolean, 'false: no Enter after text'),
  /** Key names, pressed after the text. */
  keys: forTool(
    string,
    'Keys to press, e.g. "C-c", "Up Up Enter", "Escape", "M-x", "F5", "Click(10,5)"; after text and its Enter',
  ),
  /**
   * Typed instead of text: the name of a secret, or the secret itself, if it was found in the caller's
   * own process.
   */
  secret: forTool(
    secret,
    'Name of a stored secret to type, unseen by you, when waiting_for is "secret"',
  ),
  ...waitForFields,
  /** @default 'ready' */
  until: forTool(
    waitForFields.until,
    'Wait until: ready (default: it wants input or has exited), exit, output (anything new), listening (it opened a port), now (do not wait)',
  ),
  /** @default 30000 */
  timeoutMs: forTool(milliseconds, `Default ${callDefaults.sendMs}`),
  /** @default 'text' */
  view: forTool(view, 'As in terminal_read'),
  /** The budget of the output. @default 10000 */
  maxTokens,
};

export const readFields = {
  /** @default 'text' */
  view: forTool(
    view,
    'text (default): new output, clean; screen: what a person sees; diff: its changed rows; raw: with escape codes; image: screen and its picture',
  ),
  /** Read from this position on, without moving the reader. */
  from: forTool(
    integerFrom(0),
    'Read again from this position, e.g. omitted.from, or 0 for all that is kept',
  ),
  /** With `from`, in the text view: move the reader behind what was read. */
  advance: boolean,
  /** Only lines that match this regular expression, with some lines around them. */
  search: forTool(string, 'Only history lines matching this regex'),
  ...waitForFields,
  /** @default 0 */
  timeoutMs: forTool(milliseconds, 'Wait up to this long for until or match; default 0'),
  /** The budget of the output. @default 10000 */
  maxTokens,
};

export const waitFields = {
  /** Wait for the first of these. @default all but those whose exit was reported */
  sessions: forTool(strings, 'Default: all but those known to have exited'),
  ...waitForFields,
  /** @default 45000 */
  timeoutMs: forTool(milliseconds, `Default ${callDefaults.waitMs}`),
};

/** Of the tool alone: a client's own sessions are not known to the engine. */
export const listFields = {
  all: forTool(boolean, 'Also those of other clients'),
};

export const runFields = {
  /** For a new shell: on which machine, where hosts are configured. @default this one */
  host: string,
  /** The session whose shell runs it. @default a new shell, closed when the command has ended */
  session: forTool(string, 'A session with a shell at its prompt; default: a fresh shell'),
  /** For a new shell. @default the caller's */
  cwd,
  /** For a new shell: added to the caller's environment. */
  env: variables,
  /** For a new shell: the profile of its sandbox. @default the caller's */
  sandbox: forTool(string),
  /** @default 30000 */
  timeoutMs: forTool(milliseconds, `Default ${callDefaults.runMs}`),
  /** The budget of the output. @default 10000 */
  maxTokens,
};

export const closeFields: FieldsOf<CloseOptions> = {
  force: forTool(boolean, 'Also end what has left the terminal'),
  graceMs: number,
  signal: { type: 'string' },
};
