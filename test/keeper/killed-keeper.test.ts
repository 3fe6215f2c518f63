/** The keeper of a daemon, killed: the daemon becomes a keeper, and starts another daemon. */
import { readFileSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OutcomeUnknown } from '../../src/errors.ts';
import { findLockOwner } from '../../src/system/files/lock-owner.ts';
import {
  connectKept,
  killDaemonOf,
  killKeeperOf,
  parentOf,
  processFacts,
  standInsOf,
  statusOf,
} from '../helpers/daemon/kept-daemon.ts';
import type { OwnDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive, processesWith } from '../helpers/daemon/processes.ts';
import { wrappedDaemon } from '../helpers/daemon/wrapped-daemon.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

/** A stand-in leaves as soon as it is told. */
const onlyThese = (daemon: OwnDaemon, pids: number[]) =>
  until('no other process is left', () => {
    const left = processesWith(`XDG_RUNTIME_DIR=${daemon.folder}`);
    return left.sort().join() === pids.sort().join();
  });

testWith('bash', 'python3')(
  'the daemon becomes the keeper: programs stay its children, and sessions go on',
  async () => {
    const { daemon, sessions } = await connectKept();
    await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
    await sessions.send('sh', { text: 'x=42; echo first' });
    await sessions.open({ command: ['python3', '-q'], name: 'py' });
    await sessions.send('py', { text: 'y = 6' });
    const before = (await sessions.list()).map(({ session, pid }) => [session, pid]);
    const { pid } = await statusOf(daemon);
    const processes = await killKeeperOf(daemon);
    expect(processes.keeper).toBe(pid);
    expect(parentOf(processes.daemon)).toBe(pid);
    expect((await sessions.list()).map(({ session, pid }) => [session, pid])).toEqual(before);
    for (const [, program] of before) expect(parentOf(Number(program))).toBe(pid);
    expect((await sessions.send('sh', { text: 'echo $x' })).output).toContain('42');
    expect((await sessions.send('py', { text: 'y * 7' })).output).toBe('42');
    expect((await sessions.read('sh', { view: 'screen' })).output).toContain('first');
    expect(findLockOwner(daemon.paths.lock)).toBe(pid);
  },
);

test('that goes on for ever: keepers and daemons are killed in turn', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['sh'], name: 'sh' });
  const [before] = await sessions.list();
  for (let round = 0; round < 3; round++) {
    await killKeeperOf(daemon);
    await killDaemonOf(daemon);
    const { output } = await sessions.send('sh', { text: `echo "round $((${round} + 1))"` });
    expect(output).toContain(`round ${round + 1}`);
  }
  expect(await sessions.list()).toMatchObject([{ session: 'sh', pid: before!.pid }]);
  const { pid } = await statusOf(daemon);
  await onlyThese(daemon, [parentOf(pid), pid]);
});

test('a client that waits and listens goes on as if nothing had happened', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['sh'], name: 'sh' });
  const events: string[] = [];
  sessions.subscribe((event) => events.push(event.type), 'sh');
  const waiting = sessions.wait({ sessions: ['sh'], match: 'it is here', timeoutMs: 60_000 });
  await killKeeperOf(daemon);
  await sessions.send('sh', { text: 'echo it is "here"' });
  expect(await waiting).toMatchObject({ session: 'sh' });
  await until('it hears of the output', () => events.includes('output'));
});

test('a program that ends meanwhile is told with its code', async () => {
  const { daemon, sessions } = await connectKept();
  const gate = makeGate();
  const names = ['first', 'second', 'third'];
  for (const name of names)
    await sessions.open({ command: ['sh', '-c', `${gate.wait}; exit 7`], name, timeoutMs: 0 });
  await sessions.open({ command: ['sh', '-c', 'read x; kill -TERM $$'], name: 'later' });
  const keeper = parentOf((await statusOf(daemon)).pid);
  process.kill(keeper, 'SIGKILL');
  gate.open();
  for (const name of names)
    expect(await sessions.wait({ sessions: [name], until: 'exit' })).toMatchObject({ exitCode: 7 });
  await until('a keeper is there', async () => {
    const { pid } = await statusOf(daemon);
    return readFileSync(`/proc/${parentOf(pid)}/cmdline`, 'utf8').startsWith('repartee-keeper');
  });
  expect(await sessions.send('later', { text: '', until: 'exit' })).toMatchObject({
    signal: 'SIGTERM',
  });
  const programs = (await sessions.list()).map(({ pid }) => pid);
  await until('no zombie is left', () => programs.every((pid) => !isAlive(pid)));
});

