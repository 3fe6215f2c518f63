/** A host of a test: its own daemon, and a bridge to it by a command. */
import { onTestFinished } from 'vitest';
import { hostSessions } from '../../../src/hosts/connect-host.ts';
import { HostBridge } from '../../../src/hosts/host-bridge.ts';
import {
  noSecrets,
  type SecretSource,
  secretsForHost,
} from '../../../src/session/secrets/secrets.ts';
import { MAIN } from '../cli/own-cli.ts';
import type { OwnDaemon } from '../daemon/own-daemon.ts';

/** A shell command that becomes a bridge to a daemon of this machine. */
export const bridgeTo = ({ env }: OwnDaemon, before = ''): string => {
  const variables = Object.entries({ ...env, HOME: '/' }).map(
    ([name, value]) => `${name}='${value}'`,
  );
  return `${before}exec env ${variables.join(' ')} '${process.execPath}' '${MAIN}' connect`;
};

export const byShell = (command: string) => ({ program: '/bin/sh', args: ['-c', command] });

/** The caller must dispose of the sessions. */
export const openHost = (
  host: string,
  command: string,
  secrets: SecretSource = noSecrets,
  bridge = new HostBridge({ host, command: byShell(command), firstPauseMs: 20 }),
) => {
  const caller = { door: 'library' } as const;
  const allowed = secretsForHost(secrets, host);
  return { sessions: hostSessions({ host, bridge, caller, secrets: allowed }), bridge };
};

export const connectHost = (...args: Parameters<typeof openHost>) => {
  const opened = openHost(...args);
  onTestFinished(async () => void (await opened.sessions[Symbol.asyncDispose]()));
  return opened;
};
