import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { DaemonConnection } from '../../../src/daemon/client/daemon-connection.ts';
import { isDaemonListening } from '../../../src/daemon/client/find-daemon.ts';
import { startDaemon } from '../../../src/daemon/client/start-daemon.ts';
import type { JournaledSession } from '../../../src/daemon/protocol/protocol.ts';
import type { SessionEvent } from '../../../src/session/sessions.ts';
import { CLIENT_PROGRAM } from '../../helpers/daemon/client-process.ts';
import { killWithKeeper } from '../../helpers/daemon/kill-daemon.ts';
import {
  DAEMON_PROGRAM,
  KEEPER_PROGRAM,
  type OwnDaemon,
  ownDaemon,
} from '../../helpers/daemon/own-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

const untilListening = ({ paths }: OwnDaemon) =>
  until(
    'the daemon listens again',
    async () => existsSync(paths.socket) && (await isDaemonListening(paths)),
  );

test('clients that race to start the daemon all get the same one', async () => {
  const daemon = ownDaemon();
  const clients = await Promise.all(Array.from({ length: 6 }, () => daemon.connect()));
  await clients[0]!.open({ command: ['cat'], name: 'shared' });
  for (const client of clients) {
    expect((await client.list()).map(({ session }) => session)).toEqual(['shared']);
    await client[Symbol.asyncDispose]();
  }
});

test('a second daemon exits at once, and the first goes on', async () => {
  const { start, paths, env, pid } = ownDaemon();
  const first = await start();
  const second = startDaemon(paths, {
    program: DAEMON_PROGRAM,
    keeper: KEEPER_PROGRAM,
    env: { ...process.env, ...env },
  });
  await until('the second one has ended', () => second.exitCode !== undefined);
  expect(second.exitCode).toBe(0);
  expect(await pid()).toBe(first);
});

test("the folder and the environment of a session are its caller's, and the daemon has neither", async () => {
  const daemon = ownDaemon();
  process.env.ONLY_OF_THE_CALLER = 'yes';
  await using sessions = await daemon.connect();
  const { output } = await sessions.open({ command: 'pwd; echo $ONLY_OF_THE_CALLER' });
  expect(output).toBe(`${process.cwd()}\nyes`);
  const environ = readFileSync(`/proc/${await daemon.pid()}/environ`, 'utf8');
  expect(environ).toContain('XDG_RUNTIME_DIR=');
  expect(environ).not.toContain('ONLY_OF_THE_CALLER');
});

test('the daemon does not keep open the pipes of the process that started it', async () => {
  const daemon = ownDaemon();
  const env = { ...process.env, ...daemon.env };
  // Node itself closes descriptors with low numbers.
  const script = 'exec 200>&3 3>&-; exec "$0" "$@"';
  const args = ['-c', script, process.execPath, CLIENT_PROGRAM, 'conversation'];
  const starter = spawn('bash', args, {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const [, stdout, stderr, other] = starter.stdio as Readable[];
  await once(stdout!, 'data');
  const ends = [stdout!, stderr!, other!].map((pipe) => once(pipe.resume(), 'end'));
  starter.kill('SIGKILL');
  await Promise.all(ends);
  expect(isAlive(await daemon.pid())).toBe(true);
});

test('it ends by itself after a while without sessions and clients', async () => {
  const daemon = ownDaemon();
  const sessions = await daemon.connect({ idleMs: 300 });
  const pid = await daemon.pid();
  const { session } = await sessions.open({ command: ['cat'] });
  await sessions[Symbol.asyncDispose]();
  await using later = await daemon.connect({ start: false });
  await later.wait({ until: 'exit', timeoutMs: 600 });
  await later.close(session);
  expect(isAlive(pid)).toBe(true);
  await later[Symbol.asyncDispose]();
  await until('the daemon has ended', () => !isAlive(pid));
  await until('its socket is gone', () => !existsSync(daemon.paths.socket));
  expect(existsSync(daemon.paths.journal)).toBe(false);
});

test('it creates its socket again when the folder was removed, as after a logout', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  const { runtimeFolder, socket, lock } = daemon.paths;
  for (const path of [runtimeFolder, socket, socket]) {
    rmSync(path, { recursive: true });
    await untilListening(daemon);
    expect(await daemon.pid()).toBe(pid);
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    expect(existsSync(lock)).toBe(true);
  }
  // A file instead of the folder: the socket cannot be created until it is removed.
  rmSync(runtimeFolder, { recursive: true });
  writeFileSync(runtimeFolder, '');
  expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
  rmSync(runtimeFolder);
  await untilListening(daemon);
  await using later = await daemon.connect({ start: false });
  expect((await later.list()).map(({ session }) => session)).toEqual(['cat']);
});

test('it creates its socket again when the folder above was renamed and a new one made', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  const moved = `${daemon.folder}-moved`;
  onTestFinished(() => rmSync(moved, { recursive: true, force: true }));
  renameSync(daemon.folder, moved);
  mkdirSync(daemon.folder, { mode: 0o700 });
  await untilListening(daemon);
  expect(await daemon.status()).toMatchObject({ pid, sessions: [{ name: 'cat' }] });
});

