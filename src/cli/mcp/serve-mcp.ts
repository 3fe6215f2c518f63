/** Serves the tools to an MCP client: over stdio, or over HTTP to clients that have the token. */

import { mergeDialects } from '../../dialects/merge-dialects.ts';
import { native } from '../../dialects/native/native.ts';
import type { Dialect } from '../../dialects/tool.ts';
import { newToken, tokenFrom } from '../../mcp/http/http-gate.ts';
import { limitedForHttp, serveHttp } from '../../mcp/http/serve-http.ts';
import { log } from '../../mcp/log.ts';
import { ResourceChanges } from '../../mcp/resource-changes.ts';
import { serveStdio } from '../../mcp/stdio/serve-stdio.ts';
import { SERVER_SESSIONS } from '../../session/options/options.ts';
import { secretsFolder, standardSecrets } from '../../session/secrets/secret-sources.ts';
import type { Sessions } from '../../session/sessions.ts';
import { parseOptions, UsageError } from '../parse-args.ts';

/** Serves until the client goes, or the process is told to stop; returns the exit code. */
export const serveMcp = async (args: readonly string[]): Promise<number> => {
  const { values } = parseOptions({
    args: [...args],
    options: {
      dialect: { type: 'string', multiple: true, default: ['native'] },
      embedded: { type: 'boolean', default: false },
      http: { type: 'string' },
      'token-file': { type: 'string' },
      'strict-waits': { type: 'boolean', default: false },
    },
  });
  const place = values.http === undefined ? undefined : placeOf(values.http);
  if (place === undefined && values['token-file'] !== undefined)
    throw new UsageError('--token-file is for clients over HTTP: say --http as well.');
  const kept = values.embedded ? await embedded() : await inDaemon();
  const sessions = place === undefined ? kept : limitedForHttp(kept);
  const named = values.dialect.map((name) =>
    name === 'native'
      ? ownDialect(sessions, values.embedded)
      : otherDialect(name, values['strict-waits']),
  );
  const dialects = mergeDialects(await Promise.all(named));
  const offer = { dialects, sessions, changes: new ResourceChanges(sessions) };
  const stopped = toldToStop();
  if (place === undefined) {
    // Whoever typed this would wait for an answer in vain.
    if (process.stdin.isTTY) log('waits for an MCP client on standard input; Ctrl-C ends it');
    const serving = serveStdio(offer);
    await Promise.race([serving.ended, stopped]);
    await serving.close();
  } else {
    const tokenFile = values['token-file'];
    const token = tokenFile === undefined ? newToken() : tokenFrom(tokenFile);
    const serving = await serveHttp(offer, { ...place, token });
    log(`serving ${serving.url}`);
    if (tokenFile === undefined) log(`token: ${token}`);
    await stopped;
    await serving.close();
  }
  await Promise.all(dialects.map((dialect) => dialect.close()));
  // Nobody is left who could be told of survivors, so there must be none.
  if (values.embedded) await kept.closeAll({ force: true });
  await kept[Symbol.asyncDispose]();
  return 0;
};

const embedded = async (): Promise<Sessions> => {
  const { LocalSessions } = await import('../../session/local-sessions.ts');
  return new LocalSessions({ maxSessions: SERVER_SESSIONS, secrets: standardSecrets() });
};

/** The daemon is found, or started, by the first call: a server that cannot reach it says why. */
const inDaemon = async (): Promise<Sessions> => {
  const { DaemonSessions } = await import('../../daemon/client/daemon-sessions.ts');
  return new DaemonSessions({ secrets: standardSecrets() });
};

/** Its sessions live in this process, whatever the native ones do. */
const otherDialect = async (name: string, strictWaits: boolean): Promise<Dialect> => {
  const { dialect, dialectNames, isDialectName } = await import('../../dialects/dialects.ts');
  if (isDialectName(name)) return dialect(name, { strictWaits });
  const names = ['native', ...dialectNames].join(', ');
  throw new UsageError(`There is no dialect "${name}". There are: ${names}.`);
};

const ownDialect = (sessions: Sessions, isEmbedded: boolean): Dialect => {
  const attach = (session: string) =>
    `A person can type it: \`repartee attach ${session}\`; meanwhile, terminal_wait.`;
  const store = () =>
    `A person can put it into the file ${secretsFolder()}/NAME (chmod 600), for you to use by that name; tell the user so, and stop here.`;
  return native(sessions, { personAnswers: isEmbedded ? store : attach });
};

const placeOf = (text: string): { host: string; port: number } => {
  const [, host, port] = /^(?:\[?(.+?)\]?:)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--http takes a port, or an address and a port, not "${text}".`);
  return { host: host ?? '127.0.0.1', port: Number(port) };
};

const toldToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => resolve());
  });
