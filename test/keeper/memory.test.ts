/** What sessions leave behind in the daemon and in its keeper when they are closed. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { connectKept } from '../helpers/daemon/kept-daemon.ts';
import { keeperOf } from '../helpers/daemon/kill-daemon.ts';

/** `SESSIONS=2000` for more. */
const SESSIONS = Number(process.env.SESSIONS ?? 150);
const AT_ONCE = 8;
/** How many it takes until a daemon has all that it needs itself. */
const FIRST = 100;
const MB = 1024;

/** In KiB. */
const memoryOf = (pid: number) => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string) => Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)![1]);
  return { mapped: field('VmSize'), shared: field('RssShmem'), used: field('VmRSS') };
};

const openAndClose = async (sessions: DaemonSessions, count: number): Promise<void> => {
  let left = count;
  const work = Array.from({ length: AT_ONCE }, async (_, worker) => {
    for (let at = 0; left-- > 0; at++) {
      const name = `cat-${worker}`;
      await sessions.open({ command: ['cat'], name, tty: at % 2 === 0 });
      await sessions.send(name, { text: 'some output' });
      await sessions.close(name);
    }
  });
  await Promise.all(work);
};

test(
  'daemon and keeper do not grow with the sessions that were opened and closed',
  async () => {
    const { daemon, sessions } = await connectKept();
    const [pid, keeper] = [await daemon.pid(), await keeperOf(daemon)];
    await openAndClose(sessions, FIRST);
    const before = { daemon: memoryOf(pid), keeper: memoryOf(keeper) };
    await openAndClose(sessions, SESSIONS);
    const after = { daemon: memoryOf(pid), keeper: memoryOf(keeper) };
    // Each session has mapped more than 1 MB. V8 finds out what is unused when 64 MB more are in use.
    expect(after.daemon.mapped - before.daemon.mapped).toBeLessThan(256 * MB);
    expect(after.daemon.shared - before.daemon.shared).toBeLessThan(4 * MB);
    expect(after.keeper.mapped - before.keeper.mapped).toBeLessThan(64 * MB);
    expect(after.keeper.shared - before.keeper.shared).toBeLessThan(4 * MB);
    expect(after.keeper.used - before.keeper.used).toBeLessThan(16 * MB);
    expect(await daemon.pid()).toBe(pid);
  },
  60_000 + SESSIONS * 500,
);
