/** Clients that lose their connection and come back, or do not; and those that send nonsense. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Sessions } from '../../../../src/session/sessions.ts';
import { CuttingProxy } from '../../../helpers/daemon/cutting-proxy.ts';
import { type OwnDaemon, ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { frame, RawClient } from '../../../helpers/daemon/raw-client.ts';
import { seeded } from '../../../helpers/seeded.ts';
import { until } from '../../../helpers/until.ts';

const ADA = 'ada-0123456789abcdef';

/** A client that sends its own ids. */
const rawClient = async (
  daemon: OwnDaemon,
  helloId: number,
  pending: number[] = [],
  name = ADA,
) => {
  const client = new RawClient(daemon);
  client.send({ id: helloId, ...helloOf({ id: name, pending, lastEvent: 0 }) });
  await until('hello is answered', () => client.response(helloId) !== undefined);
  return client;
};

const helloOf = (client: object) => ({
  method: 'hello',
  params: { protocol: 2, version: '0.1.0', client },
});

const ask = async (client: RawClient, message: { id: number; [field: string]: unknown }) => {
  client.send(message);
  await until(`${message.id} is answered`, () => client.response(message.id) !== undefined, 30_000);
  return client.response(message.id)!;
};

const typed = (line: string) => ({
  method: 'type',
  params: { session: 'log', bytes: Buffer.from(`${line}\n`).toString('base64') },
});

/** A session whose program writes each line that it gets to a file. */
const begin = async () => {
  const daemon = ownDaemon();
  const sessions = await daemon.connect();
  onTestFinished(async () => void (await sessions[Symbol.asyncDispose]()));
  const command = 'stty -echo; while read -r x; do echo "$x" >> got; echo "ok $x"; done';
  await sessions.open({ command, cwd: daemon.folder, name: 'log' });
  const got = () => {
    const file = join(daemon.folder, 'got');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  };
  /** Resolves when all that was typed has arrived. */
  const gotAtLast = async () => {
    await sessions.send('log', { text: 'last' });
    return got().filter((line) => line !== 'last');
  };
  return { daemon, sessions, got, gotAtLast };
};

const keyboardOf = async (sessions: Sessions, name: string) =>
  (await sessions.list()).find(({ session }) => session === name)?.keyboard;

test('a request whose answer was lost is answered on the next connection, and done once', async () => {
  const { daemon, got, gotAtLast } = await begin();
  const first = await rawClient(daemon, 1);
  first.send({ id: 2, ...typed('one') });
  await until('it is done', () => got().includes('one'));
  first.socket.destroy();
  const second = await rawClient(daemon, 3, [2]);
  expect(await ask(second, { id: 2, ...typed('one') })).toMatchObject({ result: null });
  expect(await ask(second, { id: 2, ...typed('one') })).toMatchObject({ result: null });
  expect(await gotAtLast()).toEqual(['one']);
});

test('one that never arrived is carried out then, also if the connection ended within it', async () => {
  const { daemon, gotAtLast } = await begin();
  const first = await rawClient(daemon, 1);
  const whole = frame(JSON.stringify({ jsonrpc: '2.0', id: 2, ...typed('one') }));
  first.socket.end(whole.slice(0, -5));
  await until('the connection has ended', () => first.socket.closed);
  const second = await rawClient(daemon, 3, [2]);
  expect(await ask(second, { id: 2, ...typed('one') })).toMatchObject({ result: null });
  expect(await gotAtLast()).toEqual(['one']);
});

test('a session is not lost to a client whose connection ended while it was opened', async () => {
  const { daemon, sessions } = await begin();
  const command = ['sh', '-c', 'echo begun; until test -e go; do sleep 0.01; done; cat'];
  const open = {
    command,
    program: 'sh',
    cwd: daemon.folder,
    env: { PATH: '/usr/bin:/bin' },
    ...{ cols: 80, rows: 24, tty: true, stdin: true, timeoutMs: 20_000, history: {}, limits: {} },
  };
  const first = await rawClient(daemon, 1);
  const request = { id: 2, method: 'open', params: { request: open } };
  first.send(request);
  await until('it is there', async () => (await sessions.list()).length === 2);
  first.socket.destroy();
  const second = await rawClient(daemon, 3, [2]);
  second.send(request);
  await sessions.run('touch go', { cwd: daemon.folder });
  await until('it is answered', () => second.response(2) !== undefined);
  expect(second.response(2)).toMatchObject({ result: { session: 'sh', output: 'begun' } });
  expect((await sessions.list()).map(({ session }) => session)).toEqual(['log', 'sh']);
});

