/** The contract of Sessions, kept through a bridge, by a machine that is one of several. */
import { afterAll, onTestFinished } from 'vitest';
import { HostedSessions } from '../../src/hosts/hosted-sessions.ts';
import { makeDaemon } from '../helpers/daemon/own-daemon.ts';
import { bridgeTo, openHost } from '../helpers/hosts/own-host.ts';
import { sessionsContract } from '../session/contract.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

// Both at once: what hosts add to the sessions of this machine, and a bridge.
sessionsContract('a machine through a bridge, where hosts are configured,', async () => {
  const sessions = new HostedSessions({
    local: openHost('box', bridgeTo(daemon)).sessions,
    hosts: ['other'],
    connect: (host) => openHost(host, 'exit 1').sessions,
  });
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
});
