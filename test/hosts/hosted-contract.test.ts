/** The contract of Sessions, kept through a bridge, and by several machines as one. */
import { afterAll, onTestFinished } from 'vitest';
import { HostedSessions } from '../../src/hosts/hosted-sessions.ts';
import { makeDaemon } from '../helpers/daemon/own-daemon.ts';
import { bridgeTo, connectHost, openHost } from '../helpers/hosts/own-host.ts';
import { sessionsContract } from '../session/contract.ts';

const far = makeDaemon();
const near = makeDaemon();
afterAll(async () => {
  await far.end();
  await near.end();
});

sessionsContract(
  'a host, through a bridge,',
  async () => connectHost('box', bridgeTo(far)).sessions,
);

sessionsContract('this machine, where hosts are configured,', async () => {
  const local = await near.connect();
  const sessions = new HostedSessions({
    local,
    hosts: ['box'],
    connect: () => openHost('box', bridgeTo(far)).sessions,
  });
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
});
