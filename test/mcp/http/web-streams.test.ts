import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sendWebResponse } from '../../../src/mcp/http/web-streams.ts';

/** Sends a request to a real server with this handler. Returns how many bytes it receives. */
const bytesFrom = async (handle: (target: ServerResponse) => Promise<void>): Promise<number> => {
  const server = createServer((_request, response) => void handle(response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      // A response that breaks off is not an error here.
      response.on('error', () => {});
      response.on('close', () => resolve(bytes));
    });
    request.on('error', () => resolve(0));
  });
};

test('a body that fails affects only that request', async () => {
  const unhandled: unknown[] = [];
  const onRejection = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', onRejection);
  onTestFinished(() => void process.off('unhandledRejection', onRejection));
  let failure: unknown;
  await bytesFrom(async (target) => {
    const body = new ReadableStream({
      pull(controller) {
        if (target.socket!.bytesWritten > 0) controller.error(new Error('the body broke'));
        else controller.enqueue(Buffer.from('begun'));
      },
    });
    await sendWebResponse(new Response(body), target).catch((error: unknown) => {
      failure = error;
    });
    target.destroy();
    await once(target, 'close');
  });
  for (let turns = 0; turns < 5; turns++) await nextTurn();
  expect(failure).toEqual(new Error('the body broke'));
  expect(unhandled).toEqual([]);
});

test('a long body that has to drain often leaves no listeners behind', async () => {
  const chunks = 20;
  let drains = 0;
  let extraListeners = 0;
  const bytes = await bytesFrom(async (target) => {
    target.on('drain', () => drains++);
    const before = target.listenerCount('close');
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        // One listener is expected: it cancels the body when the client disconnects.
        extraListeners = Math.max(extraListeners, target.listenerCount('close') - before - 1);
        if (sent++ < chunks) controller.enqueue(Buffer.alloc(1_000_000));
        else controller.close();
      },
    });
    await sendWebResponse(new Response(body), target);
  });
  expect(bytes).toBe(chunks * 1_000_000);
  expect(drains).toBeGreaterThan(2);
  expect(extraListeners).toBeLessThanOrEqual(1);
});
