/** What a daemon knows of its clients, and what belongs to no session, after it was killed. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { STORE_LAYOUT } from '../../src/keeper/store-layout.ts';
import { PACKAGE_VERSION } from '../../src/package-version.ts';
import { runRequest } from '../../src/session/options/requests.ts';
import { openStoreOf } from '../helpers/daemon/kept-store.ts';
import { keeperOf, killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { type OwnDaemon, ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { RawClient } from '../helpers/daemon/raw-client.ts';
import { asRoot } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';

const keptDaemon = () => {
  const daemon = ownDaemon();
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
  });
  const connect = () => daemon.connect();
  return { daemon, connect };
};

/** Kills the daemon, and before it hears that this client has gone. The client does not come back. */
const killWith = async (daemon: OwnDaemon, client: DaemonSessions): Promise<void> => {
  const pid = await daemon.pid();
  process.kill(pid, 'SIGSTOP');
  await client[Symbol.asyncDispose]();
  process.kill(pid, 'SIGKILL');
  await until('the daemon is dead', () => !isAlive(pid));
};

const sizeOf = async (sessions: DaemonSessions, session: string): Promise<string> => {
  const { output } = await sessions.send(session, { text: 'stty size' });
  return output;
};

test('a keyboard stays with a client that comes back, and with no other', async () => {
  const { daemon, connect } = keptDaemon();
  await using returning = await connect();
  await using other = await connect();
  const lost = await connect();
  for (const name of ['mine', 'lost']) await other.open({ command: ['bash', '--norc'], name });
  await returning.take('mine', { actor: 'ann' });
  await lost.take('lost', { actor: 'bob' });
  await killWith(daemon, lost);

  expect((await returning.list()).map(({ keyboard }) => keyboard)).toEqual(['ann', 'bob']);
  const typed = () => other.send('lost', { text: 'echo free' });
  await expect(typed()).rejects.toMatchObject({ code: 'KEYBOARD_TAKEN' });
  await until('the keyboard of the lost client is given back', async () => {
    const listed = await other.list();
    return listed.every(({ session, keyboard }) => session !== 'lost' || keyboard === undefined);
  });
  expect((await typed()).output).toBe('free');

  // The other one has had as much time to come back, and did.
  await expect(other.send('mine', { text: 'echo' })).rejects.toMatchObject({
    code: 'KEYBOARD_TAKEN',
  });
  await killDaemon(daemon);
  expect((await returning.list())[0]).toMatchObject({ session: 'mine', keyboard: 'ann' });
  await returning.giveBack('mine', { actor: 'ann' });
  await killDaemon(daemon);
  expect((await other.send('mine', { text: 'echo mine' })).output).toBe('mine');
});

test('a session fits the windows that were attached to it, and returns to its size without them', async () => {
  const { daemon, connect } = keptDaemon();
  await using returning = await connect();
  const lost = await connect();
  for (const name of ['returning', 'lost'])
    await returning.open({ command: ['bash', '--norc'], name, cols: 80, rows: 24 });
  await returning.attach('returning', { cols: 100, rows: 30 });
  await lost.attach('lost', { cols: 90, rows: 20 });
  await lost.attach('returning', { cols: 60, rows: 15 });
  await returning.rename('lost', 'renamed');
  await killWith(daemon, lost);

  await until('the window of the lost client counts no more', async () => {
    return (await sizeOf(returning, 'renamed')) === '24 80';
  });
  expect(await sizeOf(returning, 'returning')).toBe('30 100');
  await killDaemon(daemon);
  expect(await sizeOf(returning, 'returning')).toBe('30 100');
  await returning.detach('returning');
  expect(await sizeOf(returning, 'returning')).toBe('24 80');
  await returning.resize('returning', 70, 20);
  await killDaemon(daemon);
  expect(await sizeOf(returning, 'returning')).toBe('20 70');
});

/** A client that asks with ids of its own choice, and again after a crash. */
const asking = (daemon: OwnDaemon) => {
  const id = randomUUID();
  let lastId = 0;
  const connect = async (pending: number[]) => {
    const raw = new RawClient(daemon);
    const ask = async (request: { id: number; method: string; params: object }) => {
      raw.send(request);
      await until(`${request.method} is answered`, () => raw.response(request.id) !== undefined);
      const { result, error } = raw.response(request.id)!;
      return error?.data?.code ?? result;
    };
    const client = { id, pending, lastEvent: 0 };
    const params = { protocol: 2, version: PACKAGE_VERSION, client };
    await ask({ id: ++lastId, method: 'hello', params });
    return ask;
  };
  const number = (method: string, params: object) => ({ id: ++lastId, method, params });
  return { connect, number };
};