test('one that is away for too long hears that the outcome is not known, and sees the screen', async () => {
  const { daemon, sessions, got, gotAtLast } = await begin();
  const first = await rawClient(daemon, 1);
  const send = {
    id: 3,
    method: 'send',
    params: { session: 'log', input: { text: 'one', match: 'never' }, actor: 'ada' },
  };
  const options = { match: 'late', timeoutMs: 20_000 };
  const read = { id: 4, method: 'read', params: { session: 'log', options } };
  await ask(first, { id: 2, method: 'take', params: { session: 'log', actor: 'ada' } });
  first.send(send);
  first.send(read);
  await until('it is typed', () => got().includes('one'));
  first.socket.destroy();
  expect(await keyboardOf(sessions, 'log')).toBe('ada');
  await until('it is given up', async () => (await keyboardOf(sessions, 'log')) === undefined);
  // Nothing was read for it meanwhile.
  expect(await sessions.read('log')).toMatchObject({ output: 'ok one' });
  const second = await rawClient(daemon, 5, [3, 4]);
  const { error } = await ask(second, send);
  expect(error).toMatchObject({
    message: expect.stringContaining('ok one'),
    data: {
      code: 'OUTCOME_UNKNOWN',
      details: { call: 'send', session: 'log', screen: expect.stringContaining('ok one') },
    },
  });
  second.send(read);
  await sessions.type('log', Buffer.from('late\n'));
  await until('the read is answered', () => second.response(4) !== undefined);
  expect(second.response(4)).toMatchObject({ result: { matched: 'late' } });
  expect(await gotAtLast()).toEqual(['one', 'late']);
});

test('nothing is read for a client that is away: another one gets it', async () => {
  const { daemon, sessions } = await begin();
  const first = await rawClient(daemon, 1);
  const wait = {
    id: 2,
    method: 'wait',
    params: { options: { sessions: ['log'], until: 'output' } },
  };
  first.send(wait);
  await ask(first, { id: 3, method: 'list', params: {} });
  first.socket.destroy();
  await until('the daemon knows', async () => (await daemon.status()).clients === 1);
  await sessions.type('log', Buffer.from('one\n'));
  expect(await sessions.wait({ match: 'ok one' })).toMatchObject({ output: 'ok one' });
  const second = await rawClient(daemon, 4, [2]);
  expect(await ask(second, wait)).toMatchObject({ result: { session: 'log', output: '' } });
});

test('answers are kept for some clients that are away, and of the others they are gone', async () => {
  const { daemon, gotAtLast } = await begin();
  const names = Array.from({ length: 40 }, (_, at) => `client-${at}-0123456789`);
  for (const name of names) {
    const client = await rawClient(daemon, 1, [], name);
    await ask(client, { id: 2, ...typed(name) });
    client.socket.destroy();
    await until('the daemon knows', async () => (await daemon.status()).clients === 1);
  }
  const last = await rawClient(daemon, 3, [2], names.at(-1));
  expect(await ask(last, { id: 2, ...typed(names.at(-1)!) })).toMatchObject({ result: null });
  const first = await rawClient(daemon, 3, [2], names[0]);
  expect(await ask(first, { id: 2, ...typed(names[0]!) })).toMatchObject({
    error: { data: { code: 'ANSWER_GONE', details: { request: 2 } } },
  });
  expect(await gotAtLast()).toEqual(names);
});

