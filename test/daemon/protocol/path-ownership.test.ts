import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import {
  ensurePrivateFolder,
  isPrivateFolder,
} from '../../../src/daemon/protocol/path-ownership.ts';
import { asNobody, NOBODY } from '../../helpers/daemon/nobody.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { asRoot } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

test('the folder is closed to others and so is the socket, whatever the umask', async () => {
  const daemon = ownDaemon();
  const umask = process.umask(0);
  try {
    await using sessions = await daemon.connect();
    const { runtimeFolder, stateFolder, socket, lock, log, journal } = daemon.paths;
    await sessions.open({ command: 'umask; cat', name: 'umask' });
    for (const folder of [runtimeFolder, stateFolder])
      expect(lstatSync(folder).mode & 0o777).toBe(0o700);
    for (const file of [socket, lock, log, journal])
      expect(lstatSync(file).mode & 0o777).toBe(0o600);
    // The umask that protects the socket does not apply to the programs of sessions.
    expect((await sessions.read('umask', { from: 0 })).output).toBe('0000');
  } finally {
    process.umask(umask);
  }
});

test('a folder of ours that others can enter is closed to them', async () => {
  const daemon = ownDaemon();
  mkdirSync(daemon.paths.runtimeFolder);
  chmodSync(daemon.paths.runtimeFolder, 0o755);
  await using _sessions = await daemon.connect();
  expect(statSync(daemon.paths.runtimeFolder).mode & 0o777).toBe(0o700);
});

test('a folder named by REPARTEE_SOCKET is left as it is, and refused if others can write to it', async () => {
  const daemon = ownDaemon();
  const shared = join(daemon.folder, 'shared');
  mkdirSync(shared);
  const env = { ...daemon.env, REPARTEE_SOCKET: join(shared, 'a.sock') };
  const connect = () =>
    daemon.connect({ paths: daemonPaths(env), env: { ...process.env, ...env } });
  chmodSync(shared, 0o1777);
  await expect(connect()).rejects.toMatchObject({
    code: 'UNTRUSTED_PLACE',
    details: { path: shared, reason: 'others can write to it' },
  });
  expect(statSync(shared).mode & 0o7777).toBe(0o1777);
  chmodSync(shared, 0o755);
  await using _sessions = await connect();
  expect(statSync(shared).mode & 0o777).toBe(0o755);
});

test('a link instead of the folder or the socket is refused', async () => {
  const daemon = ownDaemon();
  const elsewhere = folderWith();
  symlinkSync(elsewhere, daemon.paths.runtimeFolder);
  await expect(daemon.connect()).rejects.toMatchObject({
    code: 'UNTRUSTED_PLACE',
    details: { path: daemon.paths.runtimeFolder, reason: 'it is a symbolic link' },
  });
  const other = ownDaemon();
  const sessions = await other.connect();
  await sessions[Symbol.asyncDispose]();
  const { socket } = other.paths;
  renameSync(socket, `${socket}.moved`);
  symlinkSync(`${socket}.moved`, socket);
  await expect(other.connect()).rejects.toMatchObject({ code: 'UNTRUSTED_PLACE' });
  renameSync(`${socket}.moved`, socket);
});

test('a file instead of the socket is refused', async () => {
  const daemon = ownDaemon();
  mkdirSync(daemon.paths.runtimeFolder, { mode: 0o700 });
  writeFileSync(daemon.paths.socket, '');
  await expect(daemon.connect()).rejects.toMatchObject({
    code: 'UNTRUSTED_PLACE',
    details: { reason: 'it is not a socket' },
  });
});

asRoot(test)('a folder or a socket of another user is refused', async () => {
  const daemon = ownDaemon();
  mkdirSync(daemon.paths.runtimeFolder, { mode: 0o700 });
  chownSync(daemon.paths.runtimeFolder, NOBODY, NOBODY);
  await expect(daemon.connect()).rejects.toMatchObject({
    code: 'UNTRUSTED_PLACE',
    details: { path: daemon.paths.runtimeFolder, reason: `it belongs to user ${NOBODY}` },
  });
  chownSync(daemon.paths.runtimeFolder, 0, 0);
  const sessions = await daemon.connect();
  await sessions[Symbol.asyncDispose]();
  chownSync(daemon.paths.socket, NOBODY, NOBODY);
  await expect(daemon.connect()).rejects.toMatchObject({
    code: 'UNTRUSTED_PLACE',
    details: { path: daemon.paths.socket },
  });
  chownSync(daemon.paths.socket, 0, 0);
});

