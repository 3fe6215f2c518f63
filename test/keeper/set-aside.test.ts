/** A session that kills its daemon again and again is not touched any more. The others live. */
import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { STORE_LAYOUT } from '../../src/keeper/store-layout.ts';
import { connectKept } from '../helpers/daemon/kept-daemon.ts';
import { openStoreOf, readWord } from '../helpers/daemon/kept-store.ts';
import { keeperOf, killDaemon } from '../helpers/daemon/kill-daemon.ts';
import type { OwnDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { asRoot } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';

const NONE = 0;
const RESTORING = 1;
const DELIVERING = 2;
const RESTING = 3;
/** A kill may come too late: then that one does not count, and it is tried again. */
const MAX_KILLS = 60;
/** How long we look without a pause: others need this process, too. */
const LOOK_MS = 20;
/** By then a session is no longer marked while its output is delivered. */
const LATE_MS = 3000;

/** The daemon that this keeper has started, if it is another one. */
const daemonOf = (keeper: number, before: number): number | undefined => {
  const children = readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8')
    .trim()
    .split(' ');
  const isDaemon = (pid: number) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').match(/repartee-daemon|server\/main\.js/) !== null;
  return children
    .map(Number)
    .find((pid) => pid > 0 && pid !== before && isAlive(pid) && isDaemon(pid));
};

/** Kills the daemon in the moment in which it does this with the session, until it does it no more. */
const killWhile = async (keeper: number, store: number, work: number): Promise<void> => {
  const isAside = () => readWord(store, STORE_LAYOUT.deaths) >= 3;
  let pid = 0;
  for (let kills = 0; kills < MAX_KILLS && !isAside(); kills++) {
    await until('there is a daemon', () => {
      const next = daemonOf(keeper, pid);
      pid = next ?? pid;
      return next !== undefined;
    });
    // Until then the store says what the daemon before has done.
    await until('it has taken the session over', () => readWord(store, STORE_LAYOUT.work) === NONE);
    const lateMs = performance.now() + LATE_MS;
    await until('it is worked on', async () => {
      const stopMs = performance.now() + LOOK_MS;
      while (performance.now() < stopMs) {
        const now = readWord(store, STORE_LAYOUT.work);
        // To be restored is done once. If that is over, it is tried with the next daemon.
        if (now === work || (work === RESTORING && now === RESTING) || isAside()) return true;
      }
      await nextTurn();
      // Others have kept this process from seeing it: it is tried with the next daemon.
      return performance.now() > lateMs;
    });
    if (isAside()) return;
    process.kill(pid, 'SIGKILL');
    await until('the daemon is dead', () => !isAlive(pid));
  }
  expect(isAside()).toBe(true);
};

const expectSetAside = async (daemon: OwnDaemon, sessions: DaemonSessions, program: number) => {
  const names = async () => (await sessions.list()).map(({ session }) => session);
  expect(await names()).toEqual(['good']);
  expect((await sessions.send('good', { text: 'echo $((6*7))' })).output).toContain('42');
  const read = sessions.read('bad');
  await expect(read).rejects.toMatchObject({
    code: 'SESSION_LOST',
    details: { reason: expect.stringContaining('died 3 times in a row') },
  });
  await expect(read).rejects.toThrow(/still runs/);
  await expect(sessions.open({ name: 'bad' })).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  expect(isAlive(program)).toBe(true);
  // The next daemon does not touch it either.
  await killDaemon(daemon);
  expect(await names()).toEqual(['good']);
  expect(isAlive(program)).toBe(true);
  await sessions.close('bad', { force: true });
  await until('its program has ended', () => !isAlive(program));
  await sessions.open({ command: ['sh'], name: 'bad' });
  expect((await names()).sort()).toEqual(['bad', 'good']);
};

/** One that behaves, and one whose script we choose. */
const openBoth = async (sessions: DaemonSessions, script: string): Promise<number> => {
  await sessions.open({ command: ['bash', '--norc'], name: 'good' });
  await sessions.open({ command: ['bash', '-c', script], name: 'bad', timeoutMs: 0 });
  await sessions.wait({ sessions: ['bad'], match: 'begun', timeoutMs: 60_000 });
  return (await sessions.list()).find(({ session }) => session === 'bad')!.pid;
};

asRoot(test)(
  'a session that kills the daemon whenever it is restored is set aside',
  async () => {
    const { daemon, sessions } = await connectKept();
    const program = await openBoth(sessions, 'seq 30000; echo begun; read x');
    const store = await openStoreOf(daemon, program);
    const keeper = await keeperOf(daemon);
    await killDaemon(daemon);
    await killWhile(keeper, store, RESTORING);
    await expectSetAside(daemon, sessions, program);
  },
  120_000,
);

asRoot(test)(
  'a session that kills the daemon with its next output is set aside',
  async () => {
    const { daemon, sessions } = await connectKept();
    // Much work for the screen, and then a pause: the daemon is at rest before the next.
    const script = `
      echo begun
      while sleep 0.1; do printf '\\033[2J\\033[H%s' $(seq 2000); done`;
    const program = await openBoth(sessions, script);
    const store = await openStoreOf(daemon, program);
    const keeper = await keeperOf(daemon);
    await killDaemon(daemon);
    await killWhile(keeper, store, DELIVERING);
    await expectSetAside(daemon, sessions, program);
  },
  120_000,
);

test('a session that floods its terminal is not taken for the reason of a death', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['yes'], name: 'flood', timeoutMs: 0 });
  for (let kills = 0; kills < 5; kills++) {
    const from = (await sessions.read('flood', { view: 'raw' })).position;
    await until('it has printed much', async () => {
      const { position } = await sessions.read('flood', { view: 'raw' });
      return position > from + 200_000;
    });
    await killDaemon(daemon);
  }
  expect(await sessions.list()).toMatchObject([{ session: 'flood' }]);
});
