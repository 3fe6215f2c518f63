import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { caller, environment, MAIN } from '../helpers/mcp/doors.ts';

/** A client whose user opens links. `open`: what the user does there. */
const connectClient = async (open: (url: string) => Promise<'accept' | 'decline'>) => {
  const { env } = ownDaemon();
  const client = new Client(
    { name: 'a test', version: '1' },
    { capabilities: { elicitation: { url: {} } }, supportedProtocolVersions: ['2025-11-25'] },
  );
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(JSON.stringify(params));
    return { action: await open((params as { url: string }).url) };
  });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp'],
      env: environment(env),
      stderr: 'inherit',
    }),
  );
  onTestFinished(() => client.close());
  const call = caller(client);
  const script = 'read -sp "Password: " x; echo; printf %s "$x" | wc -c; sleep 60';
  await call('terminal_open', { command: script, name: 'login' });
  return { call, asked };
};

/** As the page does. */
const typeOnPage = (url: string, value: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { origin, host, hash } = new URL(url);
    const token = new URLSearchParams(hash.slice(1)).get('token');
    const socket = new WebSocket(`ws://${host}/`, ['repartee', `token.${token}`], {
      headers: { origin },
    });
    socket.once('error', reject);
    socket.on('message', (data) => {
      const { news, only, id, error } = JSON.parse(data.toString());
      if (news === 'hello') {
        const params = { session: only.session, value };
        socket.send(JSON.stringify({ id: 1, request: 'typeSecret', params }));
      } else if (id === 1 && error) reject(new Error(error.message));
      else if (id === 1) resolve();
    });
  });

describe('a client that opens links for its user', () => {
  test('gets a page on which the user types a secret that is not stored', async () => {
    const secret = 'correct-horse-7781';
    let typed: Promise<void> | undefined;
    const { call, asked } = await connectClient(async (url) => {
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/secret\/#token=[\w-]{43}$/);
      typed = typeOnPage(url, secret);
      return 'accept';
    });
    const answer = await call('terminal_send', {
      session: 'login',
      secret: 'db',
      match: '^\\d+$',
    });
    await typed;
    expect(answer.text).toContain(`${secret.length}`);
    expect(asked).toHaveLength(1);
    expect(JSON.parse(asked[0]!)).toMatchObject({
      mode: 'url',
      message: expect.stringMatching(/^bash in session "login" asks for a secret \("db"\)/),
    });
  });

  test('gets the error that it would get otherwise if the user declines', async () => {
    const { call } = await connectClient(async () => 'decline');
    const answer = await call('terminal_send', { session: 'login', secret: 'db' });
    expect(answer.failed).toBe(true);
    expect(answer.text).toContain('UNKNOWN_SECRET');
  });

  test('is not asked where no secret is asked for', async () => {
    const { call, asked } = await connectClient(async () => 'accept');
    await call('terminal_open', { command: 'cat', name: 'cat' });
    const answer = await call('terminal_send', { session: 'cat', secret: 'db' });
    expect(answer.text).toContain('UNKNOWN_SECRET');
    expect(asked).toEqual([]);
  });
});
