import { expect, test } from 'vitest';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { RawClient } from '../../helpers/daemon/raw-client.ts';
import { until } from '../../helpers/until.ts';

test('all that one connection may have are told, and one more is refused at once', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const heard = new Set<number>();
  const subscribe = (at: number) => sessions.subscribe(() => heard.add(at), undefined, ['opened']);
  const stops = Array.from({ length: 64 }, (_, at) => subscribe(at));
  expect(() => subscribe(64)).toThrow(
    expect.objectContaining({ code: 'TOO_MANY_SUBSCRIBERS', details: { limit: 64 } }),
  );
  // Who goes makes room.
  stops[0]!();
  subscribe(65);
  await sessions.open({ command: ['cat'] });
  await until('all are told', () => heard.size === 64);
  expect(heard).not.toContain(0);
  expect(heard).toContain(65);
});

test('the daemon refuses it, too, whoever asks', async () => {
  const daemon = ownDaemon();
  await daemon.start();
  const client = await RawClient.greeted(daemon);
  for (let subscription = 1; subscription <= 64; subscription++)
    client.ask('subscribe', { subscription });
  expect(await client.request('subscribe', { subscription: 65 })).toMatchObject({
    error: { data: { code: 'TOO_MANY_SUBSCRIBERS', details: { limit: 64 } } },
  });
});
