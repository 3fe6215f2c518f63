import { expect, test } from 'vitest';
import { ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { RawClient } from '../../../helpers/daemon/raw-client.ts';
import { until } from '../../../helpers/until.ts';

test('every subscriber up to the limit gets events, and one more is refused at once', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const notified = new Set<number>();
  const subscribe = (id: number) =>
    sessions.subscribe(() => notified.add(id), undefined, ['opened']);
  const unsubscribes = Array.from({ length: 64 }, (_, id) => subscribe(id));
  expect(() => subscribe(64)).toThrow(
    expect.objectContaining({ code: 'TOO_MANY_SUBSCRIBERS', details: { limit: 64 } }),
  );
  // One that unsubscribes makes room.
  unsubscribes[0]!();
  subscribe(65);
  await sessions.open({ command: ['cat'] });
  await until('all are notified', () => notified.size === 64);
  expect(notified).not.toContain(0);
  expect(notified).toContain(65);
});

test('the daemon itself refuses it too', async () => {
  const daemon = ownDaemon();
  await daemon.start();
  const client = await RawClient.withHello(daemon);
  for (let subscription = 1; subscription <= 64; subscription++)
    client.sendRequest('subscribe', { subscription });
  expect(await client.request('subscribe', { subscription: 65 })).toMatchObject({
    error: { data: { code: 'TOO_MANY_SUBSCRIBERS', details: { limit: 64 } } },
  });
});