test('SIGTERM ends the sessions, then the daemon', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: 'trap "echo bye > bye; exit" HUP; read x', cwd: daemon.folder });
  const pid = await daemon.pid();
  const [{ pid: program } = { pid: 0 }] = await sessions.list();
  process.kill(pid, 'SIGTERM');
  await until('the daemon has ended', () => !isAlive(pid));
  expect(isAlive(program)).toBe(false);
  expect(readFileSync(`${daemon.folder}/bye`, 'utf8')).toBe('bye\n');
  await until('its socket is gone', () => !existsSync(daemon.paths.socket));
  expect(existsSync(daemon.paths.journal)).toBe(false);
  expect(readFileSync(daemon.paths.log, 'utf8')).toMatch(/ends: SIGTERM\n.*ended, with 1 session/);
});

test('it ends after a stop request, even if something keeps its process alive', async () => {
  const daemon = ownDaemon();
  const busy = `setInterval(() => {}, 1000); await import(${JSON.stringify(DAEMON_PROGRAM)});`;
  const program = join(folderWith({ 'busy.mjs': busy }), 'busy.mjs');
  await using sessions = await daemon.connect({ program });
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  const connection = (await DaemonConnection.open(daemon.paths))!;
  expect(await connection.request('stop', {})).toEqual({ ended: ['cat'] });
  await until('the daemon has ended', () => !isAlive(pid));
});

test('after a crash the lost sessions are reported once, to the next client', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'gone' });
  const waiting = sessions.wait({ until: 'exit' });
  await Promise.all([
    expect(waiting).rejects.toMatchObject({ code: 'DAEMON_LOST' }),
    killWithKeeper(daemon),
  ]);

  const lost: JournaledSession[] = [];
  const onLost = (found: readonly JournaledSession[]) => void lost.push(...found);
  await using next = await daemon.connect({ onLost });
  expect(lost).toMatchObject([{ name: 'gone', command: ['cat'] }]);
  await expect(next.read('gone')).rejects.toMatchObject({
    code: 'SESSION_LOST',
    details: { session: 'gone', command: ['cat'] },
  });
  await using another = await daemon.connect({ onLost });
  expect(lost).toHaveLength(1);
  expect(readFileSync(daemon.paths.log, 'utf8')).toContain('session gone was lost');
  await another.open({ command: ['cat'], name: 'gone' });
  expect(await next.send('gone', { text: 'again' })).toMatchObject({ output: 'again' });
});

