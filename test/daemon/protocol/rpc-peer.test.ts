import { expect, test } from 'vitest';
import { RequestIds } from '../../../src/daemon/protocol/request-ids.ts';
import { RpcConnectionLost, RpcError, RpcPeer } from '../../../src/daemon/protocol/rpc-peer.ts';
import { memoryTransports } from '../../helpers/daemon/memory-transport.ts';
import { until } from '../../helpers/until.ts';

const begin = () => {
  const [near, far] = memoryTransports();
  return { near, far, client: new RpcPeer(near), server: new RpcPeer(far) };
};

test('both sides can ask, and each gets the answer to its own question', async () => {
  const { client, server } = begin();
  server.onRequest = async (method, params) => [method, params];
  client.onRequest = async () => 'from the client';
  const answers = Promise.all([client.request('a', { x: 1 }), server.request('b', {})]);
  expect(await answers).toEqual([['a', { x: 1 }], 'from the client']);
});

test('what a request throws is its error response, with code and data', async () => {
  const { client, server } = begin();
  server.onRequest = async (method) => {
    throw method === 'plain' ? new Error('oh') : new RpcError(-5, 'no', { why: 'so' });
  };
  await expect(client.request('typed', {})).rejects.toMatchObject({
    rpcCode: -5,
    message: 'no',
    data: { why: 'so' },
  });
  await expect(client.request('plain', {})).rejects.toMatchObject({ rpcCode: -32603 });
});

test('a request without a handler is one that there is not', async () => {
  const { client } = begin();
  await expect(client.request('nope', {})).rejects.toMatchObject({ rpcCode: -32601 });
});

test('an abort rejects at once, and the other side hears of it', async () => {
  const { client, server } = begin();
  let heard: unknown;
  server.onRequest = (_method, _params, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        heard = (signal.reason as Error).message;
        reject(signal.reason);
      });
    });
  const abort = new AbortController();
  const asked = client.request('long', {}, abort.signal);
  await until('it runs', () => server.runningRequests === 1);
  abort.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await until('the other side has stopped', () => server.runningRequests === 0);
  expect(heard).toBe('the caller gave up');
});

test('when the connection ends, requests of both sides end', async () => {
  const { near, client, server } = begin();
  let reason = '';
  server.onRequest = (_method, _params, signal) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reason = (signal.reason as Error).message;
        reject(signal.reason);
      });
    });
  const asked = client.request('long', {});
  await until('it runs', () => server.runningRequests === 1);
  near.destroy('a test');
  await expect(asked).rejects.toBeInstanceOf(RpcConnectionLost);
  expect(reason).toBe('the client has gone');
});

test.each([
  ['null', null, null],
  ['a list', [], null],
  ['a number', 7, null],
  ['an object with nothing in it', {}, null],
  ['an id alone', { id: 3 }, 3],
  ['an id that is none', { id: {}, method: 'x' }, null],
])('%s is answered with an error, and the connection goes on', async (_what, message, id) => {
  const { near, far, client, server } = begin();
  server.onRequest = async () => 'still here';
  const received: unknown[] = [];
  const { onMessage } = near;
  near.onMessage = (answer) => {
    received.push(answer);
    onMessage(answer);
  };
  far.onMessage(message);
  await until('it is answered', () => received.length === 1);
  expect(received[0]).toMatchObject({ id, error: { code: -32600 } });
  expect(await client.request('x', {})).toBe('still here');
});

test('an id that is in use is refused, and its request goes on', async () => {
  const { far, client, server } = begin();
  let finish = (_result: string) => {};
  server.onRequest = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const asked = client.request('x', {});
  await until('it runs', () => server.runningRequests === 1);
  far.onMessage({ jsonrpc: '2.0', id: 1, method: 'x', params: {} });
  await expect(asked).rejects.toMatchObject({ rpcCode: -32600 });
  finish('done');
});

test('a notification reaches its listener, and one that nobody listens to is ignored', async () => {
  const { client, server } = begin();
  const heard: unknown[] = [];
  client.onNotification('event', (params) => heard.push(params));
  server.notify('event', { n: 1 });
  server.notify('unknown', {});
  server.notify('event', { n: 2 });
  await until('both are there', () => heard.length === 2);
  expect(heard).toEqual([{ n: 1 }, { n: 2 }]);
});

test('ids go on over two connections, and the oldest without an answer is told', async () => {
  const ids = new RequestIds();
  const told: unknown[] = [];
  const [near, far] = memoryTransports();
  const client = new RpcPeer(near, ids);
  new RpcPeer(far).onRequest = (_method, _params, _signal, numbers) => {
    told.push(numbers);
    return new Promise(() => {});
  };
  const own = ids.take();
  const lost = client.request('first', {}, undefined, own);
  await until('it has arrived', () => told.length === 1);
  near.destroy('a test');
  await expect(lost).rejects.toBeInstanceOf(RpcConnectionLost);
  const [near2, far2] = memoryTransports();
  const next = new RpcPeer(near2, ids);
  new RpcPeer(far2).onRequest = async (_method, _params, _signal, numbers) => {
    told.push(numbers);
  };
  await next.request('second', {});
  await next.request('first', {}, undefined, own);
  ids.settle(own);
  await next.request('third', {});
  expect(told).toEqual([
    { id: 1, oldest: 1 },
    { id: 2, oldest: 1 },
    { id: 1, oldest: 1 },
    { id: 3, oldest: 3 },
  ]);
});

test('a request after the end is refused at once', async () => {
  const { near, client } = begin();
  near.destroy('a test');
  await expect(client.request('x', {})).rejects.toBeInstanceOf(RpcConnectionLost);
});
