import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpGate } from '../../src/http/http-gate.ts';
import { caller, environment, type HttpServer, httpServer, MAIN } from '../helpers/mcp/doors.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
});

interface Reply {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** With node:http, because fetch does not allow a Host of our choice. */
const post = (
  url: string,
  headers: Record<string, string>,
  body: string | Buffer = initialize,
  path = '/mcp',
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        path,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

describe('over HTTP', () => {
  let server: HttpServer;
  let token: Record<string, string>;
  beforeAll(async () => {
    server = await httpServer();
    token = { authorization: `Bearer ${server.token}` };
  });
  afterAll(() => server.stop());
  const send = (headers: Record<string, string>, body?: string | Buffer, path?: string) =>
    post(server.url, headers, body, path);

  test('binds 127.0.0.1 and prints a token of 256 bits', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(server.token).toMatch(/^[\w-]{43}$/);
  });

  test('a client with the token is served', async () => {
    expect(await send(token)).toMatchObject({ status: 200 });
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['no token', {}],
    ['a wrong token', { authorization: 'Bearer wrong' }],
    ['the token under another scheme', { authorization: 'Basic x' }],
  ])('%s: 401, and what to send instead', async (_, headers) => {
    const reply = await send(headers);
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer');
    expect(reply.body).toMatch(/[Tt]he token/);
  });

  test.each<[what: string, headers: Record<string, string>]>([
    ['a name that was made to point here', { host: 'evil.example' }],
    ['such a name with our port', { host: 'evil.example:80' }],
    ['an address that is not ours', { host: '192.0.2.1' }],
    ['the page of another site', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
  ])('%s: 403, token or not', async (_, headers) => {
    expect((await send({ ...token, ...headers })).status).toBe(403);
    expect((await send(headers)).status).toBe(403);
  });

  test.each<Record<string, string>>([
    { host: 'localhost:1234' },
    { host: '[::1]:1234' },
    { origin: 'http://localhost:3000' },
  ])('%o is this machine', async (headers) => {
    expect((await send({ ...token, ...headers })).status).toBe(200);
  });

  test('a body that is too large: 413, with or without a content-length', async () => {
    const body = Buffer.alloc(33 * 1024 * 1024, 32);
    expect((await send({ ...token, 'content-length': String(body.length) }, '')).status).toBe(413);
    // The server may close the connection before everything is sent.
    const chunked = send({ ...token, 'transfer-encoding': 'chunked' }, body);
    await expect(
      chunked.then(
        ({ status }) => status,
        () => 413,
      ),
    ).resolves.toBe(413);
    expect((await send(token)).status).toBe(200);
  });

  test('malformed JSON, another path, another method, no session: errors, no crash', async () => {
    const malformed = await send(token, '{"jsonrpc"');
    expect(malformed).toMatchObject({ status: 400 });
    expect(JSON.parse(malformed.body).error.code).toBe(-32700);
    expect((await send(token, initialize, '/other')).status).toBe(404);
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(await send(token, list)).toMatchObject({ status: 400 });
    expect(await send({ ...token, 'mcp-session-id': 'gone' }, list)).toMatchObject({ status: 404 });
    expect((await send({ ...token, 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(token, '')).status).toBe(400);
    expect((await send(token)).status).toBe(200);
  });

  test('of 100 clients that initialize and disappear the newest are served', async () => {
    let last: Reply | undefined;
    for (let count = 0; count < 100; count++) last = await send(token);
    const id = String(last!.headers['mcp-session-id']);
    const list = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
    expect(await send({ ...token, 'mcp-session-id': id }, list)).toMatchObject({ status: 200 });
  });

  test('one client can open 32 sessions, and then must close some', {
    timeout: 60_000,
  }, async () => {
    const client = new Client({ name: 'greedy', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: token } }),
    );
    const call = caller(client);
    const open = () => call('terminal_open', { command: 'cat', timeout_ms: 0 });
    const all = await Promise.all(Array.from({ length: 40 }, open));
    expect(all.filter(({ failed }) => !failed)).toHaveLength(32);
    expect(all.find(({ failed }) => failed)!.text).toMatch(/TOO_MANY_SESSIONS/);
    await call('terminal_close', { session: 'cat' });
    expect((await open()).failed).toBe(false);
    await call('terminal_close', { session: '*' });
    await client.close();
  });
});

describe('a token from a file', () => {
  const tokenFile = (text: string, mode = 0o600) => {
    const path = join(folderWith(), 'token');
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  };

  test('is used and not printed', async () => {
    const server = await httpServer(['--token-file', tokenFile('a-token-of-my-own\n')]);
    const reply = await post(server.url, { authorization: 'Bearer a-token-of-my-own' });
    expect(reply.status).toBe(200);
    await server.stop();
  });

  test.each<[what: string, file: () => string, message: RegExp]>([
    ['a file that others can read', () => tokenFile('a-token-of-my-own', 0o644), /chmod 600/],
    ['a short token', () => tokenFile('short'), /at least 16/],
    ['no file', () => '/nonexistent/token', /no such file/],
  ])('%s is refused', async (_, file, message) => {
    const { code, stderr } = await new Promise<{ code: number; stderr: string }>((resolve) => {
      const args = [MAIN, 'mcp', '--embedded', '--http', '0', '--token-file', file()];
      const child = execFile(process.execPath, args, { env: environment() }, (_, __, stderr) =>
        resolve({ code: child.exitCode!, stderr }),
      );
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
  });
});

test('a server on an IPv6 address accepts that address in brackets as Host, and no other', () => {
  const checkHeaders = createHttpGate('a token of one’s own', '2001:db8::7');
  const authorization = 'Bearer a token of one’s own';
  expect(checkHeaders({ host: '[2001:db8::7]:8080', authorization })).toBeUndefined();
  expect(checkHeaders({ host: '[2001:db8::8]:8080', authorization })).toMatchObject({
    status: 403,
  });
});

describe('the token', () => {
  const gate = createHttpGate('a-token-of-32-letters', '127.0.0.1');
  const ask = (authorization?: string) => gate({ host: '127.0.0.1', authorization });

  test('is taken after the scheme in any case', () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(ask(`${scheme} a-token-of-32-letters`)).toBeUndefined();
  });

  test('is said to be wrong if it is, and to be missing if it is', () => {
    expect(ask('Bearer another-token')).toMatchObject({
      status: 401,
      message: expect.stringMatching(/^The token is wrong\./),
    });
    for (const none of [undefined, '', 'Basic YWRhOmFkYQ=='])
      expect(ask(none)?.message).toBe('Give the token as "Authorization: Bearer TOKEN".');
  });
});
