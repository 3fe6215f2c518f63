/** Sends nonsense over stdio and over HTTP. See test/helpers/fuzz.ts for how to run it longer. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { descriptorsOf, isAlive, processesWith } from '../helpers/daemon/processes.ts';
import { FUZZ_SECONDS, FUZZ_TIMEOUT_MS, fuzz } from '../helpers/fuzz.ts';
import { type HttpServer, httpServer } from '../helpers/mcp/doors.ts';
import {
  type AdvertisedTool,
  findFault,
  randomCall,
  randomGarbage,
  randomMessage,
} from '../helpers/mcp/nonsense.ts';
import { RawServer } from '../helpers/mcp/raw-client.ts';
import type { Random } from '../helpers/seeded.ts';
import { until } from '../helpers/until.ts';

const SECONDS = FUZZ_SECONDS / 2;

/** The longest wait for the answers of one round, on a busy machine. */
const TIMEOUT_MS = 60_000;

/** What the log says if the server itself has failed. */
const SERVER_FAILURE = /failed:|^ {4}at /m;

test.each([
  { dialects: ['native'] },
  { dialects: ['native', 'codex', 'hive', 'unified', 'tricode'] },
])(
  'garbage on the stdin of $dialects: every answer is valid, and nothing is left behind',
  async ({ dialects }) => {
    const marker = randomUUID();
    const args = dialects.flatMap((name) => ['--dialect', name]);
    const server = new RawServer({ FUZZ: marker }, ['--embedded', ...args]);
    await server.initialize();
    const tools: AdvertisedTool[] = (await server.request(1, 'tools/list')).result.tools;
    let id = 1e6;
    const callTool = async (name: string, args: object = {}) => {
      server.send({ id: ++id, method: 'tools/call', params: { name, arguments: args } });
      return (await server.answerTo(id, TIMEOUT_MS)).result;
    };
    // Some descriptors are opened at the first use and stay open.
    await callTool('terminal_run', { command: 'true' });
    const descriptors = descriptorsOf(server.process.pid!);

    await fuzz(async (random) => {
      server.messages.length = 0;
      await callTool('terminal_open', { name: 'prey', command: 'exec cat' });
      await callTool('terminal_open', { name: 'shell', command: 'exec bash --norc' });
      const expected = burst(server, tools, random, () => ++id);
      expect((await callTool('terminal_list')).structuredContent).toHaveProperty('sessions');
      for (const expectedId of expected) await server.answerTo(expectedId, TIMEOUT_MS);
      expect(server.messages.map(findFault).filter(Boolean)).toEqual([]);
      await callTool('terminal_close', { session: '*', force: true });
    }, SECONDS);

    expect(server.log).not.toMatch(SERVER_FAILURE);
    // The other dialects have their own sessions, which end with the server.
    if (dialects.length === 1)
      await until(
        'no descriptor is left',
        () => descriptorsOf(server.process.pid!) <= descriptors,
        TIMEOUT_MS,
      );
    server.process.stdin!.end('{"half');
    await server.exited;
    expect(server.process.exitCode).toBe(0);
    expect(processesWith(`FUZZ=${marker}`)).toEqual([]);
  },
  FUZZ_TIMEOUT_MS,
);

/** Sends random messages. Returns the ids of the calls that must be answered. */
const burst = (
  server: RawServer,
  tools: readonly AdvertisedTool[],
  random: Random,
  newId: () => number,
): number[] => {
  const expected: number[] = [];
  for (let left = 1 + random.below(12); left > 0; left--) {
    const kind = random.below(4);
    if (kind < 2) {
      const id = newId();
      server.send({ id, ...randomCall(random.pick(tools), random) });
      // A cancelled call may get no answer.
      const isCancelled = random.below(6) === 0;
      if (isCancelled)
        server.send({ method: 'notifications/cancelled', params: { requestId: id } });
      else expected.push(id);
    } else if (kind === 2) server.write(`${JSON.stringify(randomMessage(random))}\n`);
    else server.process.stdin!.write(Buffer.concat([randomGarbage(random), Buffer.from('\n')]));
  }
  return expected;
};

test(
  'garbage over HTTP: every answer is JSON-RPC, and a well-behaved client is served',
  async () => {
    const server = await httpServer();
    onTestFinished(() => server.stop());
    const pid = server.process.pid!;
    const { callTool, tools } = await wellBehavedClient(server);
    await callTool('terminal_run', { command: 'true' });
    const descriptors = descriptorsOf(pid);

    await fuzz(async (random) => {
      await callTool('terminal_open', { name: 'prey', command: 'exec cat' });
      const attacks = Array.from({ length: 8 }, () => attack(server, tools, random));
      const answers = (await Promise.all(attacks)).flat();
      expect(answers.map(findFault).filter(Boolean)).toEqual([]);
      expect(isAlive(pid)).toBe(true);
      expect((await callTool('terminal_list')).structuredContent).toHaveProperty('sessions');
      await callTool('terminal_close', { session: '*', force: true });
    }, SECONDS);

    await until(
      'no descriptor is left',
      async () => {
        // Some calls were still running when their client disconnected.
        await callTool('terminal_close', { session: '*', force: true });
        return descriptorsOf(pid) <= descriptors;
      },
      TIMEOUT_MS,
    );
    await server.stop();
    expect(server.process.exitCode).toBe(0);
  },
  FUZZ_TIMEOUT_MS,
);

