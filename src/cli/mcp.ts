/** Serves the tools to an MCP client: over stdio, or over HTTP to clients that have the token. */
import { DaemonSessions } from '../daemon/client.ts';
import { native } from '../dialects/native/native.ts';
import type { Dialect } from '../dialects/tool.ts';
import { Changes } from '../mcp/changes.ts';
import { forHttp, serveHttp } from '../mcp/http.ts';
import { newToken, tokenFrom } from '../mcp/http-gate.ts';
import { log } from '../mcp/log.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { LocalSessions } from '../session/local-sessions.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Command } from './command.ts';
import { parse, UsageError } from './usage.ts';

export const command: Command = {
  name: 'mcp',
  summary: 'serve the terminal tools to an MCP client',
  usage: '[--dialect D]… [--embedded] [--http [HOST:]PORT [--token-file FILE]] [--strict-waits]',
  async run(args) {
    const { values } = parse({
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
    const kept = values.embedded ? new LocalSessions() : new DaemonSessions({});
    const sessions = place === undefined ? kept : forHttp(kept);
    const dialects = values.dialect.map((name) => dialectNamed(name, sessions, values.embedded));
    const offer = { dialects, sessions, changes: new Changes(sessions) };
    const stopped = toldToStop();
    if (place === undefined) {
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
    // Nobody is left who could be told of survivors.
    if (values.embedded) await kept.closeAll({ force: true });
    await kept[Symbol.asyncDispose]();
    return 0;
  },
};

const dialectNamed = (name: string, sessions: Sessions, isEmbedded: boolean): Dialect => {
  if (name !== 'native') throw new UsageError(`There is no dialect "${name}". There is: native.`);
  const attach = (session: string) =>
    `A person can type it: \`repartee attach ${session}\`; then terminal_wait.`;
  const store = () =>
    'A person can store one as REPARTEE_SECRET_NAME in the environment of this server; until then, tell the user which program asks, and stop here.';
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
