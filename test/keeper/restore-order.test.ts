/** A daemon that starts again answers at once, and restores each session when it is asked for. */
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import type { SessionEvent } from '../../src/session/sessions.ts';
import { connectKept } from '../helpers/daemon/kept-daemon.ts';
import { killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { until } from '../helpers/until.ts';

/** Enough that to restore them takes longer than to ask for one. */
const names = Array.from({ length: 5 }, (_, at) => `s${at}`);
const LAST = names.at(-1)!;

/** Each has some history, and ends with the code that it is told. */
const openAll = async (sessions: DaemonSessions): Promise<Map<string, number>> => {
  const script = 'seq 10000; echo "$0 is ready"; read code; exit $code';
  for (const name of names)
    await sessions.open({ command: ['bash', '-c', script, name], name, timeoutMs: 0 });
  for (const name of names)
    await sessions.wait({ sessions: [name], match: `${name} is ready`, timeoutMs: 60_000 });
  return new Map((await sessions.list()).map(({ session, pid }) => [session, pid]));
};

const namesOf = (listed: readonly { session: string }[]) => listed.map(({ session }) => session);

test('the session that is asked for is restored before others, which follow by themselves', async () => {
  const { daemon, sessions } = await connectKept();
  await openAll(sessions);
  await killDaemon(daemon);
  const { output } = await sessions.read(LAST, { view: 'screen' });
  expect(output).toContain(`${LAST} is ready`);
  const pid = await daemon.pid();
  // A session that is restored is recorded in a new file, whose name has the time and the process.
  const started = () =>
    readdirSync(daemon.paths.recordings)
      .map((file) => file.split('.'))
      .filter((parts) => parts[2] === String(pid))
      .map(([name, stamp]) => ({ name: name!, stamp: stamp! }));
  await until('all are restored', () => started().length === names.length);
  const inOrder = started().sort((a, b) => a.stamp.localeCompare(b.stamp));
  expect(inOrder.at(-1)!.name).not.toBe(LAST);
  expect(new Set(inOrder.map(({ name }) => name))).toEqual(new Set(names));
});

test('a list, a wait for any and a subscription know all sessions, restored or not', async () => {
  const { daemon, sessions } = await connectKept();
  const programs = await openAll(sessions);
  await killDaemon(daemon);
  const listed = await sessions.list();
  expect(new Map(listed.map(({ session, pid }) => [session, pid]))).toEqual(programs);

  await killDaemon(daemon);
  const waiting = sessions.wait({ until: 'exit', timeoutMs: 60_000 });
  // Not by `send`, which may tell of the exit itself.
  await sessions.type(LAST, Buffer.from('5\r'));
  expect(await waiting).toMatchObject({ session: LAST, exitCode: 5 });

  await killDaemon(daemon);
  const events: SessionEvent[] = [];
  onTestFinished(sessions.subscribe((event) => events.push(event)));
  const ofType = (type: SessionEvent['type']) =>
    events.filter((event) => event.type === type).map(({ session }) => session);
  await until('it hears of all', () => new Set(ofType('screen')).size === names.length);
  expect(ofType('opened').sort()).toEqual([...names].sort());
  expect(ofType('screen').sort()).toEqual([...names].sort());
});

test('the names of sessions are taken, restored or not', async () => {
  const { daemon, sessions } = await connectKept();
  await openAll(sessions);
  await killDaemon(daemon);
  const opened = sessions.open({ command: ['sh'], name: LAST });
  await expect(opened).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  await killDaemon(daemon);
  await expect(sessions.rename('s0', LAST)).rejects.toMatchObject({ code: 'NAME_TAKEN' });
  await killDaemon(daemon);
  await sessions.rename(LAST, 'renamed');
  expect(namesOf(await sessions.list()).sort()).toEqual([...names.slice(0, -1), 'renamed'].sort());
  expect((await daemon.status()).sessions.map(({ name }) => name)).toContain('renamed');
});

test('all sessions are closed, restored or not', async () => {
  const { daemon, sessions } = await connectKept();
  const programs = await openAll(sessions);
  await killDaemon(daemon);
  expect(await sessions.closeAll({ graceMs: 0 })).toEqual({ survivors: [] });
  expect([...programs.values()].filter(isAlive)).toEqual([]);
  expect(await sessions.list()).toEqual([]);
});

test('the daemon is not idle while it has sessions, though nobody has asked for them', async () => {
  const { daemon, sessions } = await connectKept({ idleMs: 700 });
  await sessions.open({ command: ['sh'], name: 'sh' });
  const pid = await daemon.pid();
  await sessions[Symbol.asyncDispose]();
  process.kill(pid, 'SIGKILL');
  let next = pid;
  await until('there is another daemon', async () => {
    next = await daemon.pid().catch(() => pid);
    return next !== pid;
  });
  const startedMs = performance.now();
  await until('it could have ended', () => performance.now() - startedMs > 1500);
  expect(isAlive(next)).toBe(true);
});
