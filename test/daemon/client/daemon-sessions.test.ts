import { afterAll, onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../../src/daemon/client/connect.ts';
import { Daemon } from '../../../src/daemon/server/daemon.ts';
import { memoryTransports } from '../../helpers/daemon/memory-transport.ts';
import { makeDaemon } from '../../helpers/daemon/own-daemon.ts';
import { sessionsContract } from '../../session/contract.ts';
import { renameContract } from '../../session/rename-contract.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

const connectWith = (options: Partial<ConnectOptions>) => async () => {
  const sessions = await daemon.connect(options);
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
};

sessionsContract("the daemon's client", connectWith({ formats: ['binary'] }));
renameContract("the daemon's client", connectWith({}));

sessionsContract("the daemon's client, in text frames,", connectWith({ formats: ['text'] }));

const { paths, end } = makeDaemon();
const here = new Daemon(paths);
afterAll(async () => {
  await here.stop('the test is over');
  await end();
});

const openTransport = async () => {
  const [near, far] = memoryTransports();
  here.accept(far);
  return near;
};

sessionsContract("the daemon's client, in one process with it,", connectWith({ openTransport }));
