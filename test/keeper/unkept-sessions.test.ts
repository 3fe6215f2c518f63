/** Where the kernel gives no memory: files in the runtime folder, and sessions that are not kept. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { STORE_LAYOUT } from '../../src/keeper/store-layout.ts';
import type { SessionEvent } from '../../src/session/sessions.ts';
import { killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { type OwnDaemon, ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { wrappedDaemon } from '../helpers/daemon/wrapped-daemon.ts';
import { until } from '../helpers/until.ts';

/** The kernel's answer to a call that it does not have: ENOSYS. */
const NO_MEMFD = `
const { libc } = await import(dist + '/system/libc.js');
libc().memfd_create = () => libc().syscall(100000, 0, 0, 0);
`;
/** RLIMIT_FSIZE is 1. No file of ours can have its length then, also none in memory. */
const SMALL_FILES = `
const { libc } = await import(dist + '/system/libc.js');
const limits = Buffer.alloc(16);
limits.writeBigUInt64LE(2n ** 30n, 0);
limits.writeBigUInt64LE(2n ** 30n, 8);
libc().prlimit(process.pid, 1, limits, null);
`;

const connectWith = async (daemon: OwnDaemon, before: string) => {
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
  });
  const sessions = await daemon.connect({ program: wrappedDaemon(before) });
  onTestFinished(() => sessions[Symbol.asyncDispose]());
  const troubles: string[] = [];
  sessions.subscribe((event: SessionEvent) => {
    if (event.type === 'trouble') troubles.push(`${event.session}: ${event.message}`);
  });
  return { sessions, troubles };
};

test('without memfds sessions go on after a kill, in files that nobody sees', async () => {
  const daemon = ownDaemon();
  const { sessions, troubles } = await connectWith(daemon, NO_MEMFD);
  await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
  await sessions.send('sh', { text: 'x=42' });
  for (let round = 0; round < 3; round++) {
    await killDaemon(daemon);
    expect((await sessions.send('sh', { text: 'echo $x' })).output).toBe('42');
  }
  expect(readdirSync(daemon.paths.runtimeFolder).filter((name) => name.includes('memory'))).toEqual(
    [],
  );
  expect(troubles).toEqual([]);
});

test('a session for which there is no memory lives, says so, and is lost with the daemon', async () => {
  const daemon = ownDaemon();
  const { sessions, troubles } = await connectWith(daemon, SMALL_FILES);
  await sessions.open({ command: ['cat'], name: 'cat' });
  expect((await sessions.send('cat', { text: 'hello' })).output).toBe('hello');
  await until('it is told', () => troubles.length === 1);
  expect(troubles[0]).toMatch(/^cat: It cannot be kept, and ends if the daemon is killed: .*EFBIG/);
  await killDaemon(daemon);
  await expect(sessions.read('cat')).rejects.toMatchObject({ code: 'SESSION_LOST' });
});

const mount = (folder: string, size: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', folder], {
      stdio: 'ignore',
    });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync('umount', ['-l', folder]));
  return true;
};

test('on a full disk the sessions that fit are kept, and one that grows is given up', async ({
  skip,
}) => {
  const daemon = ownDaemon({ runtime: 'run' });
  mkdirSync(daemon.paths.runtimeFolder, { mode: 0o700 });
  // Room for the daemon's own memory and that of two sessions, and a little more.
  const kilobytes = Math.ceil((3 * STORE_LAYOUT.mapped) / 1024) + 400;
  if (!mount(daemon.paths.runtimeFolder, `${kilobytes}k`)) skip('needs the right to mount');
  const { sessions, troubles } = await connectWith(daemon, NO_MEMFD);
  for (const name of ['kept', 'grows', 'unkept'])
    await sessions.open({ command: ['bash', '--norc'], name });
  await until('the third is told not to be kept', () => troubles.length === 1);
  expect(troubles[0]).toMatch(/^unkept: .*ENOSPC/);
  await sessions.send('grows', { text: 'seq 200000', timeoutMs: 30_000 });
  await until('the second is given up', () => troubles.length === 2);
  expect(troubles[1]).toMatch(/^grows: .*ENOSPC/);
  for (const name of ['kept', 'grows', 'unkept'])
    expect((await sessions.send(name, { text: 'echo here' })).output).toBe('here');
  await killDaemon(daemon);
  expect((await sessions.send('kept', { text: 'echo here' })).output).toBe('here');
  for (const name of ['grows', 'unkept'])
    await expect(sessions.read(name)).rejects.toMatchObject({ code: 'SESSION_LOST' });
});
