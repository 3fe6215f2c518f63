import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { sendWebResponse } from '../../../src/mcp/http/web-streams.ts';

/** Asks a real server, which answers in this way, and reads all that comes. */
const answered = async (answer: (to: ServerResponse) => Promise<void>): Promise<number> => {
  const server = createServer((_request, response) => void answer(response)).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', agent: false }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      // One that breaks off is no error here.
      response.on('error', () => {});
      response.on('close', () => resolve(bytes));
    });
    request.on('error', () => resolve(0));
  });
};

test('a body that fails is the error of that one request', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  let failure: unknown;
  await answered(async (to) => {
    const body = new ReadableStream({
      pull(controller) {
        if (to.socket!.bytesWritten > 0) controller.error(new Error('the body broke'));
        else controller.enqueue(Buffer.from('begun'));
      },
    });
    await sendWebResponse(new Response(body), to).catch((error: unknown) => {
      failure = error;
    });
    to.destroy();
    await once(to, 'close');
  });
  for (let turns = 0; turns < 5; turns++) await turn();
  expect(failure).toEqual(new Error('the body broke'));
  expect(unhandled).toEqual([]);
});

test('a long body that is waited for often leaves no listeners behind', async () => {
  const chunks = 20;
  let drains = 0;
  let more = 0;
  const bytes = await answered(async (to) => {
    to.on('drain', () => drains++);
    const before = to.listenerCount('close');
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        // The one that gives the body up when the client goes.
        more = Math.max(more, to.listenerCount('close') - before - 1);
        if (sent++ < chunks) controller.enqueue(Buffer.alloc(1_000_000));
        else controller.close();
      },
    });
    await sendWebResponse(new Response(body), to);
  });
  expect(bytes).toBe(chunks * 1_000_000);
  expect(drains).toBeGreaterThan(2);
  expect(more).toBeLessThanOrEqual(1);
});
