/** The way out of a sandbox, asked as a program would that wants more than it may. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MAX_CONNECTIONS, SandboxProxy } from '../../../src/sandbox/network/sandbox-proxy.ts';
import { until } from '../../helpers/until.ts';

interface Seen {
  line: string;
  host: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** What the host that may be reached was asked. */
let seen: Seen[] = [];
/** How often the other was reached. */
let reached = 0;

const allowed = createServer(async (asked, answer) => {
  const { method, url, headers } = asked;
  seen.push({ line: `${method} ${url}`, host: headers.host, headers, body: await text(asked) });
  if (url === '/away') answer.writeHead(302, { Location: `http://127.0.0.1:${portOf(other)}/` });
  if (url === '/hold') return;
  answer.end('hello');
});
const other = createTcpServer((socket) => {
  reached++;
  socket.destroy();
});

const portOf = (server: Server): number => (server.address() as { port: number }).port;
const listen = async (server: Server) => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
};

/** The names of the scene. Each is another way to this machine, or to one beside it. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  'allowed.test': ['127.0.0.1'],
  'a.wild.test': ['127.0.0.1'],
  'half.test': ['10.0.0.1', '127.0.0.1'],
  'inner.test': ['127.0.0.1'],
  'inner6.test': ['::1', '::ffff:127.0.0.1', 'fe80::1', 'fd00::1'],
  'metadata.test': ['169.254.169.254'],
  'dead.test': ['127.0.0.1'],
};

let A = 0;
let B = 0;
let proxy: SandboxProxy;

beforeAll(async () => {
  A = await listen(allowed);
  B = await listen(other);
  proxy = new SandboxProxy({
    hosts: [
      `127.0.0.1:${A}`,
      ...['allowed', '*.wild', 'half', 'nowhere'].map((name) => `${name}.test:${A}`),
      ...['inner', 'inner6', 'metadata'].map((name) => `${name}.test:${B}`),
      'dead.test:1',
      '127.0.0.1:1',
    ],
    resolve: async (name) => {
      const found = addresses[name];
      if (found === undefined) throw new Error(`asked for ${name}`);
      return found;
    },
  });
  await listen(proxy.server);
});
afterAll(() => {
  proxy.close();
  allowed.close();
  allowed.closeAllConnections();
  other.close();
});
beforeEach(() => {
  seen = [];
  reached = 0;
});

/** A and B in what is said are the ports. */
const withPorts = (said: string) => said.replaceAll('{A}', `${A}`).replaceAll('{B}', `${B}`);

