/** `repartee mcp`: serves the tools over stdio, or over HTTP to clients that have the token. */

import { existsSync } from 'node:fs';
import type { DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import { policyPath } from '../../daemon/protocol/daemon-paths.ts';
import type { DialectName } from '../../dialects/dialect-names.ts';
import { mergeDialects } from '../../dialects/merge-dialects.ts';
import { native } from '../../dialects/native/dialect.ts';
import type { DialectOptions } from '../../dialects/shared/dialect-options.ts';
import type { Dialect } from '../../dialects/tool.ts';
import { PolicyNotEnforced } from '../../errors.ts';
import { createAccessToken, readTokenFile } from '../../http/http-gate.ts';
import { removeClientKeys } from '../../mcp/client-keys.ts';
import { limitSessionsForHttp, serveHttp } from '../../mcp/http/serve-http.ts';
import { logToStderr } from '../../mcp/log-to-stderr.ts';
import { OpenCalls } from '../../mcp/open-calls.ts';
import { ResourceChanges } from '../../mcp/resource-changes.ts';
import { serveStdio } from '../../mcp/stdio/serve-stdio.ts';
import { makeConfinement, type SandboxOptions } from '../../session/confinement.ts';
import type { Gate } from '../../session/input/gate.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import { MAX_SERVER_SESSIONS } from '../../session/options/options.ts';
import { secretsFolder, standardSecrets } from '../../session/secrets/secret-sources.ts';
import type { Sessions } from '../../session/sessions.ts';
import { ownCommand } from '../own-command.ts';
import { stopSignal } from '../stop-signal.ts';
import { openSecretPage } from '../view/open-secret-page.ts';

interface ServeMcpOptions {
  dialects: readonly ('native' | DialectName)[];
  /** Keep the sessions in this process. */
  isEmbedded: boolean;
  strictWaits: boolean;
  /** Let sessions have the keys with which the client reaches its model. */
  passKeys: boolean;
  /** Of all sessions, whichever tools open them. */
  sandbox: SandboxOptions;
  /** Without it, the client is on standard input. */
  http: { host: string; port: number; tokenFile: string | undefined } | undefined;
}

/** Serves until the client disconnects or a signal arrives. Returns the exit code. */
export const serveMcp = async ({
  dialects: names,
  isEmbedded,
  strictWaits,
  passKeys,
  sandbox,
  http,
}: ServeMcpOptions): Promise<number> => {
  if (isEmbedded) refuseUnenforced();
  if (!passKeys) removeClientKeys(process.env);
  // A person who has misspelt it should know at once, not the agent at its first call.
  makeConfinement({ workspace: process.cwd(), ...sandbox });
  const daemon = isEmbedded ? undefined : await daemonSessions(sandbox);
  const allSessions =
    daemon === undefined
      ? await embeddedSessions(sandbox)
      : await withHostSessions(daemon, sandbox);
  const sessions = http === undefined ? allSessions : limitSessionsForHttp(allSessions);
  const gate = daemon && (await gateOf(daemon));
  const chosen = names.map((name) =>
    name === 'native'
      ? nativeDialect(sessions, isEmbedded)
      : otherDialect(name, { strictWaits, sandbox, ...ifDefined('gate', gate) }),
  );
  const dialects = mergeDialects(await Promise.all(chosen));
  const changes = new ResourceChanges(sessions);
  const context = {
    dialects,
    sessions,
    changes,
    openCalls: new OpenCalls(),
    ...(!isEmbedded && { openSecretPage }),
  };
  const stopped = stopSignal();
  if (http === undefined) {
    // A person who runs this by hand should know why nothing happens.
    if (process.stdin.isTTY)
      logToStderr('waits for an MCP client on standard input; Ctrl-C ends it');
    const server = serveStdio(context);
    await Promise.race([server.ended, stopped]);
    await server.close();
  } else {
    const { tokenFile, ...address } = http;
    const token = tokenFile === undefined ? createAccessToken() : readTokenFile(tokenFile);
    const server = await serveHttp(context, { ...address, token });
    logToStderr(`serving ${server.url}`);
    if (tokenFile === undefined) logToStderr(`token: ${token}`);
    await stopped;
    await server.close();
  }
  await Promise.all(dialects.map((dialect) => dialect.close()));
  if (isEmbedded) {
    // Not by force: what has left its session may be a service that is to go on.
    const { survivors } = await allSessions.closeAll();
    const running = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
    if (running) logToStderr(`what the sessions have started goes on: ${running}`);
  }
  await allSessions[Symbol.asyncDispose]();
  return 0;
};

/** Who asks for no daemon gets none, and so nothing that the user's policy could hold by. */
const refuseUnenforced = (): void => {
  const path = policyPath();
  if (!existsSync(path)) return;
  throw new PolicyNotEnforced(path, '--embedded');
};

const embeddedSessions = async (sandbox: SandboxOptions): Promise<Sessions> => {
  const { LocalSessions } = await import('../../session/local-sessions.ts');
  return new LocalSessions({
    maxSessions: MAX_SERVER_SESSIONS,
    secrets: standardSecrets(),
    sandbox,
  });
};

/** The first call connects to the daemon or starts it, so that the result of that call can say what failed. */
const daemonSessions = async (sandbox: SandboxOptions): Promise<DaemonSessions> => {
  const { DaemonSessions } = await import('../../daemon/client/daemon-sessions.ts');
  return new DaemonSessions({ secrets: standardSecrets(), caller: { door: 'mcp', sandbox } });
};

/** With those of the hosts. A confined agent gets none: nothing would hold it on another machine. */
const withHostSessions = async (
  daemon: DaemonSessions,
  sandbox: SandboxOptions,
): Promise<Sessions> => {
  if (sandbox.profile !== undefined) return daemon;
  const { withHosts } = await import('../../hosts/with-hosts.ts');
  return withHosts(daemon, { caller: { door: 'mcp' } }) ?? daemon;
};

/** Holds sessions in this process to the user's policy. */
const gateOf = async (daemon: DaemonSessions): Promise<Gate> => {
  const { DaemonGate } = await import('../../daemon/client/daemon-gate.ts');
  return new DaemonGate(daemon);
};

/** The sessions of other dialects always live in this process. */
const otherDialect = async (name: DialectName, options: DialectOptions): Promise<Dialect> => {
  const { dialect } = await import('../../dialects/foreign-dialects.ts');
  return dialect(name, options);
};

const nativeDialect = (sessions: Sessions, isEmbedded: boolean): Dialect => {
  const command = ownCommand();
  const attach = (session: string) =>
    `A person can type it: \`${command} attach ${session}\`; meanwhile, terminal_wait.`;
  const store = () =>
    `A person can put it into the file ${secretsFolder()}/NAME (chmod 600), for you to use by that name; tell the user so, and stop here.`;
  return native(sessions, { personAnswers: isEmbedded ? store : attach });
};
