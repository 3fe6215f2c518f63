import { afterAll, onTestFinished } from 'vitest';
import { makeDaemon } from '../../helpers/daemon/own-daemon.ts';
import { sessionsContract } from '../../session/contract.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

sessionsContract("the daemon's client", async () => {
  const sessions = await daemon.connect();
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
});
