import { afterAll, onTestFinished } from 'vitest';
import { sessionsContract } from '../session/contract.ts';
import { makeDaemon } from './own-daemon.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

sessionsContract("the daemon's client", async () => {
  const sessions = await daemon.connect();
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
});
