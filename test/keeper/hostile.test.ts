/** Another process of the same user, which connects to the keeper's sockets and looks into the keeper. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, closeSync, openSync, readdirSync, readlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeKeeperMessage, keeperMessages } from '../../src/keeper/keeper-messages.ts';
import { sendDescriptors } from '../../src/system/descriptor-passing.ts';
import { keeperOf } from '../helpers/daemon/kill-daemon.ts';
import { NOBODY } from '../helpers/daemon/nobody.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { spawnKeeper } from '../helpers/daemon/spawn-keeper.ts';
import { openToOthers } from '../helpers/needs.ts';
import { seeded } from '../helpers/seeded.ts';
import { folderWith } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

/** What its descriptors refer to. Only root sees those of a keeper and its daemon, which hide them. */
const linksOf = (pid: number): string[] => {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
};

const descriptorOf = (socket: Socket): number =>
  (socket as unknown as { _handle: { fd: number } })._handle.fd;

test('garbage and descriptors at either socket harm neither keeper nor daemon nor sessions', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  const keeper = await keeperOf(daemon);
  const path = join(folderWith({ passed: '' }), 'passed');
  const file = openSync(path, 'r');
  onTestFinished(() => closeSync(file));
  const random = seeded(Number(process.env.SEED ?? 20));
  const garbage = [
    ...Object.keys(keeperMessages).map((type) =>
      encodeKeeperMessage({ type: type as keyof typeof keeperMessages, session: 0 }),
    ),
    ...Array.from({ length: 20 }, () =>
      Buffer.from([random.below(256), ...random.list(100, () => random.below(256))]),
    ),
  ];
  for (const socket of [daemon.paths.socket, daemon.paths.stateSocket]) {
    for (const bytes of garbage) {
      const client = connect(socket);
      client.on('error', () => {});
      await once(client, 'connect');
      sendDescriptors(descriptorOf(client), bytes, [file, file, file]);
      client.destroy();
    }
  }
  expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
  await until('nothing that was passed is held', () =>
    [keeper, pid].every((each) => !linksOf(each).includes(path)),
  );
  expect([await daemon.pid(), isAlive(keeper)]).toEqual([pid, true]);
});

/** What a process of the same user gets when it looks into the keeper. */
const LOOKS = `
const fs = require('node:fs');
const [pid] = process.argv.slice(1);
const attempt = (look) => { try { look(); return 'seen'; } catch (error) { return error.code; } };
console.log(JSON.stringify([
  attempt(() => fs.readdirSync('/proc/' + pid + '/fd')),
  attempt(() => fs.openSync('/proc/' + pid + '/mem', 'r')),
  attempt(() => fs.readFileSync('/proc/' + pid + '/environ')),
]));
`;

openToOthers(test)(
  'nobody of the same user sees the descriptors and the memory of a keeper',
  async () => {
    const isRoot = process.getuid?.() === 0;
    // Root sees everything, so both are somebody else then.
    const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
    const keeper = spawnKeeper({
      user,
      prepare: (folder) => isRoot && chownSync(folder, NOBODY, NOBODY),
    });
    const daemon = await keeper.ask<number>('pid');
    const args = ['-e', LOOKS, String(keeper.process.pid)];
    const looked = spawnSync(process.execPath, args, { ...user, cwd: '/', encoding: 'utf8' });
    expect(looked.stderr).toBe('');
    expect(JSON.parse(looked.stdout)).toEqual(['EACCES', 'EACCES', 'EACCES']);
    expect(isAlive(daemon)).toBe(true);
  },
);
