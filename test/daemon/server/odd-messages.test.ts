import { expect, test } from 'vitest';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { frame, RawClient } from '../../helpers/daemon/raw-client.ts';
import { until } from '../../helpers/until.ts';

test.each(['[]', 'null'])('%s is answered or cut off, whoever sends it', async (body) => {
  const daemon = ownDaemon();
  await daemon.start();
  for (const client of [new RawClient(daemon), await RawClient.withHello(daemon)]) {
    const before = client.messages.length;
    client.socket.write(frame(body));
    await until('it is answered or cut off', () => {
      return client.messages.length > before || client.socket.destroyed;
    });
    if (client.messages.length > before)
      expect(client.messages.at(-1)).toMatchObject({ id: null, error: { code: -32600 } });
  }
  await using sessions = await daemon.connect();
  expect(await sessions.list()).toEqual([]);
});

test('an error repeats no more than a little of a long command, text or pattern', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const long = 'x'.repeat(100_000);
  const calls = [
    () => sessions.open({ command: [long] }),
    () => sessions.read(long),
    () => sessions.read('cat', { search: `(${long}` }),
    () => sessions.wait({ sessions: ['cat'], match: `[${long}` }),
    () => sessions.send('cat', { keys: long }),
    () => sessions.send('cat', { secret: long }),
    () => sessions.open({ command: ['cat'], cwd: `/${long}` }),
    () => sessions.signal('cat', long),
    () => sessions.run(`${long}\n`, { session: 'cat' }),
  ];
  for (const call of calls) {
    const error = await call().then(
      () => expect.unreachable(`${call} did not fail`),
      (error: unknown) => error,
    );
    expect(JSON.stringify(error).length, String(call)).toBeLessThan(25_000);
    expect((error as Error).message.length, String(call)).toBeLessThan(2100);
  }
});