test('a client goes on with a new daemon when the old one is gone, and so do its subscribers', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const events: SessionEvent[] = [];
  sessions.subscribe((event) => events.push(event));
  await sessions.open({ command: ['cat'], name: 'first' });
  const pid = await daemon.pid();
  await killWithKeeper(daemon);
  const has = (session: string, type: string) => () =>
    events.some((event) => event.session === session && event.type === type);
  await until('the subscriber gets closed', has('first', 'closed'));
  await sessions.open({ command: ['cat'], name: 'second' });
  await until('the subscriber gets opened', has('second', 'opened'));
  expect(await daemon.pid()).not.toBe(pid);
});

test('the daemon starts even if its journal is damaged', async () => {
  const daemon = ownDaemon();
  const first = await daemon.connect();
  await killWithKeeper(daemon);
  await first[Symbol.asyncDispose]();
  writeFileSync(daemon.paths.journal, '{"sess');
  await using sessions = await daemon.connect();
  expect(await sessions.list()).toEqual([]);
});

test('if the daemon cannot start, the error has its last output', async () => {
  const daemon = ownDaemon();
  await expect(daemon.connect({ program: '/no/such/program.js' })).rejects.toMatchObject({
    code: 'DAEMON_NOT_STARTED',
    message: expect.stringContaining('/no/such/program.js'),
  });
});

test('that output is its own, and not that of an earlier daemon', async () => {
  const { connect, paths } = ownDaemon();
  const folder = folderWith({
    'failing.mjs': "throw new TypeError('this is new.')",
    'silent.mjs': 'process.exit(3)',
    'killed.mjs': "process.kill(process.pid, 'SIGKILL')",
  });
  const reasons = {
    failing: 'this is new',
    silent: 'its process ended with code 3 and printed nothing',
    killed: expect.stringContaining('the daemon was ended by SIGKILL'),
  };
  for (const [name, reason] of Object.entries(reasons)) {
    await expect(connect({ program: join(folder, `${name}.mjs`) })).rejects.toMatchObject({
      code: 'DAEMON_NOT_STARTED',
      details: { reason, log: paths.log },
    });
  }
});

test('a daemon that is stopped has another error than one that is not running', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const { lock, log } = daemon.paths;
  // On some file systems, the inode in /proc/locks is not that of stat.
  const isListed = readFileSync('/proc/locks', 'utf8').includes(`:${statSync(lock).ino} `);
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(daemon.connect({ answerMs: 200 })).rejects.toMatchObject({
      code: 'DAEMON_SILENT',
      details: { waitedMs: 200, log, ...(isListed && { pid }) },
      message: expect.stringContaining(isListed ? `(kill -CONT ${pid})` : '(kill -CONT)'),
    });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await using sessions = await daemon.connect();
  expect(await sessions.list()).toEqual([]);
});

test('a daemon that is stopped during a call is told apart from a call that takes long', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  await using sessions = await daemon.connect({ answerMs: 400 });
  await sessions.open({ command: ['cat'], name: 'cat' });
  const wait = { sessions: ['cat'], match: 'never', timeoutMs: 1200 };
  expect(await sessions.wait(wait)).toMatchObject({ timedOut: true });
  const inFlight = sessions.wait({ ...wait, timeoutMs: 60_000 });
  process.kill(pid, 'SIGSTOP');
  try {
    await expect(inFlight).rejects.toMatchObject({ code: 'DAEMON_SILENT' });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await sessions.list()).toMatchObject([{ session: 'cat' }]);
});

test('a call to a stopped daemon ends a little after its own timeout', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  process.kill(pid, 'SIGSTOP');
  try {
    // It says how long it has waited: any other rule lets a daemon be silent for longer.
    await expect(sessions.read('cat', { timeoutMs: 1000 })).rejects.toMatchObject({
      code: 'DAEMON_SILENT',
      details: { waitedMs: 2000 },
    });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  expect(await sessions.list()).toMatchObject([{ session: 'cat' }]);
});

test('a client that may not start a daemon gets an error if none is running', async () => {
  const daemon = ownDaemon();
  await expect(daemon.connect({ start: false })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
    details: { socket: daemon.paths.socket },
  });
});