/** Uses one connection per request, so that no request is lost with a connection that ends. */
const wellBehavedClient = async ({ url, token }: HttpServer) => {
  let session: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: what comes from the wire has no type.
  const post = (message: object): Promise<any> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'POST', agent: false }, (response) => {
        const chunks: Buffer[] = [];
        session ??= response.headers['mcp-session-id'] as string | undefined;
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () => {
          const type = response.headers['content-type'] ?? '';
          resolve(messagesOf(type, Buffer.concat(chunks).toString()).at(-1));
        });
      });
      sent.on('error', reject);
      sent.setHeader('authorization', `Bearer ${token}`);
      sent.setHeader('content-type', 'application/json');
      sent.setHeader('accept', 'application/json, text/event-stream');
      if (session !== undefined) sent.setHeader('mcp-session-id', session);
      sent.end(JSON.stringify({ jsonrpc: '2.0', ...message }));
    });
  await post(initialize);
  await post({ method: 'notifications/initialized' });
  const tools: AdvertisedTool[] = (await post({ id: 1, method: 'tools/list' })).result.tools;
  const callTool = async (name: string, args: object = {}) =>
    (await post({ id: 2, method: 'tools/call', params: { name, arguments: args } })).result;
  return { callTool, tools };
};

/** Sends one request and disconnects, perhaps too early. Returns the messages received. */
const attack = async (
  server: HttpServer,
  tools: readonly AdvertisedTool[],
  random: Random,
): Promise<unknown[]> => {
  const request = requestOf(server, tools, random);
  const { port } = new URL(server.url);
  const connectedMs = random.pick([0, 20, 100]);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => {});
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('connect', () => {
      const length = random.below(4) === 0 ? random.below(request.length) : request.length;
      socket.write(request.subarray(0, length));
      setTimeout(() => socket.destroy(), connectedMs);
    });
    socket.on('close', () => resolve(messagesIn(Buffer.concat(chunks).toString())));
  });
};

const requestOf = (
  { url, token }: HttpServer,
  tools: readonly AdvertisedTool[],
  random: Random,
): Buffer => {
  const { pick, below } = random;
  if (below(8) === 0) return randomGarbage(random);
  const body = pick<() => Buffer>([
    () => randomGarbage(random),
    () => Buffer.from(JSON.stringify(randomMessage(random))),
    () =>
      Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...randomCall(pick(tools), random) })),
    () => Buffer.from(JSON.stringify(initialize)),
  ])();
  const head = [
    `${pick(['POST', 'POST', 'POST', 'GET', 'DELETE', 'PUT', 'OPTIONS'])} ${pick(['/mcp', '/mcp', '/mcp', '/', '/%zz', '//x', 'x'])} HTTP/1.1`,
    `host: ${pick([new URL(url).host, new URL(url).host, new URL(url).host, 'evil.example', ''])}`,
    `content-type: ${pick(['application/json', 'application/json', 'text/plain'])}`,
    `accept: ${pick(['application/json, text/event-stream', '*/*', 'text/html'])}`,
    `content-length: ${pick([body.length, body.length, body.length, 0, 1e12, -1])}`,
    ...(below(8) > 0 ? [`authorization: Bearer ${token}`] : []),
    ...(below(4) === 0 ? [`mcp-session-id: ${pick(['x', '', 'é', 'x'.repeat(5000)])}`] : []),
    ...(below(3) === 0 ? [`mcp-protocol-version: ${pick(['2025-11-25', '2026-07-28', '0'])}`] : []),
    ...(below(9) === 0 ? ['transfer-encoding: chunked'] : []),
    ...(below(9) === 0 ? [`last-event-id: ${pick(['1', 'x'])}`] : []),
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
};

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'raw', version: '1' },
  },
};

/** The messages in a response. None if the response is incomplete. */
const messagesIn = (response: string): unknown[] => {
  const [, head = '', body = ''] = /^(.*?)\r\n\r\n(.*)$/s.exec(response) ?? [];
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const isComplete = /event-stream/.test(type) || (length > 0 && body.length >= length);
  return isComplete ? messagesOf(type, body) : [];
};

/** Parses server-sent events or JSON. */
const messagesOf = (type: string, body: string): unknown[] => {
  if (/event-stream/.test(type))
    return [...body.matchAll(/^data: (.+)\n\n/gm)].map(([, data]) => JSON.parse(data!));
  return /json/.test(type) ? [JSON.parse(body)].flat() : [];
};
