/** Serves the tools to an MCP client: over stdio, or over HTTP to clients that have the token. */
import { native } from '../dialects/native/native.ts';
import type { Dialect } from '../dialects/tool.ts';
import { Changes } from '../mcp/changes.ts';
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
    const sessions = new LocalSessions();
    const dialects = values.dialect.map((name) => dialectNamed(name, sessions));
    const serving = serveStdio({ dialects, sessions, changes: new Changes(sessions) });
    await Promise.race([serving.ended, toldToStop()]);
    await serving.close();
    await Promise.all(dialects.map((dialect) => dialect.close()));
    // Nobody is left who could be told of survivors.
    await sessions.closeAll({ force: true });
    return 0;
  },
};

const dialectNamed = (name: string, sessions: Sessions): Dialect => {
  if (name === 'native') return native(sessions, { personAnswers });
  throw new UsageError(`There is no dialect "${name}". There is: native.`);
};

const personAnswers =
  'A person can store one for this server as REPARTEE_SECRET_NAME in its environment; otherwise tell the user which program asks, and stop here.';

const toldToStop = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => resolve());
  });
