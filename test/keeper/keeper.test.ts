import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../helpers/daemon/processes.ts';
import { spawnKeeper } from '../helpers/daemon/spawn-keeper.ts';
import { asRoot } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';

interface Listed {
  session: number;
  shell: string;
  pid: number;
  exit: { code?: number; signal?: string } | null;
  hasSecond: boolean;
}

/** How many ends of terminals and memories of sessions its keeper holds, which shows that to root alone. */
const heldBy = (keeper: ReturnType<typeof spawnKeeper>): number => {
  const folder = `/proc/${keeper.process.pid}/fd`;
  const links = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return '';
    }
  });
  return links.filter((link) => /ptmx|\/pts\/|repartee-session/.test(link)).length;
};

const untilRead = async (
  { ask }: ReturnType<typeof spawnKeeper>,
  session: number,
  text: string,
): Promise<void> => {
  let read = '';
  await until(`the program prints "${text}"`, async () => {
    read += await ask<string>('read', { session });
    return read.includes(text);
  });
};

test('a program does not notice that the daemon was killed, and the next one goes on with it', async () => {
  const keeper = spawnKeeper();
  const shell = 'trap "echo hung up" HUP; echo begun; while read x; do echo "got $x"; done';
  const session = await keeper.ask<number>('open', { shell });
  await untilRead(keeper, session, 'begun');
  const [before] = await keeper.ask<Listed[]>('list');
  for (const text of ['one', 'two']) {
    const daemon = await keeper.ask<number>('pid');
    await keeper.killDaemon();
    expect(await keeper.ask<number>('pid')).not.toBe(daemon);
    expect(await keeper.ask<Listed[]>('list')).toEqual([before]);
    await keeper.ask('type', { session, text: `${text}\n` });
    await untilRead(keeper, session, `got ${text}`);
  }
  expect(isAlive(before!.pid)).toBe(true);
});

test('the keeper notes how programs end while there is no daemon, and after it', async () => {
  const keeper = spawnKeeper();
  const codes = await keeper.ask<number>('open', { shell: 'read x; exit 7' });
  const dies = await keeper.ask<number>('open', { shell: 'read x; kill -TERM $$' });
  await keeper.killDaemon();
  for (const session of [codes, dies]) await keeper.ask('type', { session, text: '\n' });
  await until('both have ended', async () =>
    (await keeper.ask<Listed[]>('list')).every(({ exit }) => exit !== null),
  );
  const exits = (await keeper.ask<Listed[]>('list')).map(({ exit }) => exit);
  expect(exits).toEqual([{ code: 7 }, { signal: 'SIGTERM' }]);
  const child = String(keeper.process.pid);
  const children = readFileSync(`/proc/${child}/task/${child}/children`, 'utf8').trim();
  expect(children).toBe(String(await keeper.ask('pid')));
});

/** Its descriptors are counted, which it hides. */
asRoot(test)(
  'the keeper lets a slave go, so that the terminal can end, and then the rest',
  async () => {
    const keeper = spawnKeeper();
    const session = await keeper.ask<number>('open', { shell: 'exit 0' });
    await until('it is held', () => heldBy(keeper) === 3);
    await keeper.ask('dropSecond', { session });
    await until('it is closed', () => heldBy(keeper) === 2);
    await keeper.killDaemon();
    const [listed] = await keeper.ask<Listed[]>('list');
    expect(listed!.hasSecond).toBe(false);
    await until(
      'the terminal has ended',
      async () => (await keeper.ask('read', { session })) === 'EIO',
    );
    await keeper.ask('release', { session });
    await until('all is closed', () => heldBy(keeper) === 0);
    await keeper.killDaemon();
    expect(await keeper.ask('list')).toEqual([]);
  },
);

asRoot(test)('a keeper that was stopped learns later what it was told meanwhile', async () => {
  const keeper = spawnKeeper();
  const session = await keeper.ask<number>('open', { shell: 'exit 0' });
  await until('it is held', () => heldBy(keeper) === 3);
  keeper.process.kill('SIGSTOP');
  // More than the socket takes.
  await keeper.ask('chatter', { count: 2000 });
  await keeper.ask('release', { session });
  keeper.process.kill('SIGCONT');
  await until('all is closed', () => heldBy(keeper) === 0);
});

test('the keeper ends with a daemon that has ended by itself, and takes its socket with it', async () => {
  const keeper = spawnKeeper();
  const exited = once(keeper.process, 'exit');
  void keeper.ask('end', { code: 0 }).catch(() => {});
  expect(await exited).toEqual([0, null]);
  expect(existsSync(keeper.socket)).toBe(false);
});

test('a daemon that cannot start is not started again and again', async () => {
  const keeper = spawnKeeper({ args: ['fail'] });
  expect(await once(keeper.process, 'exit')).toEqual([3, null]);
});

test('a second keeper leaves everything to the first', async () => {
  const keeper = spawnKeeper();
  const daemon = await keeper.ask('pid');
  expect(await once(keeper.start(), 'exit')).toEqual([0, null]);
  expect(await keeper.ask('pid')).toBe(daemon);
});
