/**
 * Lets the user type a secret that nobody has stored, on a page that their client opens for them (MCP
 * elicitation of URLs). Neither the client nor its model sees the secret.
 */
import { randomUUID } from 'node:crypto';
import type { ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../dialects/tool.ts';
import type { UnknownSecret } from '../errors.ts';
import { callDefaults } from '../session/options/options.ts';
import type { CallOptions, SessionState, Sessions } from '../session/sessions.ts';
import { logToStderr } from './log-to-stderr.ts';

export interface SecretPage {
  url: string;
  /** Resolves when the person has typed it. */
  typed: Promise<void>;
  close(): Promise<void>;
}

/** `state`: of the session that asks. */
export type OpenSecretPage = (state: SessionState) => Promise<SecretPage>;

interface SecretPageDeps {
  openSecretPage: OpenSecretPage;
  sessions: Sessions;
  /** Reads a session. */
  read: Tool;
  mcpReq: ServerContext['mcpReq'];
}

const capabilities = z.object({ elicitation: z.object({ url: z.looseObject({}) }) });

/** Whether the client opens links for its user. */
export const opensUrls = (declared: unknown): boolean => capabilities.safeParse(declared).success;

const secretArguments = z.looseObject({ session: z.string(), secret: z.string() });

const UNKNOWN_SECRET: UnknownSecret['code'] = 'UNKNOWN_SECRET';

/** How long a person may take to find the page and the secret. */
const PATIENCE_MS = 5 * 60_000;

/** The tool, which asks the user instead of failing where a secret is not stored. */
export const withSecretPage = (tool: Tool, deps: SecretPageDeps): Tool => ({
  ...tool,
  run: async (args, call) => {
    const result = await tool.run(args, call);
    const { data } = secretArguments.safeParse(args);
    if (result.code !== UNKNOWN_SECRET || data === undefined) return result;
    if (!(await typedByPerson(data, call, deps))) return result;
    // As after typing: its answer, when it wants input again.
    const { secret: _, text: _text, keys: _keys, submit: _submit, ...rest } = data;
    return deps.read.run({ until: 'ready', timeout_ms: callDefaults.sendMs, ...rest }, call);
  },
});

/** False if the user has declined, or has not done it in time. */
const typedByPerson = async (
  { session, secret }: z.infer<typeof secretArguments>,
  { signal }: CallOptions,
  { openSecretPage, sessions, mcpReq }: SecretPageDeps,
): Promise<boolean> => {
  const asking = (await sessions.list()).find((each) => each.session === session);
  // No page for what would be refused.
  if (asking?.waitingFor !== 'secret') return false;
  const page = await openSecretPage(asking);
  try {
    const { action } = await mcpReq.elicitInput(
      {
        mode: 'url',
        message: `${asking.foreground ?? 'A program'} in session "${session}" asks for a secret ("${secret}"). Type it on this page; your agent does not see it.`,
        url: page.url,
        elicitationId: randomUUID(),
      },
      { ...(signal && { signal }), timeout: PATIENCE_MS },
    );
    return action === 'accept' && (await isTyped(page, signal));
  } catch (error) {
    if (signal?.aborted) throw error;
    logToStderr('the client did not open a page:', error);
    return false;
  } finally {
    await page.close();
  }
};

const isTyped = ({ typed }: SecretPage, signal: AbortSignal | undefined): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(false), PATIENCE_MS);
    const onAbort = () => reject(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    typed.then(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(true);
    });
  });
