/** The contract of Sessions, kept through a bridge, by a machine that is one of several. */
import { afterAll } from 'vitest';
import { HostedSessions } from '../../src/hosts/hosted-sessions.ts';
import { makeDaemon } from '../helpers/daemon/own-daemon.ts';
import { bridgeTo, openHost } from '../helpers/hosts/own-host.ts';
import { sessionsContract } from '../session/contract.ts';

const daemon = makeDaemon();
// Both at once: what hosts add to the sessions of this machine, and a bridge. One for all tests: each takes a
// process of its own.
const sessions = new HostedSessions({
  local: openHost('box', bridgeTo(daemon)).sessions,
  hosts: ['other'],
  connect: (host) => openHost(host, 'exit 1').sessions,
});
afterAll(async () => {
  await sessions[Symbol.asyncDispose]();
  await daemon.end();
});

sessionsContract('a machine through a bridge, where hosts are configured,', async () => sessions);
