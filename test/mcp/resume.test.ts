/** Native sessions belong to the daemon: they outlive the MCP server that opened them. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { type OwnDaemon, ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { environment, MAIN } from '../helpers/mcp/doors.ts';
import { until } from '../helpers/until.ts';

const startServer = async (daemon: OwnDaemon) => {
  const client = new Client({ name: 'a test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp'],
    env: environment(daemon.env),
    stderr: 'inherit',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const call = async (name: string, input: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: input })).structuredContent as
      | { output?: string }
      | undefined;
  return { pid: transport.pid!, call };
};

test('after kill -9 of the MCP server the next one has state, screen and unread output', async () => {
  const daemon = ownDaemon();
  const first = await startServer(daemon);
  await first.call('terminal_open', { command: 'python3 -q', name: 'talk' });
  await first.call('terminal_send', { session: 'talk', text: 'x = 41' });
  const unanswered = first
    .call('terminal_send', {
      session: 'talk',
      text: 'import time; print("begun"); time.sleep(3); print(x + 1)',
    })
    .catch(() => 'never answered');
  await until('the program is in the middle of it', async () => {
    await using sessions = await daemon.connect();
    const { output } = await sessions.read('talk', { view: 'screen' }, { reader: 'observer' });
    return /^begun$/m.test(output);
  });
  process.kill(first.pid, 'SIGKILL');
  await until('the server is dead', () => !isAlive(first.pid));
  expect(await unanswered).toBe('never answered');

  const second = await startServer(daemon);
  expect(await second.call('terminal_list', { all: true })).toMatchObject({
    sessions: [{ session: 'talk' }],
  });
  expect(await second.call('terminal_wait', { sessions: ['talk'] })).toMatchObject({
    state: 'waiting',
    waiting_for: 'line',
    prompt: '>>> ',
    output: 'begun\n42',
  });
  const screen = await second.call('terminal_read', { session: 'talk', view: 'screen' });
  expect(screen?.output).toMatch(/^>>> x = 41\n/);
  expect(await second.call('terminal_send', { session: 'talk', text: 'x' })).toMatchObject({
    output: '41',
  });
});

test('with --embedded sessions end with their server, and there is no daemon', async () => {
  const daemon = ownDaemon();
  const client = new Client({ name: 'a test', version: '1' });
  const env = environment(daemon.env);
  const args = [MAIN, 'mcp', '--embedded'];
  const transport = new StdioClientTransport({ command: process.execPath, args, env });
  await client.connect(transport);
  const { structuredContent } = await client.callTool({
    name: 'terminal_open',
    arguments: { command: 'echo $$; cat' },
  });
  const program = Number((structuredContent as { output: string }).output);
  expect(isAlive(program)).toBe(true);
  await client.close();
  await until('the program has ended', () => !isAlive(program));
  await expect(daemon.connect({ start: false })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  });
});
