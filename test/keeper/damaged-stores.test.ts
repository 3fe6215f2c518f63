/**
 * A session whose memory is damaged lives with what there is, or is told as lost with the reason. The
 * daemon always starts, and the other sessions go on. `MUTATIONS=200` damages more of them.
 */
import { fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOG_BYTES, READ_BYTES, STORE_LAYOUT } from '../../src/keeper/store-layout.ts';
import { connectKept } from '../helpers/daemon/kept-daemon.ts';
import { openStoreOf, readWord } from '../helpers/daemon/kept-store.ts';
import { killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { asRoot } from '../helpers/needs.ts';
import { seeded } from '../helpers/seeded.ts';
import { until } from '../helpers/until.ts';

const write = (store: number, bytes: number[], offset: number) =>
  writeSync(store, Buffer.from(bytes), 0, bytes.length, offset);

/** Which of the two bases and logs counts. */
const areaOf = (store: number): number => readWord(store, STORE_LAYOUT.generation) & 1;
const baseOf = (store: number): number => STORE_LAYOUT.base * (1 + areaOf(store));
const logWordOf = (store: number): number => STORE_LAYOUT.logs + 4 * areaOf(store);

interface Damage {
  what: string;
  reason: RegExp;
  damage(store: number): void;
}

const damages: Damage[] = [
  {
    what: 'a store of another version',
    reason: /version 99/,
    damage: (store) => write(store, [99], STORE_LAYOUT.version),
  },
  {
    what: 'a store that was never written down',
    reason: /not written down/,
    damage: (store) => write(store, [0, 0, 0, 0], STORE_LAYOUT.generation),
  },
  {
    what: 'a base with a wrong checksum',
    reason: /base is damaged/,
    damage: (store) => write(store, [1, 2, 3, 4], baseOf(store) + 4),
  },
  {
    what: 'a base that claims to be far longer than it is',
    reason: /base is damaged/,
    damage: (store) => write(store, [0, 0, 0, 0x3f], baseOf(store)),
  },
  {
    what: 'a log that is cut short within a record',
    reason: /log is damaged/,
    damage: (store) => write(store, [4 * 5, 0, 0, 0], logWordOf(store)),
  },
  {
    what: 'a file that is cut short',
    reason: /cut short/,
    damage: (store) => ftruncateSync(store, STORE_LAYOUT.log + 100),
  },
  {
    what: 'a file with nothing in it',
    reason: /cut short/,
    damage: (store) => ftruncateSync(store, 0),
  },
  {
    what: 'a program that is not known',
    reason: /program is not known/,
    damage: (store) => write(store, [0, 0, 0, 0], STORE_LAYOUT.pid),
  },
];

describe('a session of which nothing can be made is told as lost, and the others go on', () => {
  for (const { what, reason, damage } of damages)
    asRoot(test)(what, async () => {
      const { daemon, sessions } = await connectKept();
      for (const name of ['lost', 'kept']) await sessions.open({ command: ['sh'], name });
      await sessions.send('lost', { text: 'echo something that is in the log', until: 'now' });
      const [lost] = await sessions.list();
      const store = await openStoreOf(daemon, lost!.pid);
      const pid = await daemon.pid();
      // It must not change what we damage.
      process.kill(pid, 'SIGSTOP');
      damage(store);
      process.kill(pid, 'SIGKILL');
      expect(await sessions.list()).toMatchObject([{ session: 'kept' }]);
      await expect(sessions.read('lost')).rejects.toMatchObject({
        code: 'SESSION_LOST',
        details: { reason: expect.stringMatching(reason) },
      });
      expect((await sessions.send('kept', { text: 'echo $((6*7))' })).output).toContain('42');
      await until('its program is hung up', () => !isAlive(lost!.pid));
    });
});

asRoot(test)('where output may be missing, the output says so', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({
    command: ['sh', '-c', 'echo before; read x; echo after; read y'],
    name: 'gap',
  });
  const [{ pid } = { pid: 0 }] = await sessions.list();
  write(await openStoreOf(daemon, pid), [0x10, 0x27, 0, 0], STORE_LAYOUT.missing);
  await killDaemon(daemon);
  await sessions.send('gap', { text: '', match: 'after' });
  const { output } = await sessions.read('gap', { view: 'raw', from: 0 });
  expect(output).toMatch(/before.*10000 bytes of output are missing here.*after/s);
  await killDaemon(daemon);
  const { output: again } = await sessions.read('gap', { view: 'raw', from: 0 });
  expect(again.match(/missing here/g)).toHaveLength(1);
});

const MUTATIONS = Number(process.env.MUTATIONS ?? 16);
/** All are damaged before the same kill. */
const AT_ONCE = 8;

asRoot(test)(
  'whatever is damaged in its memory, a session lives or is told as lost with the reason',
  async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 100_000);
    const { next: random, below, pick } = seeded(seed);
    /** The parts of a store, each as likely as the others: most of the file is empty. */
    const places: ((store: number) => [from: number, bytes: number])[] = [
      () => [0, 128],
      () => [STORE_LAYOUT.halves, 4 * READ_BYTES],
      (store) => [
        STORE_LAYOUT.log + areaOf(store) * LOG_BYTES,
        Math.max(64, readWord(store, logWordOf(store)) >> 2),
      ],
      (store) => [baseOf(store), 8],
      (store) => [baseOf(store), 8 + readWord(store, baseOf(store))],
    ];
    const mutate = (store: number) => {
      if (random() < 0.05) return ftruncateSync(store, below(fstatSync(store).size));
      const [from, bytes] = pick(places)(store);
      const length = 1 + below(random() < 0.5 ? 4 : 64);
      const garbage = Array.from({ length }, () => below(256));
      return write(store, garbage, from + below(bytes));
    };
    const { daemon, sessions } = await connectKept();
    const names = Array.from({ length: AT_ONCE }, (_, at) => `s${at}`);
    await sessions.open({ command: ['bash', '--norc'], name: 'kept' });
    let lives = 0;
    for (let done = 0; done < MUTATIONS; done += AT_ONCE) {
      for (const name of names) {
        await sessions.open({ command: ['bash', '--norc'], name });
        await sessions.send(name, { text: `seq ${below(3000)}` });
      }
      const listed = await sessions.list();
      const damaged = listed.filter(({ session }) => session !== 'kept');
      const stores = await Promise.all(damaged.map(({ pid }) => openStoreOf(daemon, pid)));
      const pid = await daemon.pid();
      process.kill(pid, 'SIGSTOP');
      for (const store of stores) mutate(store);
      process.kill(pid, 'SIGKILL');
      const left = (await sessions.list()).map(({ session }) => session);
      expect(left, `seed ${seed}, after ${done}`).toContain('kept');
      for (const name of names) {
        if (left.includes(name)) {
          lives++;
          await sessions.read(name, { view: 'screen' });
        } else
          await expect(sessions.read(name), `seed ${seed}, after ${done}`).rejects.toMatchObject({
            code: 'SESSION_LOST',
            details: { reason: expect.any(String) },
          });
        await sessions.close(name, { graceMs: 0, force: true }).catch(() => {});
      }
      const { output } = await sessions.send('kept', { text: 'echo $((6*7))' });
      expect(output).toContain('42');
      for (const { pid: program } of damaged) await until('it has ended', () => !isAlive(program));
    }
    expect(lives).toBeGreaterThan(0);
  },
  60_000 + MUTATIONS * 2000,
);
