import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { RawClient } from '../../helpers/daemon/raw-client.ts';
import { until } from '../../helpers/until.ts';

const FLOOD_BYTES = 16_000_000;

test('a client that does not read slows nobody, and gets a fresh screen when it reads again', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['bash', '--norc'], env: { PS1: '$ ' } });
  await sessions.open({ command: ['cat'], name: 'aside' });
  const slow = await RawClient.greeted(daemon);
  await slow.request('subscribe', { subscription: 1 });
  const heardBefore = slow.receivedBytes;
  const asked = slow.ask('read', { session: 'bash', options: { view: 'screen' } });
  slow.socket.pause();

  const before = memoryOf(await daemon.pid());
  const flood = sessions.send('bash', {
    text: `yes "$(printf '%0200d' 7)" | head -c ${FLOOD_BYTES}; echo the end`,
  });
  expect(await sessions.send('aside', { text: 'meanwhile' })).toMatchObject({
    output: 'meanwhile',
  });
  expect(await flood).toMatchObject({
    state: 'waiting',
    output: expect.stringMatching(/the end$/),
  });
  const grown = memoryOf(await daemon.pid()) - before;
  // What a client may have under way, and what the session itself keeps.
  expect(grown).toBeLessThan(120e6);

  slow.socket.resume();
  await until('it has caught up', () => lastScreen(slow)?.includes('the end') === true);
  expect(slow.answer(asked)).toHaveProperty('result');
  expect(slow.receivedBytes - heardBefore).toBeLessThan(FLOOD_BYTES / 2);

  // Then all that follows, without a gap.
  const { position } = eventsOf(slow).findLast(({ type }) => type === 'screen') as {
    position: number;
  };
  await sessions.send('bash', { text: 'echo after' });
  await until('it hears what follows', () => outputsFrom(slow, position).includes('after\r\n'));
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

/** 3 MB each. */
const everything = { view: 'raw', from: 0, maxTokens: 10_000_000 };
const muchOutput = 'yes "$(printf %0500d 7)" | head -c 3000000; cat';

test('answers wait for a client that does not read, and it gets them all', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: muchOutput, name: 'much' });
  const slow = await RawClient.greeted(daemon);
  slow.socket.pause();
  const asked = Array.from({ length: 12 }, () =>
    slow.ask('read', { session: 'much', options: everything }),
  );
  expect(await sessions.send('much', { text: 'still here' })).toMatchObject({
    output: 'still here',
  });
  slow.socket.resume();
  await until('it has all', () => asked.every((id) => slow.answer(id)?.result !== undefined));
});

test('a client that asks on and on and reads nothing is cut off', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: muchOutput, name: 'much' });
  const deaf = await RawClient.greeted(daemon);
  deaf.socket.pause();
  // All before the first answer: who cannot be answered is not asked on.
  const options = { ...everything, until: 'exit', timeoutMs: 20_000 };
  for (let at = 0; at < 60; at++) deaf.ask('read', { session: 'much', options });
  deaf.ask('resize', { session: 'much', cols: 61, rows: 17 });
  const screen = async () => (await sessions.read('much', { view: 'screen' })).screen;
  await until('all is asked', async () => (await screen())?.cols === 61);
  await sessions.send('much', { keys: 'C-c', until: 'exit' });
  const closed = new Promise((resolve) => deaf.socket.on('close', resolve));
  await until('it is cut off', async () => (await daemon.status()).clients === 1);
  deaf.socket.resume();
  await closed;
  expect(deaf.messages.length).toBeLessThan(50);
});
