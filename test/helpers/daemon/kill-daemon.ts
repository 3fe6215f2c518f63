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
