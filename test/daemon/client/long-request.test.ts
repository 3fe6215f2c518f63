import { expect, test } from 'vitest';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';

test('a request that is too long is refused before it is sent, and the connection stays', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const waiting = sessions.wait({ until: 'exit' });
  const text = 'a line\n'.repeat(2 ** 22);
  await expect(sessions.send('cat', { text })).rejects.toMatchObject({
    code: 'REQUEST_TOO_LONG',
    details: { bytes: expect.any(Number), limit: 16 * 2 ** 20 },
  });
  await sessions.send('cat', { keys: 'C-d', until: 'exit' });
  expect(await waiting).toMatchObject({ session: 'cat', state: 'exited', output: '' });
});