/** Says it, and returns all that is answered until the connection ends. */
const say = async (said: string): Promise<string> => {
  const socket = connect(portOf(proxy.server), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(withPorts(said), 'latin1');
  return text(socket);
};

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
const request = (target: string, headers = '') =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;

describe('a tunnel', () => {
  test.each([
    'allowed.test:{A}',
    'ALLOWED.test.:{A}',
    'a.wild.test:{A}',
    'half.test:{A}',
    '127.0.0.1:{A}',
  ])('to %s leads to the host that is named', async (target) => {
    const answer = await say(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n${request('/through')}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nHTTP\/1\.1 200 OK[\s\S]*hello/);
    expect(seen).toMatchObject([{ line: 'GET /through' }]);
  });

  test.each<[target: string, status: number]>([
    ['127.0.0.1:{B}', 403],
    ['localhost:{A}', 403],
    ['127.1:{A}', 400],
    ['2130706433:{A}', 400],
    ['0x7f000001:{A}', 400],
    ['0x7f.1:{A}', 400],
    ['0177.0.0.1:{A}', 400],
    ['017700000001:{A}', 400],
    ['127.0.0.1.:{A}', 400],
    ['[::1]:{A}', 403],
    ['[::ffff:127.0.0.1]:{A}', 403],
    ['[::ffff:7f00:1]:{A}', 403],
    ['allowed.test:{B}', 403],
    ['wild.test:{A}', 403],
    ['xwild.test:{A}', 403],
    ['allowed.test.evil.test:{A}', 403],
    ['evil.test:{A}', 403],
    ['inner.test:{B}', 403],
    ['inner6.test:{B}', 403],
    ['metadata.test:{B}', 403],
    ['nowhere.test:{A}', 502],
    ['dead.test:1', 502],
    ['allowed.test', 400],
    ['allowed.test:', 400],
    ['allowed.test:{A}@127.0.0.1:{B}', 400],
    ['allowed.test:{A}%00@127.0.0.1:{B}', 400],
    ['user:pass@allowed.test:{A}', 400],
    ['http://allowed.test:{A}/', 400],
    ['/run/docker.sock', 400],
    ['unix:/run/docker.sock', 400],
    ['allowed.test:{A} x', 400],
    ['allowed.test\t:{A}', 400],
    ['allowed.test\0:{A}', 400],
  ])('to %j is refused', async (target, status) => {
    const answer = await say(`CONNECT ${target} HTTP/1.1\r\nHost: allowed.test:{A}\r\n\r\n`);
    expect(statusOf(answer)).toBe(status);
    expect(seen).toEqual([]);
    expect(reached).toBe(0);
  });
});

describe('a request', () => {
  test('reaches the host of its target, whatever its header says', async () => {
    const answer = await say(request('http://allowed.test:{A}/a?b=1', 'X-Kept: yes\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 200[\s\S]*hello/);
    expect(seen).toMatchObject([
      { line: 'GET /a?b=1', host: `allowed.test:${A}`, headers: { 'x-kept': 'yes' } },
    ]);
  });

  test.each<[target: string, status: number]>([
    ['http://127.0.0.1:{B}/', 403],
    ['http://[::1]:{B}/', 403],
    ['http://allowed.test:{A}@127.0.0.1:{B}/', 400],
    ['http://127.0.0.1:{B}\\@allowed.test:{A}/', 400],
    ['http://127.0.0.1:{B}#@allowed.test:{A}/', 400],
    ['http://127.0.0.1:{B}?@allowed.test:{A}/', 403],
    ['http:///127.0.0.1:{B}/', 400],
    ['http:127.0.0.1:{B}/', 400],
    ['https://allowed.test:{A}/', 400],
    ['ftp://allowed.test:{A}/', 400],
    ['//127.0.0.1:{B}/', 400],
    ['/', 400],
    ['*', 400],
    ['http://2130706433:{A}/', 400],
    ['http://inner.test:{B}/', 403],
  ])('for %j is refused', async (target, status) => {
    const answer = await say(request(target).replace('Host: x', 'Host: allowed.test:{A}'));
    expect(statusOf(answer)).toBe(status);
    expect(seen).toEqual([]);
    expect(reached).toBe(0);
  });

  test.each([
    ['two lengths', 'Content-Length: 1\r\nContent-Length: 2\r\n'],
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['chunks that are not the last coding', 'Transfer-Encoding: chunked, identity\r\n'],
    ['a coding that is none', 'Transfer-Encoding: xchunked\r\n'],
    ['a coding before the chunks', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n'],
    ['a line that goes on', 'X: a\r\n Transfer-Encoding: chunked\r\n'],
    ['a line feed alone', 'X: a\nTransfer-Encoding: chunked\r\n'],
    ['a zero byte', 'X: a\0b\r\n'],
    ['a carriage return alone', 'X: a\rY: b\r\n'],
  ])('with %s is never passed on in a way that is read as two', async (_what, headers) => {
    const body = `0\r\n\r\n${request('http://127.0.0.1:{B}/')}`;
    const answer = await say(
      `POST http://allowed.test:{A}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n${body}`,
    );
    expect(statusOf(answer)).toBe(400);
    expect(seen).toEqual([]);
    expect(reached).toBe(0);
  });

  test('that has another in its body is one request for the host', async () => {
    const inner = 'GET http://127.0.0.1/ HTTP/1.1\r\nHost: x\r\n\r\n';
    const chunked = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`;
    const headers = 'Transfer-Encoding: chunked\r\n';
    await say(`${request('http://allowed.test:{A}/one', headers)}${chunked}`);
    await say(
      `${request('http://allowed.test:{A}/two', `Content-Length: ${inner.length}\r\n`)}${inner}`,
    );
    expect(seen).toMatchObject([
      { line: 'GET /one', body: inner },
      { line: 'GET /two', body: inner },
    ]);
  });

  test('after another on the same connection is decided by itself', async () => {
    const first = request('http://allowed.test:{A}/').replace('Connection: close\r\n', '');
    const answer = await say(`${first}${request('http://127.0.0.1:{B}/')}`);
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 403']);
    expect(reached).toBe(0);
  });

  test('that is sent elsewhere is not followed', async () => {
    expect(await say(request('http://allowed.test:{A}/away'))).toMatch(/^HTTP\/1\.1 302/);
    expect(reached).toBe(0);
  });

  test('says nothing to the host that was said to the proxy', async () => {
    const own = 'Proxy-Authorization: Basic x\r\nConnection: X-Own\r\nX-Own: 1\r\nUpgrade: h2c\r\n';
    await say(request('http://allowed.test:{A}/', own).replace('Connection: close\r\n', ''));
    const names = Object.keys(seen[0]!.headers);
    expect(names.sort()).toEqual(['connection', 'host']);
  });
});

test('headers that never end are refused', async () => {
  const answer = await say(request('http://allowed.test:{A}/', `X: ${'a'.repeat(20_000)}\r\n`));
  expect(statusOf(answer)).toBe(431);
  expect(seen).toEqual([]);
});

test('a request that is said too slowly is cut off', async () => {
  const socket = connect(portOf(proxy.server), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET http://allo');
  expect(statusOf(await text(socket))).toBe(408);
});

test('five hundred connections leave room for the daemon, and then for others', async () => {
  const sockets = Array.from({ length: 500 }, () => connect(portOf(proxy.server), '127.0.0.1'));
  let closed = 0;
  for (const socket of sockets)
    socket
      .on('error', () => {})
      .on('close', () => closed++)
      .resume();
  await until('those that are too many are closed', () => closed >= 500 - MAX_CONNECTIONS);
  expect(closed).toBe(500 - MAX_CONNECTIONS);
  for (const socket of sockets) socket.destroy();
  await until('a request is answered again', async () =>
    (await say(request('http://allowed.test:{A}/'))).includes('hello'),
  );
});

test('one connection that asks for everything at once reaches no more hosts than others', async () => {
  const socket = connect(portOf(proxy.server), '127.0.0.1');
  socket.on('error', () => {});
  const one = 'GET http://allowed.test:{A}/hold HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(withPorts(one.repeat(2 * MAX_CONNECTIONS)));
  await until('it has all that it gets', () => seen.length >= MAX_CONNECTIONS);
  expect(statusOf(await say(request('http://allowed.test:{A}/')))).toBe(503);
  expect(seen).toHaveLength(MAX_CONNECTIONS);
  socket.destroy();
  await until('they are let go', async () =>
    (await say(request('http://allowed.test:{A}/'))).includes('hello'),
  );
});
