import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { RawClient } from '../../../helpers/daemon/raw-client.ts';
import { until } from '../../../helpers/until.ts';

const FLOOD_BYTES = 16_000_000;

test('a client that does not read slows nobody down, and gets the current screen when it reads again', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['bash', '--norc'], env: { PS1: '$ ' } });
  await sessions.open({ command: ['cat'], name: 'other' });
  const slow = await RawClient.withHello(daemon);
  await slow.request('subscribe', { subscription: 1 });
  const bytesBefore = slow.receivedBytes;
  const readId = slow.sendRequest('read', { session: 'bash', options: { view: 'screen' } });
  slow.socket.pause();

  const before = memoryOf(await daemon.pid());
  const flood = sessions.send('bash', {
    text: `yes "$(printf '%0200d' 7)" | head -c ${FLOOD_BYTES}; echo the end`,
  });
  expect(await sessions.send('other', { text: 'meanwhile' })).toMatchObject({
    output: 'meanwhile',
  });
  expect(await flood).toMatchObject({
    state: 'waiting',
    output: expect.stringMatching(/the end$/),
  });
  const grown = memoryOf(await daemon.pid()) - before;
  // The queue of a client, and what the session itself keeps.
  expect(grown).toBeLessThan(120e6);

  slow.socket.resume();
  await until('it has caught up', () => lastScreen(slow)?.includes('the end') === true);
  expect(slow.response(readId)).toHaveProperty('result');
  expect(slow.receivedBytes - bytesBefore).toBeLessThan(FLOOD_BYTES / 2);

  // Then it gets all further output, without a gap.
  const { position } = eventsOf(slow).findLast(({ type }) => type === 'screen') as {
    position: number;
  };
  await sessions.send('bash', { text: 'echo after' });
  await until('it gets further output', () => outputsFrom(slow, position).includes('after\r\n'));
  const [next] = eventsOf(slow).filter(
    ({ type, position: at }) => type === 'output' && (at as number) >= position,
  );
  expect(next).toMatchObject({ position });
});

const eventsOf = (client: RawClient) =>
  client.messages.flatMap(({ params }) =>
    params?.event?.session === 'bash' ? [params.event] : [],
  );

const lastScreen = (client: RawClient) =>
  eventsOf(client).findLast(({ type }) => type === 'screen')?.dump as string | undefined;

const outputsFrom = (client: RawClient, position: number) =>
  eventsOf(client)
    .filter(({ type, position: at }) => type === 'output' && (at as number) >= position)
    .map(({ bytes }) => Buffer.from(bytes as string, 'base64').toString())
    .join('');

const memoryOf = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;

/** Each such read returns 3 MB. */
const wholeOutput = { view: 'raw', from: 0, maxTokens: 10_000_000 };
const muchOutput = 'yes "$(printf %0500d 7)" | head -c 3000000; cat';

test('results wait for a client that does not read, and it gets them all', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: muchOutput, name: 'much' });
  const slow = await RawClient.withHello(daemon);
  slow.socket.pause();
  const ids = Array.from({ length: 12 }, () =>
    slow.sendRequest('read', { session: 'much', options: wholeOutput }),
  );
  expect(await sessions.send('much', { text: 'still here' })).toMatchObject({
    output: 'still here',
  });
  slow.socket.resume();
  await until('it has all', () => ids.every((id) => slow.response(id)?.result !== undefined));
});

test('a client that keeps sending requests and reads nothing is cut off', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: muchOutput, name: 'much' });
  const client = await RawClient.withHello(daemon);
  client.socket.pause();
  // All are sent before the first result: later requests would wait until it is read.
  const options = { ...wholeOutput, until: 'exit', timeoutMs: 20_000 };
  for (let at = 0; at < 60; at++) client.sendRequest('read', { session: 'much', options });
  client.sendRequest('resize', { session: 'much', cols: 61, rows: 17 });
  const screen = async () => (await sessions.read('much', { view: 'screen' })).screen;
  await until('all requests have arrived', async () => (await screen())?.cols === 61);
  await sessions.send('much', { keys: 'C-c', until: 'exit' });
  const closed = new Promise((resolve) => client.socket.on('close', resolve));
  await until('it is cut off', async () => (await daemon.status()).clients === 1);
  client.socket.resume();
  await closed;
  expect(client.messages.length).toBeLessThan(50);
});
