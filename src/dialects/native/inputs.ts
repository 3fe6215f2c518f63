/**
 * The input of each native tool. A model reads only these descriptions, and they cost tokens in every
 * conversation, so all eight tools together stay under 6 KB.
 */
import { z } from 'zod';
import { callDefaults, MAX_TIMER_MS, untils, viewNames } from '../../session/options/options.ts';

const session = z.string();
const cwd = z.string().describe("Folder; default: the server's").exactOptional();
const cols = z.int().min(1);
const rows = z.int().min(1);
const time = (description: string) =>
  z.number().min(0).max(MAX_TIMER_MS).describe(description).exactOptional();
const maxTokens = z.int().min(1).describe('Longer output is cut in the middle').exactOptional();
const match = z.string().describe('Wait for this regex in new output (or exit)').exactOptional();
const until = (description?: string) => {
  const values = z.enum(untils);
  return (description ? values.describe(description) : values).exactOptional();
};

export const openToolInput = z.strictObject({
  command: z.string().describe('Shell command line; default: a shell').exactOptional(),
  cwd,
  env: z.record(z.string(), z.string()).describe('Variables to add').exactOptional(),
  name: z.string().describe("Session name; default: the program's").exactOptional(),
  cols: cols.describe(`Default ${callDefaults.cols}`).exactOptional(),
  rows: rows.describe(`Default ${callDefaults.rows}`).exactOptional(),
  tty: z.boolean().describe('false: pipes, no terminal').exactOptional(),
  timeout_ms: time(`Longest wait until it is ready; default ${callDefaults.openMs}`),
});

export const runToolInput = z.strictObject({
  command: z.string(),
  session: session
    .describe('A session with a shell at its prompt; default: a fresh shell')
    .exactOptional(),
  cwd,
  timeout_ms: time(`Default ${callDefaults.runMs}`),
  max_tokens: maxTokens,
});

export const sendToolInput = z.strictObject({
  session,
  text: z
    .string()
    .describe('A line to type; Enter follows (a newline at its end is that Enter)')
    .exactOptional(),
  submit: z.boolean().describe('false: no Enter after text').exactOptional(),
  keys: z
    .string()
    .describe(
      'Keys to press, e.g. "C-c", "Up Up Enter", "Escape", "M-x", "F5", "Click(10,5)"; after text and its Enter',
    )
    .exactOptional(),
  secret: z
    .string()
    .describe('Name of a stored secret to type, unseen by you, when waiting_for is "secret"')
    .exactOptional(),
  until: until(
    'Wait until: ready (default: it wants input or has exited), exit, output (anything new), listening (it opened a port), now (do not wait)',
  ),
  match,
  timeout_ms: time(`Default ${callDefaults.sendMs}`),
  view: z.enum(viewNames).describe('As in terminal_read').exactOptional(),
  max_tokens: maxTokens,
});

export const readToolInput = z.strictObject({
  session,
  view: z
    .enum(viewNames)
    .describe(
      'text (default): new output, clean; screen: what a person sees; diff: screen rows that changed; raw: with escape codes',
    )
    .exactOptional(),
  from: z
    .int()
    .min(0)
    .describe('Read again from this position, e.g. omitted.from, or 0 for all that is kept')
    .exactOptional(),
  search: z.string().describe('Only lines of the history matching this regex').exactOptional(),
  until: until(),
  match,
  timeout_ms: time('Wait up to this long for until or match; default 0'),
  max_tokens: maxTokens,
});

export const waitToolInput = z.strictObject({
  sessions: z
    .array(z.string())
    .describe('Default: all but those known to have exited')
    .exactOptional(),
  until: until(),
  match,
  timeout_ms: time(`Default ${callDefaults.waitMs}`),
});

export const listToolInput = z.strictObject({});

export const resizeToolInput = z.strictObject({ session, cols, rows });

export const closeToolInput = z.strictObject({
  session: session.describe('"*": all'),
  force: z.boolean().describe('Also end what has left the terminal').exactOptional(),
});