describe('what was answered is answered again in the same way, and not done again', () => {
  test('close, closeAll and the run of a shell that has ended', async () => {
    const { daemon, connect } = keptDaemon();
    await using sessions = await connect();
    const file = join(daemon.folder, 'runs');
    for (const name of ['one', 'two']) await sessions.open({ command: ['cat'], name });
    const client = asking(daemon);
    const first = await client.connect([]);
    const run = client.number('run', {
      request: runRequest(`echo done >> ${file}; echo said`, {}),
    });
    const closed = client.number('close', { session: 'one', options: {} });
    const asked = [run, closed];
    const answers = [];
    for (const request of asked) answers.push(await first(request));
    expect(answers).toMatchObject([{ output: 'said', exitCode: 0 }, { survivors: [] }]);

    // Another one of that name, which must not be closed.
    await sessions.open({ command: ['cat'], name: 'one' });
    await killDaemon(daemon);
    const second = await client.connect(asked.map(({ id }) => id));
    for (const [at, request] of asked.entries()) expect(await second(request)).toEqual(answers[at]);
    expect(readFileSync(file, 'utf8')).toBe('done\n');
    const names = async () => (await sessions.list()).map(({ session }) => session);
    expect((await names()).sort()).toEqual(['one', 'two']);

    const all = client.number('closeAll', { options: {} });
    expect(await second(all)).toEqual({ survivors: [] });
    await sessions.open({ command: ['cat'], name: 'later' });
    await killDaemon(daemon);
    const third = await client.connect([all.id]);
    expect(await third(all)).toEqual({ survivors: [] });
    expect(await names()).toEqual(['later']);
  });

  test('an answer that the client has got is not kept', async () => {
    const { daemon, connect } = keptDaemon();
    await using sessions = await connect();
    await sessions.open({ command: ['cat'], name: 'cat' });
    const client = asking(daemon);
    const first = await client.connect([]);
    const closed = client.number('close', { session: 'cat', options: {} });
    expect(await first(closed)).toEqual({ survivors: [] });
    await killDaemon(daemon);
    // It waits for nothing.
    await client.connect([]);
    await killDaemon(daemon);
    const last = await client.connect([closed.id]);
    expect(await last(closed)).toBe('SESSION_NOT_FOUND');
  });
});

test('a daemon that was told to end and is killed meanwhile ends all the same', async () => {
  const { daemon, connect } = keptDaemon();
  const sessions = await connect();
  const script = "trap '' HUP TERM; echo $$; while :; do sleep 0.1; done";
  await sessions.open({ command: ['sh', '-c', script], name: 'stubborn', timeoutMs: 0 });
  await sessions.open({ command: ['cat'], name: 'cat' });
  const programs = (await sessions.list()).map(({ pid }) => pid);
  await sessions[Symbol.asyncDispose]();
  const keeper = await keeperOf(daemon);
  const pid = await daemon.pid();
  process.kill(pid, 'SIGTERM');
  await until('it closes its sessions', () =>
    readFileSync(daemon.paths.log, 'utf8').includes('ends: SIGTERM'),
  );
  process.kill(pid, 'SIGKILL');
  await until('the keeper has ended', () => !isAlive(keeper));
  await until('the programs have ended', () => !programs.some(isAlive));
  expect(existsSync(daemon.paths.socket)).toBe(false);
});

asRoot(test)('lost sessions are told until a client is known to have heard of them', async () => {
  const { daemon, connect } = keptDaemon();
  const sessions = await connect();
  for (const name of ['lost', 'kept']) await sessions.open({ command: ['sh'], name });
  const [lost] = await sessions.list();
  const store = await openStoreOf(daemon, lost!.pid);
  writeSync(store, Buffer.from([99]), 0, 1, STORE_LAYOUT.version);
  await killWith(daemon, sessions);
  const told: string[][] = [];
  const tell = async () => {
    const raw = await RawClient.withHello(daemon);
    const { result } = raw.messages[0]! as { result: { lost: { name: string }[] } };
    told.push(result.lost.map(({ name }) => name));
    return raw;
  };
  await tell();
  await tell();
  await killDaemon(daemon);
  const heard = await tell();
  await heard.request('list', {});
  await killDaemon(daemon);
  await tell();
  expect(told).toEqual([['lost'], [], ['lost'], []]);

  // Whoever asks for it is told as long as there is no other one of that name.
  await using later = await connect();
  await expect(later.read('lost')).rejects.toMatchObject({ code: 'SESSION_LOST' });
  await later.open({ command: ['cat'], name: 'lost' });
  await later.close('lost');
  await killDaemon(daemon);
  await expect(later.read('lost')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' });
});
