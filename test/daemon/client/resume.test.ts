import { expect, test } from 'vitest';
import type { Sessions } from '../../../src/session/sessions.ts';
import { startClientProcess } from '../../helpers/daemon/client-process.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { until } from '../../helpers/until.ts';

test('kill -9 of a client in mid-conversation: the next one has state, screen and unread output', async () => {
  const daemon = ownDaemon();
  const client = startClientProcess(daemon, 'conversation');
  await client.waitUntilPrinted('waiting');
  await client.kill();
  expect(client.printed).toEqual(['waiting']);
  await using sessions = await daemon.connect();
  expect(await sessions.list()).toMatchObject([{ session: 'talk' }]);
  const result = await sessions.wait();
  expect(result).toMatchObject({
    session: 'talk',
    state: 'waiting',
    waitingFor: 'command',
    output: '42\ndone',
  });
  const { output: screen } = await sessions.read('talk', { view: 'screen' });
  expect(screen).toMatch(/^\$ x=41; echo first\nfirst\n/);
  expect(await sessions.send('talk', { text: 'echo $x' })).toMatchObject({ output: '41' });
});

test('a keyboard taken is given back when its client is killed', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'held' });
  const client = startClientProcess(daemon, 'hold');
  await client.waitUntilPrinted('holding');
  await expect(sessions.send('held', { text: 'x' })).rejects.toMatchObject({
    code: 'KEYBOARD_TAKEN',
    details: { session: 'held', actor: 'a person' },
  });
  await client.kill();
  await untilGivenBack(sessions);
  expect(await sessions.send('held', { text: 'x' })).toMatchObject({ output: 'x' });
});

const keyboardHolder = async (sessions: Sessions) => (await sessions.list())[0]?.keyboard;

const untilGivenBack = (sessions: Sessions) =>
  until('the keyboard is given back', async () => (await keyboardHolder(sessions)) === undefined);

test('a keyboard taken on two connections of one person is held until both have ended', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const one = await daemon.connect();
  const two = await daemon.connect();
  await sessions.open({ command: ['cat'] });
  await one.take('cat', { actor: 'ada' });
  await two.take('cat', { actor: 'ada' });
  await one[Symbol.asyncDispose]();
  await two.read('cat');
  expect(await keyboardHolder(sessions)).toBe('ada');
  await two[Symbol.asyncDispose]();
  await untilGivenBack(sessions);
});
