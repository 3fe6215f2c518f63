/** Kills clients at random points. `KILLS=200` kills more of them. */
import { expect, test } from 'vitest';
import { type ClientProcess, startClientProcess } from '../../helpers/daemon/client-process.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { descriptorsOf } from '../../helpers/daemon/processes.ts';
import { until } from '../../helpers/until.ts';

const KILLS = Number(process.env.KILLS ?? 20);
const AT_ONCE = 4;
const names = ['s0', 's1', 's2', 'shared'];

test(
  'clients killed at random points: no session is lost, no descriptor is left',
  async () => {
    const daemon = ownDaemon();
    await using sessions = await daemon.connect();
    for (const name of names) await sessions.open({ command: ['bash', '--norc'], name });
    const pid = await daemon.pid();
    const pids = await programs();
    const before = descriptorsOf(pid);
    for (let killed = 0; killed < KILLS; killed += AT_ONCE) {
      const clients = Array.from({ length: AT_ONCE }, () =>
        startClientProcess(daemon, 'randomCalls'),
      );
      await Promise.all(clients.map(killSoon));
    }
    expect(await daemon.pid()).toBe(pid);
    expect(await programs()).toEqual(pids);
    await until('the descriptors of the clients are closed', () => descriptorsOf(pid) <= before);
    for (const session of names) {
      await until('nobody holds its keyboard', async () => {
        const summary = (await sessions.list()).find((each) => each.session === session);
        return summary?.keyboard === undefined;
      });
      await sessions.wait({ sessions: [session] });
      const { output } = await sessions.send(session, { text: 'echo still $((6*7))' });
      expect(output).toContain('still 42');
    }

    async function programs() {
      return (await sessions.list()).map((summary) => [summary.session, summary.pid]);
    }
  },
  30_000 + KILLS * 1000,
);

/** Kills some before they are connected, and most in the middle of a call. */
const killSoon = async (client: ClientProcess) => {
  if (Math.random() < 0.8) await client.waitUntilPrinted('begun');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 100));
  await client.kill();
};