test('an exit code is unknown, with the reason, if daemon and keeper were both killed', async () => {
  const { daemon, sessions } = await connectKept();
  for (const name of ['first', 'second'])
    await sessions.open({ command: ['sh', '-c', 'read x; exit 7'], name });
  await killDaemonOf(daemon);
  expect(await sessions.send('first', { text: '', until: 'exit' })).toMatchObject({ exitCode: 7 });
  await killKeeperOf(daemon);
  const ended = await sessions.send('second', { text: '', until: 'exit' });
  expect(ended).toMatchObject({
    state: 'exited',
    because: expect.stringMatching(/exit code is unknown, since both the daemon and the keeper/),
  });
  expect(ended.exitCode).toBeUndefined();
  // The next one says the same.
  await killDaemonOf(daemon);
  expect(await sessions.read('second')).toMatchObject({ because: ended.because });
  expect(await sessions.read('first')).toMatchObject({ exitCode: 7, because: 'it exited' });
});

test('a keeper that cannot be started is tried again, after a pause that grows', async () => {
  const obstacle = join(folderWith({ obstacle: '' }), 'obstacle');
  const program = wrappedDaemon(`import { existsSync } from 'node:fs';
    const isCheck = process.argv[2].includes('"reads"');
    if (isCheck && existsSync(${JSON.stringify(obstacle)})) throw new Error('not now');`);
  const { daemon, sessions } = await connectKept({ program });
  await sessions.open({ command: ['cat'], name: 'cat' });
  const { pid } = await statusOf(daemon);
  process.kill(parentOf(pid), 'SIGKILL');
  for (const pause of [100, 200, 400])
    await until(`it tries again after ${pause} ms`, () =>
      readFileSync(daemon.paths.log, 'utf8').includes(
        `without a keeper, tries again in ${pause} ms`,
      ),
    );
  expect(await statusOf(daemon)).toMatchObject({ pid });
  rmSync(obstacle);
  await until('the daemon has become the keeper', async () => (await statusOf(daemon)).pid !== pid);
  expect(parentOf((await statusOf(daemon)).pid)).toBe(pid);
  expect((await sessions.send('cat', { text: 'hello' })).output).toContain('hello');
});

test('the new keeper is like the old one: its signals, streams, folder and limits', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const old = parentOf((await statusOf(daemon)).pid);
  const links = (pid: number) =>
    ['fd/0', 'fd/1', 'fd/2', 'cwd', 'exe'].map((name) => readlinkSync(`/proc/${pid}/${name}`));
  const before = { ...processFacts(old), links: links(old) };
  const { keeper } = await killKeeperOf(daemon);
  expect({ ...processFacts(keeper), links: links(keeper) }).toEqual(before);
});

test('clients that come meanwhile find the same daemon, and no second one is started', async () => {
  const { daemon, connect, sessions } = await connectKept();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const { pid: keeper } = await statusOf(daemon);
  process.kill(parentOf(keeper), 'SIGKILL');
  const listed = Array.from({ length: 12 }, async () => {
    await using client = await connect();
    return (await client.list()).map(({ session }) => session);
  });
  for (const names of await Promise.all(listed)) expect(names).toEqual(['cat']);
  await until('there is a new daemon', async () => (await statusOf(daemon)).pid !== keeper);
  const { pid } = await statusOf(daemon);
  await onlyThese(daemon, [keeper, pid]);
});

test('the daemon stops as it is told, also after its keeper was killed', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const [{ pid: program } = { pid: 0 }] = await sessions.list();
  const processes = await killKeeperOf(daemon);
  process.kill(processes.keeper, 'SIGTERM');
  await until('all have ended', () =>
    [program, processes.daemon, processes.keeper].every((pid) => !isAlive(pid)),
  );
});

