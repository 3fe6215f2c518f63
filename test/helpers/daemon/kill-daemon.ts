import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { until } from '../until.ts';
import type { OwnDaemon } from './own-daemon.ts';
import { isAlive } from './processes.ts';

/** A keeper, if it has one, starts it again. */
export const killDaemon = async (daemon: OwnDaemon): Promise<void> => {
  const pid = await daemon.pid();
  process.kill(pid, 'SIGKILL');
  await until('the daemon is dead', () => !isAlive(pid));
};

export const keeperOf = async (daemon: OwnDaemon): Promise<number> =>
  readProcessStat(await daemon.pid())!.parent;

/** As when memory runs out: nobody goes on with its sessions. Resolves when both are dead. */
export const killWithKeeper = async (daemon: OwnDaemon): Promise<void> => {
  const pid = await daemon.pid();
  const keeper = await keeperOf(daemon);
  // Otherwise it could become a keeper in between.
  process.kill(pid, 'SIGSTOP');
  for (const each of [keeper, pid]) process.kill(each, 'SIGKILL');
  await until('both are dead', () => !isAlive(pid) && !isAlive(keeper));
};