test('an id that was used before with other contents is refused, and nothing is done', async () => {
  const { daemon, gotAtLast } = await begin();
  const client = await rawClient(daemon, 1);
  await ask(client, { id: 2, ...typed('one') });
  client.messages.length = 0;
  expect(await ask(client, { id: 2, ...typed('two') })).toMatchObject({
    error: { data: { code: 'REQUEST_ID_REUSED', details: { request: 2, before: 'type' } } },
  });
  expect(await gotAtLast()).toEqual(['one']);
});

test.each([
  ['text', { oldest: 'x' }],
  ['a fraction', { oldest: 1.5 }],
  ['null', { oldest: null }],
  ['a list', { oldest: [1] }],
  ['later than the request', { oldest: 3 }],
])('a request whose oldest is %s is refused, and nothing is done', async (_what, numbers) => {
  const { daemon, gotAtLast } = await begin();
  const client = await rawClient(daemon, 1);
  expect(await ask(client, { id: 2, ...numbers, ...typed('bad') })).toMatchObject({
    error: { code: -32600 },
  });
  expect(await ask(client, { id: 3, oldest: 3, ...typed('good') })).toMatchObject({ result: null });
  expect(await gotAtLast()).toEqual(['good']);
});

test.each([
  ['a number', 5],
  ['a list', []],
  ['without an id', { pending: [], lastEvent: 0 }],
  ['with an id that is too short', { id: 'x', pending: [], lastEvent: 0 }],
  ['with an odd id', { id: '../../../../etc/passwd', pending: [], lastEvent: 0 }],
  ['that waits for something odd', { id: ADA, pending: ['x', null], lastEvent: 0 }],
  ['that has heard something odd', { id: ADA, pending: [], lastEvent: {} }],
])('a client %s is refused, and may say hello properly', async (_what, identity) => {
  const { daemon } = await begin();
  const client = new RawClient(daemon);
  expect(await ask(client, { id: 1, ...helloOf(identity as object) })).toMatchObject({
    error: { code: -32602 },
  });
  expect(await ask(client, { id: 2, method: 'list', params: {} })).toHaveProperty('error');
  const proper = helloOf({ id: ADA, pending: [1, 99, -5, 1e300], lastEvent: 1e300 });
  expect(await ask(client, { id: 3, ...proper })).toMatchObject({ result: { resumed: false } });
  expect(await ask(client, { id: 4, ...proper })).toMatchObject({ error: { code: -32602 } });
  expect(await ask(client, { id: 5, method: 'list', params: {} })).toHaveProperty('result');
});

test('a client of another version is refused with its id too, and nothing is done', async () => {
  const { daemon, gotAtLast } = await begin();
  const client = new RawClient(daemon);
  const client99 = { id: ADA, pending: [], lastEvent: 0 };
  const params = { protocol: 99, version: '99.0.0', client: client99 };
  expect(await ask(client, { id: 1, method: 'hello', params })).toMatchObject({
    error: { data: { code: 'OTHER_VERSION' } },
  });
  expect(await ask(client, { id: 2, ...typed('bad') })).toHaveProperty('error');
  expect(await gotAtLast()).toEqual([]);
});

/** A client whose connection the test cuts. */
const connectThroughProxy = async (daemon: OwnDaemon) => {
  const proxy = new CuttingProxy(daemon.paths, seeded(1));
  proxy.isCutting = false;
  await proxy.listen();
  onTestFinished(() => proxy.close());
  const client = await daemon.connect({ paths: proxy.paths, start: false });
  onTestFinished(async () => void (await client[Symbol.asyncDispose]()));
  return { proxy, client };
};

test('a keyboard stays with a client that comes back, and is free when it says goodbye', async () => {
  const { daemon, sessions } = await begin();
  const { proxy, client } = await connectThroughProxy(daemon);
  await client.take('log', { actor: 'ada' });
  for (let cut = 0; cut < 5; cut++) {
    const waiting = client.wait({ until: 'exit', timeoutMs: 500 });
    proxy.cutAll();
    expect(await waiting).toMatchObject({ timedOut: true, keyboard: 'ada' });
  }
  await client[Symbol.asyncDispose]();
  const before = performance.now();
  await until('it is free', async () => (await keyboardOf(sessions, 'log')) === undefined);
  expect(performance.now() - before).toBeLessThan(1500);
});