test('the daemon killed before it has become the keeper: its sessions go on all the same', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['sh'], name: 'sh' });
  await sessions.send('sh', { text: 'x=42; echo first' });
  const [before] = await sessions.list();
  const { pid } = await statusOf(daemon);
  process.kill(parentOf(pid), 'SIGKILL');
  await until('somebody else holds the sessions', () => standInsOf(pid).length > 0);
  process.kill(pid, 'SIGKILL');
  await until('another daemon answers', async () => (await statusOf(daemon)).pid !== pid);
  expect((await sessions.send('sh', { text: 'echo $x' })).output).toContain('42');
  expect((await sessions.read('sh', { view: 'screen' })).output).toContain('first');
  expect(await sessions.list()).toMatchObject([{ session: 'sh', pid: before!.pid }]);
  const { pid: next } = await statusOf(daemon);
  await onlyThese(daemon, [next, parentOf(next)]);
  expect(findLockOwner(daemon.paths.lock)).toBe(parentOf(next));
});

/**
 * A daemon that is killed when it has closed a session that its stand-in holds, and starts the next one:
 * before there is another one, or while there are two. The check of the keeper's program lasts until then.
 */
const killedAtNextStandIn = (when: 'before' | 'after') =>
  wrappedDaemon(`
    import processes from 'node:child_process';
    import { existsSync, writeFileSync } from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { spawn } = processes;
    const killed = import.meta.dirname + '/killed';
    let held = Infinity;
    processes.spawn = (...call) => {
      const { standsInAt, handedOver } = JSON.parse(call[1][1] ?? '{}');
      const isFewer = standsInAt !== undefined && handedOver.sessions.length < held;
      const isSecond = isFewer && held !== Infinity;
      if (isFewer) held = handedOver.sessions.length;
      const die = () => {
        writeFileSync(killed, '');
        process.kill(process.pid, 'SIGKILL');
      };
      if (isSecond && '${when}' === 'before') die();
      const child = spawn(...call);
      if (isSecond) die();
      return child;
    };
    syncBuiltinESMExports();
    const isCheck = process.argv[2].includes('"reads"');
    while (isCheck && !existsSync(killed)) await new Promise((next) => setTimeout(next, 10));`);

for (const when of ['before', 'after'] as const)
  test(`a closed session stays closed if the daemon is killed ${when} another stand-in is there`, async () => {
    const { daemon, sessions } = await connectKept({ program: killedAtNextStandIn(when) });
    for (const name of ['closed', 'kept']) await sessions.open({ command: ['cat'], name });
    const { pid } = await statusOf(daemon);
    process.kill(parentOf(pid), 'SIGKILL');
    await until('somebody else holds the sessions', () => standInsOf(pid).length > 0);
    await sessions.close('closed').catch((error) => {
      if (!(error instanceof OutcomeUnknown)) throw error;
    });
    await until('the daemon is dead', () => !isAlive(pid));
    expect(await sessions.list()).toMatchObject([{ session: 'kept' }]);
    await sessions.open({ command: ['cat'], name: 'closed' });
    expect((await sessions.send('kept', { text: 'hello' })).output).toContain('hello');
    const { pid: next, lost } = await statusOf(daemon);
    expect(lost).toEqual([]);
    await onlyThese(daemon, [next, parentOf(next)]);
  });

test('both killed at once: the sessions are lost, and that is told', async () => {
  const { daemon, connect, sessions } = await connectKept();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const [{ pid: program } = { pid: 0 }] = await sessions.list();
  const { pid } = await statusOf(daemon);
  const keeper = parentOf(pid);
  // Stopped first: otherwise the second notices in time that the first is dead.
  for (const each of [pid, keeper]) process.kill(each, 'SIGSTOP');
  for (const each of [pid, keeper]) process.kill(each, 'SIGKILL');
  await until('both are dead', () => !isAlive(pid) && !isAlive(keeper));
  await until('the program is hung up', () => !isAlive(program));
  await using again = await connect();
  expect(await again.list()).toEqual([]);
  await expect(again.read('cat')).rejects.toMatchObject({ code: 'SESSION_LOST' });
});
