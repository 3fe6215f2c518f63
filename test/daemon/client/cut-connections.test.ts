/** The contract through a connection that is cut at random. `SEED=5` cuts elsewhere. */
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { CuttingProxy } from '../../helpers/daemon/cutting-proxy.ts';
import { makeDaemon } from '../../helpers/daemon/own-daemon.ts';
import { seeded } from '../../helpers/seeded.ts';
import { sessionsContract } from '../../session/contract.ts';

const daemon = makeDaemon();
const proxy = new CuttingProxy(daemon.paths, seeded(Number(process.env.SEED ?? 1)));
beforeAll(async () => {
  await daemon.start();
  await proxy.listen();
});
afterAll(async () => {
  proxy.close();
  await daemon.end();
});

sessionsContract("the daemon's client, through a connection that is cut at random,", async () => {
  const sessions = await daemon.connect({ paths: proxy.paths, start: false });
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  return sessions;
});
