/** Hosts by ssh: an sshd of the tests' own on loopback, as another user where we are root. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hostSessions } from '../../src/hosts/connect-host.ts';
import { HostBridge } from '../../src/hosts/host-bridge.ts';
import { noSecrets } from '../../src/session/secrets/secrets.ts';
import type { Sessions } from '../../src/session/sessions.ts';
import { makeSshHost, type OwnSshHost } from '../helpers/hosts/own-ssh-host.ts';
import { isOpenToOthers } from '../helpers/needs.ts';
import { sessionsContract } from '../session/contract.ts';

/** The far user starts what is in this tree. */
describe.runIf(isOpenToOthers())('a machine that is reached by ssh', () => {
  let host: OwnSshHost;
  /** For all of the contract: each bridge takes a process of its own. */
  let shared: Sessions;
  beforeAll(async () => {
    host = await makeSshHost();
    shared = open();
  }, 60_000);
  afterAll(async () => {
    await shared[Symbol.asyncDispose]();
    await host.end();
  }, 60_000);

  const open = (isStranger = false) => {
    const bridge = new HostBridge({ host: 'box', command: host.command(isStranger) });
    const caller = { door: 'library' } as const;
    return hostSessions({ host: 'box', bridge, caller, secrets: noSecrets });
  };
  const connect = (isStranger = false) => {
    const sessions = open(isStranger);
    onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
    return sessions;
  };

  sessionsContract('over ssh,', async () => shared);

  test('has sessions that outlive a connection, and knows who has opened them', async () => {
    const first = connect();
    const opened = await first.open({ command: ['cat'], name: 'stays' });
    expect(opened).toMatchObject({ certainty: 'certain', waitingFor: 'line' });
    await first[Symbol.asyncDispose]();
    const second = connect();
    const [summary] = await second.list();
    expect(summary).toMatchObject({ session: 'stays', openedBy: { door: 'library' } });
    expect((await second.run('whoami')).output).toBe((await host.run('whoami')).trim());
    await second.closeAll();
  });

  test('is not connected to if its key is not known', async () => {
    await expect(connect(true).list()).rejects.toMatchObject({
      code: 'HOST_UNREACHABLE',
      details: { problem: 'unknown-key' },
    });
  });
});
