/**
 * Kills the daemon at random moments, sometimes its keeper, sometimes one after the other, and sometimes
 * restarts or upgrades it, while clients work with many programs. `KILLS=1000` does it more often.
 */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { environmentSecrets } from '../../src/session/secrets/secret-sources.ts';
import {
  killKeeperOf,
  parentOf,
  restart,
  standInsOf,
  statusOf,
} from '../helpers/daemon/kept-daemon.ts';
import { installNewer } from '../helpers/daemon/newer-version.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive, processesWith } from '../helpers/daemon/processes.ts';
import {
  asker,
  binaryFlood,
  counter,
  editor,
  ender,
  noter,
  python,
  SECRET,
  shell,
  teller,
} from '../helpers/daemon/worked-with.ts';
import { until } from '../helpers/until.ts';

const KILLS = Number(process.env.KILLS ?? 8);
/** Some kills come before the sessions are restored, most in the middle of work. */
const MAX_LIFE_MS = 1000;
/** About as long as a daemon takes to become a keeper that has a daemon. */
const MAX_BECOMING_MS = 800;

test(
  'daemon and keeper are killed at random: no program notices, nothing is lost or done twice',
  async () => {
    const daemon = ownDaemon();
    const secrets = environmentSecrets({ REPARTEE_SECRET_WORD: SECRET });
    const sessions = await daemon.connect({ secrets });
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
      await sessions[Symbol.asyncDispose]();
    });
    const { folder } = daemon;
    const works = [
      ...[1, 2].map((n) => noter(`noter${n}`, folder)),
      noter('unrecorded', folder, { record: false }),
      counter('slow', 'sleep 0.01'),
      counter('quick', ':'),
      noter('piped', folder, { tty: false }),
      counter('slow-pipe', 'sleep 0.01', { tty: false }),
      counter('quick-pipe', '[ $((i % 100)) -gt 0 ] || sleep 0.01', { tty: false }),
      binaryFlood('binary', folder),
      ...[1, 2, 3].map((n) => shell(`shell${n}`)),
      ...[1, 2].map((n) => python(`python${n}`)),
      ...[1, 2].map((n) => asker(`asker${n}`)),
      teller('teller', folder),
      ...[1, 2].map((n) => editor(`vim${n}`, folder)),
    ];
    let keepersKilled = 0;
    works.push(ender('ender', () => keepersKilled));
    for (const work of works) await work.begin(sessions);
    const programs = async () => (await sessions.list()).map(({ session, pid }) => [session, pid]);
    const before = await programs();
    expect(works.length).toBe(20);

    let isOver = false;
    const working = works.map(async ({ name, step }) => {
      for (let round = 0; !isOver; round++) {
        await step(sessions, round).catch((error) => {
          throw new Error(`${name}, round ${round}: ${error.code} ${error.message}`);
        });
        await delay(Math.random() * 20);
      }
    });
    const killDaemon = async () => {
      const { pid } = await statusOf(daemon);
      await delay(Math.random() * MAX_LIFE_MS);
      process.kill(pid, 'SIGKILL');
      await until('it is dead', () => !isAlive(pid));
    };
    const killKeeper = async () => {
      keepersKilled++;
      await killKeeperOf(daemon);
    };
    // The daemon as well, while it becomes the keeper.
    const killBoth = async () => {
      const { pid } = await statusOf(daemon);
      keepersKilled += 2;
      process.kill(parentOf(pid), 'SIGKILL');
      await until('somebody else holds the sessions', () => standInsOf(pid).length > 0);
      await delay(Math.random() * MAX_BECOMING_MS);
      process.kill(pid, 'SIGKILL');
      await until('another one answers', async () => (await statusOf(daemon)).pid !== pid);
    };
    const newer = installNewer();
    const upgrade = () => restart(daemon, newer.next());
    const faults = [killDaemon, killKeeper, killBoth, () => restart(daemon), upgrade];
    const kill = async () => {
      for (let killed = 0; killed < KILLS; killed++) {
        // Every second time the daemon alone: that is what happens most. The others in turn.
        const fault = killed % 2 === 0 ? 0 : 1 + (((killed - 1) / 2) % (faults.length - 1));
        await delay(Math.random() * MAX_LIFE_MS * Math.min(fault, 1));
        await faults[fault]!();
      }
    };
    await Promise.race([kill(), Promise.all(working)]);
    isOver = true;
    await Promise.all(working);

    expect(await programs()).toEqual(before);
    for (const { name, check } of works)
      await check(sessions).catch((error) => {
        error.message = `${name}: ${error.message}`;
        throw error;
      });
    const jobs = works.flatMap(({ job }) => job?.() ?? []);
    await sessions.closeAll({ force: true });
    expect([...before.map(([, pid]) => Number(pid)), ...jobs].filter(isAlive)).toEqual([]);
    expectNoSecretIn(daemon.paths.stateFolder);
    const { pid, lost } = await statusOf(daemon);
    expect(lost).toEqual([]);
    const own = [pid, parentOf(pid)];
    await until('no other process is left', () => {
      const left = processesWith(`XDG_RUNTIME_DIR=${folder}`);
      return left.every((each) => own.includes(each) || each === process.pid);
    });
    // Of what they hold only root is told. The one file is the daemon's own.
    for (const each of process.getuid?.() === 0 ? own : [])
      await until('all memory and terminals are let go', () => heldBy(each).length <= 1);
  },
  60_000 + KILLS * 10_000,
);

/** Not in a recording, the log or the audit. */
const expectNoSecretIn = (folder: string): void => {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) expect(readFileSync(path, 'utf8'), name).not.toContain('sesame');
  }
};

const heldBy = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`)
    .map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`))
    .filter((link) => /memfd|ptmx|pts/.test(link));