asRoot(test)("after su, the other user's runtime folder is not used", () => {
  const folder = folderWith();
  chownSync(folder, NOBODY, NOBODY);
  expect(daemonPaths({ XDG_RUNTIME_DIR: folder }).socket).toBe('/tmp/repartee-0/daemon.sock');
  chownSync(folder, 0, 0);
  expect(daemonPaths({ XDG_RUNTIME_DIR: folder }).socket).toBe(`${folder}/repartee/daemon.sock`);
});

asRoot(test)('a folder that this user may not enter or write to is refused, and named', () => {
  const closed = folderWith();
  chmodSync(closed, 0o700);
  const inside = join(closed, 'repartee');
  mkdirSync(inside);
  const unusable = (path: string) =>
    expect.objectContaining({
      code: 'UNUSABLE_FOLDER',
      details: { path, reason: expect.stringContaining('EACCES') },
    });
  const open = folderWith();
  chmodSync(open, 0o755);
  for (const path of [inside, join(open, 'repartee')])
    expect(() => asNobody(() => ensurePrivateFolder(path, 'state'))).toThrow(unusable(path));
  expect(() => asNobody(() => isPrivateFolder(inside, 'runtime'))).toThrow(unusable(inside));
  const { ignoredRuntimeDir: passedOver, socket } = asNobody(() =>
    daemonPaths({ XDG_RUNTIME_DIR: inside }),
  );
  expect({ passedOver, socket }).toEqual({
    passedOver: { path: inside, reason: "is another user's or cannot be entered" },
    socket: '/tmp/repartee-0/daemon.sock',
  });
});

asRoot(test)('another user can neither connect nor read what the daemon has written', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: 'echo for our eyes only; cat' });
  // Even if the folder above is open to all.
  chmodSync(daemon.folder, 0o755);
  const { socket, stateFolder, log, journal } = daemon.paths;
  const script = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { connect } from 'node:net';
    const refused = [];
    for (const path of ${JSON.stringify([stateFolder, log, journal])}) {
      try { path.endsWith('repartee') ? readdirSync(path) : readFileSync(path); }
      catch (error) { refused.push(error.code); }
    }
    connect(${JSON.stringify(socket)})
      .on('error', (error) => console.log([...refused, error.code].join()))
      .on('connect', () => { console.log('connected'); process.exit(); });
  `;
  const args = ['--input-type=module', '-e', script];
  const options = { uid: NOBODY, gid: NOBODY, encoding: 'utf8', cwd: '/' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, args, options);
  expect(stderr).toBe('');
  expect(stdout).toBe('EACCES,EACCES,EACCES,EACCES\n');
});

test('REPARTEE_SOCKET names another daemon, with its own log and journal', () => {
  const one = daemonPaths({ HOME: '/home/ada', REPARTEE_SOCKET: '/run/one/a.sock' });
  const other = daemonPaths({ HOME: '/home/ada', REPARTEE_SOCKET: '/run/other/a.sock' });
  expect(one).toMatchObject({
    runtimeFolder: '/run/one',
    socket: '/run/one/a.sock',
    stateFolder: '/home/ada/.local/state/repartee',
  });
  expect(one.log).not.toBe(other.log);
  expect(one.journal).not.toBe(other.journal);
});

test('a path too long for a socket is refused, not cut off', async () => {
  const daemon = ownDaemon();
  const socket = join(daemon.folder, 'x'.repeat(100));
  await expect(
    daemon.connect({ paths: daemonPaths({ ...daemon.env, REPARTEE_SOCKET: socket }) }),
  ).rejects.toMatchObject({ code: 'SOCKET_PATH_TOO_LONG', details: { path: socket, limit: 107 } });
});
