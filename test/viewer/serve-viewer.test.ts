/** Who gets in: what the server of the viewer refuses, whatever a browser would do. */
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { PAGE_PROTOCOL, type PageNews, type PageReply } from '../../src/viewer/page-messages.ts';
import { type RunningViewer, serveViewer } from '../../src/viewer/serve-viewer.ts';
import { until } from '../helpers/until.ts';

const pageFolder = join(import.meta.dirname, '../../dist/viewer/page/');

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

describe('the server of the viewer', () => {
  const sessions = new LocalSessions();
  let viewer: RunningViewer;
  let port: string;
  let token: string;
  let readOnlyToken: string;
  beforeAll(async () => {
    viewer = await serveViewer({
      ...{ host: '127.0.0.1', port: 0, pageFolder, recordings: '/nonexistent' },
      // Closing a page must not end the sessions of all.
      connect: async () =>
        new Proxy(sessions, {
          get: (target, name) => {
            if (name === Symbol.asyncDispose) return async () => {};
            const value = Reflect.get(target, name);
            return typeof value === 'function' ? value.bind(target) : value;
          },
        }),
    });
    ({ port } = new URL(viewer.url!));
    token = tokenOf(viewer.url!);
    readOnlyToken = tokenOf(viewer.readOnlyUrl);
  });
  afterAll(async () => {
    await viewer?.close();
    await sessions.closeAll();
  });

  const tokenOf = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get('token')!;
  const own = () => `127.0.0.1:${port}`;

  /** With node:http, because fetch does not allow a Host of our choice. */
  const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, headers }, (response) => {
        let body = '';
        response.on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body }),
        );
      });
      sent.on('error', reject).end();
    });

  interface TestSocket {
    socket: WebSocket;
    news: PageNews[];
    ask(request: string, params: object): Promise<PageReply>;
  }

  /** Resolves with the status if it is refused. */
  const connect = (
    given: string | undefined,
    headers: Record<string, string> = { origin: `http://${own()}` },
  ): Promise<TestSocket | number> =>
    new Promise((resolve, reject) => {
      const protocols = [PAGE_PROTOCOL, ...(given === undefined ? [] : [`token.${given}`])];
      const socket = new WebSocket(`ws://${own()}/`, protocols, { headers });
      const news: PageNews[] = [];
      const replies = new Map<number, (reply: PageReply) => void>();
      socket.on('message', (data, isBinary) => {
        if (isBinary) return;
        const message = JSON.parse(data.toString()) as PageNews | PageReply;
        if ('news' in message) news.push(message);
        else replies.get(message.id)?.(message);
      });
      socket.once('unexpected-response', (_request, response) => resolve(response.statusCode!));
      socket.once('error', reject);
      let id = 0;
      const ask: TestSocket['ask'] = (name, params) =>
        new Promise((answered) => {
          replies.set(++id, answered);
          socket.send(JSON.stringify({ id, request: name, params }));
        });
      socket.once('open', () => resolve({ socket, news, ask }));
    });

  const admitted = async (given: string): Promise<TestSocket> => {
    const connected = await connect(given);
    if (typeof connected === 'number') throw new Error(`refused: ${connected}`);
    return connected;
  };

  test('serves the page with a policy that runs no script but its own', async () => {
    const { status, headers, body } = await get('/');
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const [, nonce] = /'nonce-([\w-]+)'/.exec(policy)!;
    expect(body).toContain(`nonce="${nonce}"`);
    expect((await get('/')).headers['content-security-policy']).not.toBe(policy);
    expect(body).not.toContain(token);
  });

  test.each<[what: string, headers: () => Record<string, string>]>([
    ['a name that was made to point here', () => ({ host: `evil.example:${port}` })],
    ['another port of this machine', () => ({ host: '127.0.0.1:1' })],
    ['the page of another site', () => ({ host: own(), origin: 'https://evil.example' })],
    ['the page of another port', () => ({ host: own(), origin: 'http://127.0.0.1:1' })],
    ['a page without an origin', () => ({ host: own(), origin: 'null' })],
  ])('refuses %s, token or not', async (_, headers) => {
    const authorization = `Bearer ${token}`;
    expect((await get('/token', { authorization })).status).toBe(204);
    expect((await get('/token', { authorization, ...headers() })).status).toBe(403);
    expect((await get('/', headers())).status).toBe(403);
    const { host, origin = `http://${host}` } = headers();
    expect(await connect(token, { host: host!, origin })).toBe(403);
  });

  test('refuses a WebSocket without an origin, and without the right token', async () => {
    expect(await connect(token, {})).toBe(403);
    expect(await connect(undefined)).toBe(401);
    expect(await connect('x'.repeat(43))).toBe(401);
    expect(await connect(`${token}x`)).toBe(401);
  });

  test('says why a token opens nothing', async () => {
    const ask = async (given: string) => get('/token', { authorization: `Bearer ${given}` });
    expect(await ask('another')).toMatchObject({ status: 401, body: /no longer valid/ });
    expect(await get('/token')).toMatchObject({ status: 401, body: /needs the link/ });
  });

  test('gives recordings to those with the token, and no other file', async () => {
    const authorization = `Bearer ${token}`;
    expect((await get('/recordings/x.20261115T051822123.77')).status).toBe(401);
    for (const name of [
      'x.20261115T051822123.77',
      '..%2f..%2fetc%2fpasswd',
      '%2fetc%2fpasswd',
      '%',
    ])
      expect((await get(`/recordings/${name}`, { authorization })).status).toBe(404);
    expect((await get('/../../package.json')).status).toBe(404);
  });

  test('lets a view-only link look, and nothing else', async () => {
    await sessions.open({ name: 'looked', command: ['cat'] });
    const { ask, news, socket } = await admitted(readOnlyToken);
    expect(await ask('watch', { session: 'looked', watch: 1 })).toMatchObject({ result: null });
    await until('it sees the screen', () => news.some((each) => each.news === 'screen'));
    const acts: [string, object][] = [
      ['type', { session: 'looked', text: 'x' }],
      ['typeSecret', { session: 'looked', value: 'xxxx' }],
      ['take', { session: 'looked' }],
      ['fit', { session: 'looked', cols: 80, rows: 24 }],
      ['resize', { session: 'looked', cols: 80, rows: 24 }],
      ['signal', { session: 'looked', signal: 'SIGINT' }],
      ['close', { session: 'looked' }],
      ['answer', { id: 1, answer: 'once' }],
    ];
    for (const [request, params] of acts)
      expect(await ask(request, params)).toMatchObject({ error: { code: 'VIEW_ONLY' } });
    socket.terminate();
    await sessions.close('looked');
  });

  test('answers requests that make no sense with errors', async () => {
    const { ask, socket } = await admitted(token);
    expect(await ask('constructor', {})).toMatchObject({ error: { code: 'UNUSABLE_ARGUMENT' } });
    expect(await ask('type', { session: {}, text: 'x' })).toMatchObject({
      error: { code: 'UNUSABLE_ARGUMENT' },
    });
    expect(await ask('signal', { session: 'none', signal: 'SIGINT' })).toMatchObject({
      error: { code: 'SESSION_NOT_FOUND' },
    });
    socket.send('{"id": 7');
    expect(await ask('overview', { miniatures: [] })).toMatchObject({ result: null });
    socket.terminate();
  });

  test('opens a link for one question once, and for that alone', async () => {
    await sessions.open({ name: 'asks', command: ['bash', '-c', 'read -sp "PIN: " x'] });
    await sessions.open({ name: 'other', command: ['cat'] });
    const { url: link, done } = viewer.linkFor({ kind: 'secret', session: 'asks' });
    expect(new URL(link).pathname).toBe('/secret/');
    expect((await get('/secret/')).status).toBe(200);
    const { ask, news, socket } = await admitted(tokenOf(link));
    expect(news[0]).toMatchObject({ news: 'hello', only: { kind: 'secret', session: 'asks' } });
    expect(news).toHaveLength(1);
    for (const [request, params] of [
      ['typeSecret', { session: 'other', value: 'horse-7781' }],
      ['watch', { session: 'other', watch: 1 }],
      ['type', { session: 'asks', text: 'x' }],
      ['overview', { miniatures: [] }],
      ['recordings', {}],
    ] as const)
      expect(await ask(request, params)).toMatchObject({ error: { code: 'VIEW_ONLY' } });
    expect(await connect(tokenOf(link))).toBe(401);
    expect(await ask('typeSecret', { session: 'asks', value: 'horse-7781' })).toMatchObject({
      result: null,
    });
    await done;
    expect((await sessions.wait({ sessions: ['asks'], until: 'exit' })).state).toBe('exited');
    socket.terminate();
    const refusal = await get('/token', { authorization: `Bearer ${tokenOf(link)}` });
    expect(refusal).toMatchObject({ status: 401, body: /works once/ });
    await sessions.closeAll();
  });

  test('gives back the keyboard of a page that has gone', async () => {
    await sessions.open({ name: 'held', command: ['cat'] });
    const { ask, socket } = await admitted(token);
    await ask('take', { session: 'held' });
    await expect(sessions.send('held', { text: 'x' })).rejects.toMatchObject({
      code: 'KEYBOARD_TAKEN',
    });
    socket.terminate();
    await until('the keyboard is free', async () => {
      const [held] = await sessions.list();
      return held?.keyboard === undefined;
    });
    await sessions.closeAll();
  });

  test('sends a page that does not keep up the screen instead of all output', async () => {
    await sessions.open({
      name: 'flood',
      command: ['sh', '-c', 'yes flood & sleep 20; kill $!'],
      timeoutMs: 0,
    });
    const { ask, news, socket } = await admitted(token);
    let bytes = 0;
    let last = 0;
    socket.on('message', (data: Buffer, isBinary) => {
      if (!isBinary) return;
      bytes += data.length - 4;
      last = data.readUInt32BE(0);
    });
    await ask('watch', { session: 'flood', watch: 7 });
    await until('it gets output', () => bytes > 400_000);
    const sent = bytes;
    const before = (await sessions.list())[0]!.unread;
    await until('much more is printed', async () => {
      return (await sessions.list())[0]!.unread > before + 2_000_000;
    });
    // Half a megabyte that was not shown, and what was on its way.
    expect(bytes - sent).toBeLessThan(700_000);
    expect(last).toBe(7);
    const screens = () => news.filter((each) => each.news === 'screen');
    const seen = screens().length;
    await ask('shown', { watch: 7, bytes: 10_000_000 });
    await until('it gets the screen', () => screens().length > seen);
    expect(screens().at(-1)).toMatchObject({ watch: 7, isAfterGap: true });
    socket.terminate();
    await sessions.closeAll();
  });
});
