/** A host of a test: its own daemon, and a bridge to it by a command. */
import { readFileSync } from 'node:fs';
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
import { isAlive, processesWith } from '../daemon/processes.ts';
import { until } from '../until.ts';

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

/** Kills the processes that lead to a daemon, here in place of ssh. Returns how many there were. */
export const endBridges = async ({ env }: OwnDaemon): Promise<number> => {
  const bridges = () =>
    processesWith(`XDG_RUNTIME_DIR=${env.XDG_RUNTIME_DIR}`).filter((pid) => isBridge(pid));
  await until('there is a bridge', () => bridges().length > 0);
  const pids = bridges();
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  await until('they are gone', () => pids.every((pid) => !isAlive(pid)));
  return pids.length;
};

const isBridge = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').endsWith('\0connect\0');
  } catch {
    // It has ended.
    return false;
  }
};
