import { afterAll, onTestFinished } from 'vitest';
import { makeDaemon } from '../../helpers/daemon/own-daemon.ts';
import { sessionsContract } from '../../session/contract.ts';
import { renameContract } from '../../session/rename-contract.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

const connect = async () => {
  const sessions = await daemon.connect();
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
};

sessionsContract("the daemon's client", connect);
renameContract("the daemon's client", connect);
