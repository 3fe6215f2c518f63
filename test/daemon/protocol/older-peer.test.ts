import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { encodeFrame, FrameDecoder } from '../../../src/daemon/protocol/frames.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { RawClient } from '../../helpers/daemon/raw-client.ts';

interface Recorded {
  from: 'client' | 'daemon';
  message: {
    id?: number;
    method?: string;
    params?: object;
    result?: unknown;
    error?: { data?: { code: string } };
  };
}

/** Client and daemon of version 0.1.0, which speaks protocol 1, as they talked. */
const conversation: readonly Recorded[] = JSON.parse(
  readFileSync(new URL('../../fixtures/protocol-1.json', import.meta.url), 'utf8'),
);

/** Fields of a result that depend on how far the program has come when it is looked at. */
const passing = ['waitingFor', 'prompt', 'foreground', 'timedOut', 'continues'];

/** The shape of a value: what an older client relies on. */
const shapeOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  const fields = Object.entries(value).filter(([key]) => !passing.includes(key));
  return Object.fromEntries(fields.map(([key, inner]) => [key, shapeOf(inner)]));
};

test('a client of version 0.1.0 gets what its own daemon gave it', async () => {
  const daemon = ownDaemon();
  await daemon.start();
  const client = new RawClient(daemon);
  for (const { message } of conversation.filter(({ from }) => from === 'client')) {
    const { id, method = '', params = {} } = message;
    const { message: before } = conversation.find(
      ({ from, message: answer }) => from === 'daemon' && answer.id === id,
    )!;
    const now = await client.request(method, params);
    const error = (now.error as { data?: { code: string } } | undefined)?.data?.code;
    expect([method, error]).toEqual([method, before.error?.data?.code]);
    expect([method, shapeOf(now.result)]).toMatchObject([method, shapeOf(before.result)]);
  }
  const output = client.messages.flatMap(({ params }) => params?.event?.bytes ?? []);
  expect(Buffer.from(output.join(''), 'base64').toString()).toContain('one');
});

test('a daemon of version 0.1.0, which cuts binary frames off, is asked in text, and its refusal is told', async () => {
  const { paths, connect } = ownDaemon();
  mkdirSync(dirname(paths.socket), { recursive: true, mode: 0o700 });
  const asked: string[] = [];
  const server = createServer((socket) => {
    const decoder = new FrameDecoder(1000);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      if (chunk[0] !== 'C'.charCodeAt(0)) return socket.destroy();
      for (const message of decoder.receive(chunk)) {
        const { id, method } = message as { id: number; method: string };
        asked.push(method);
        const data = { code: 'OTHER_VERSION', details: { running: '0.1.0', sessions: ['kept'] } };
        const error = { code: -32001, message: 'The running daemon has version 0.1.0.', data };
        for (const piece of encodeFrame({ jsonrpc: '2.0', id, error }, 'text')) socket.write(piece);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(paths.socket, resolve));
  chmodSync(paths.socket, 0o600);
  onTestFinished(() => void server.close());
  await expect(connect({ start: false })).rejects.toMatchObject({
    code: 'OTHER_VERSION',
    details: { sessions: ['kept'] },
  });
  expect(asked).toEqual(['hello']);
});