test('a call that its caller gives up while the connection is lost reads nothing', async () => {
  const { daemon, sessions } = await begin();
  const { proxy, client } = await connectThroughProxy(daemon);
  for (let round = 0; round < 10; round++) {
    const enough = new AbortController();
    const waiting = client.wait({ until: 'output', sessions: ['log'] }, { signal: enough.signal });
    await client.list();
    proxy.cutAll();
    enough.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    // Back before there is output, so that the call would read it if it still ran.
    await client.list();
    await sessions.type('log', Buffer.from(`${round}\n`));
    expect(await client.wait({ until: 'output', sessions: ['log'] })).toMatchObject({
      output: `ok ${round}`,
    });
  }
});

test('progress goes on after the connection was lost', async () => {
  const { daemon } = await begin();
  const { proxy, client } = await connectThroughProxy(daemon);
  let reports = 0;
  const enough = new AbortController();
  const call = { onProgress: () => void reports++, signal: enough.signal };
  const waiting = client.wait({ until: 'exit' }, call);
  await until('there is progress', () => reports > 0);
  proxy.cutAll();
  const before = reports;
  await until('there is more', () => reports > before);
  enough.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('at the limit of clients, one that comes back is let in, and a new one is not', async () => {
  const { daemon } = await begin();
  const nameOf = (at: number) => `client-${String(at).padStart(16, '0')}`;
  const clients: RawClient[] = [];
  for (let at = 0; at < 255; at++) clients.push(await rawClient(daemon, 1, [], nameOf(at)));
  await ask(clients[7]!, { id: 2, method: 'list', params: {} });
  const refused = await rawClient(daemon, 1);
  expect(refused.response(1)).toMatchObject({ error: { data: { code: 'TOO_MANY_CLIENTS' } } });
  // Its first connection is still there: it has noticed the loss before the daemon has.
  const returned = await rawClient(daemon, 3, [], nameOf(7));
  expect(returned.response(3)).toMatchObject({ result: { resumed: true } });
});

test('a client that was killed keeps nobody from the shell once its command is over', async () => {
  const { daemon, sessions } = await begin();
  await sessions.open({ command: ['bash', '--norc'], name: 'sh', cwd: daemon.folder });
  const command = 'until test -e go; do sleep 0.01; done; echo one; touch over';
  const run = {
    id: 2,
    method: 'run',
    params: { request: { session: 'sh', command, timeoutMs: 30_000, maxTokens: 1000 } },
  };
  const first = await rawClient(daemon, 1);
  first.send(run);
  const isWorking = async () =>
    (await sessions.list()).some(({ session, state }) => session === 'sh' && state === 'working');
  await until('it runs', isWorking);
  first.socket.destroy();
  await sessions.run('touch go', { cwd: daemon.folder });
  await until('it is over', () => existsSync(join(daemon.folder, 'over')));
  await sessions.wait({ sessions: ['sh'] });
  expect(await sessions.run('echo two', { session: 'sh' })).toMatchObject({ output: 'two' });
  const back = await rawClient(daemon, 3, [2]);
  expect(await ask(back, run)).toMatchObject({ result: { output: 'one', exitCode: 0 } });
});

test('one that never heard that its subscriptions have ended is told again', async () => {
  const { daemon } = await begin();
  const hello = helloOf({ id: ADA, pending: [], lastEvent: 0 });
  const lost = new RawClient(daemon);
  lost.send({ id: 1, ...hello });
  await until('it is answered', () => lost.response(1) !== undefined);
  lost.socket.destroy();
  // The answer may have been lost too, so nothing says that it will subscribe.
  const second = new RawClient(daemon);
  expect(await ask(second, { id: 2, ...hello })).toMatchObject({ result: { resumed: false } });
  await ask(second, { id: 3, method: 'list', params: {} });
  second.socket.destroy();
  const third = new RawClient(daemon);
  expect(await ask(third, { id: 4, ...hello })).toMatchObject({ result: { resumed: true } });
  third.socket.destroy();
});
