import { expect, onTestFinished, test } from 'vitest';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { connectOverStdio, createClient, eras } from '../helpers/mcp/doors.ts';
import { RawServer } from '../helpers/mcp/raw-client.ts';
import { testWith } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';

testWith('python3')('sessions outlive the client, and the next one goes on with them', async () => {
  const { env } = ownDaemon();
  const first = new RawServer(env, []);
  await first.initialize();
  await first.call(1, 'terminal_open', { command: 'python3 -q' });
  const { structuredContent: printed } = await first.call(2, 'terminal_send', {
    session: 'python3',
    text: 'x = 41; print("set")',
  });
  expect(printed).toMatchObject({ output: 'set', state: 'waiting' });
  first.process.stdin!.end();
  await first.exited;

  const second = new RawServer(env, []);
  await second.initialize();
  const { structuredContent: answered } = await second.call(1, 'terminal_send', {
    session: 'python3',
    text: 'x + 1',
  });
  expect(answered).toMatchObject({ output: '42', prompt: '>>> ' });
  const ran = await second.call(2, 'terminal_run', { command: 'echo from the daemon; exit 3' });
  expect(ran.structuredContent).toMatchObject({ output: 'from the daemon', exit_code: 3 });
  const atQuestion = await second.call(3, 'terminal_send', {
    session: 'python3',
    text: 'import getpass; getpass.getpass()',
  });
  expect(atQuestion.content[0].text).toMatch(/A person can type it: `[^`]* attach python3`/);
  await second.call(4, 'terminal_close', { session: '*' });
  second.process.stdin!.end();
  await second.exited;
});

testWith('python3')('subscribers are notified of sessions in the daemon', async () => {
  const server = new RawServer(ownDaemon().env, []);
  await server.initialize();
  await server.request(1, 'resources/list');
  await server.call(2, 'terminal_open', { command: 'python3 -q' });
  const uri = 'terminal://python3/screen';
  await server.request(3, 'resources/subscribe', { uri });
  await server.call(4, 'terminal_send', { session: 'python3', text: 'print(1)' });
  const isNotified = (method: string) =>
    server.messages.some((message) => message.method === `notifications/resources/${method}`);
  await until(
    'both notifications have arrived',
    () => isNotified('list_changed') && isNotified('updated'),
  );

  const text = 'terminal://python3/text';
  await server.request(5, 'resources/subscribe', { uri: text });
  await server.request(6, 'resources/unsubscribe', { uri });
  const before = server.messages.length;
  await server.call(7, 'terminal_send', { session: 'python3', text: 'print(2)' });
  const newMessages = () => JSON.stringify(server.messages.slice(before));
  await until('the text has changed', () => newMessages().includes(text));
  expect(newMessages()).not.toContain(uri);
  await server.call(8, 'terminal_close', { session: '*' });
});

test.each(eras)('the daemon knows which program of era %s has called', async (era) => {
  const daemon = ownDaemon();
  const client = createClient(era);
  await connectOverStdio(client, daemon.env);
  onTestFinished(() => client.close());
  await client.callTool({ name: 'terminal_open', arguments: { command: 'cat', name: 'c' } });
  await client.callTool({ name: 'terminal_send', arguments: { session: 'c', text: 'x' } });
  await using sessions = await daemon.connect();
  const program = { door: 'mcp', kind: 'agent', client: { name: 'a test', version: '1' } };
  expect(await sessions.list()).toMatchObject([{ openedBy: program, inputBy: program }]);
});
