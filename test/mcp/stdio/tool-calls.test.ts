import { expect, test } from 'vitest';
import type { Tool } from '../../../src/dialects/tool.ts';
import { ToolCalls } from '../../../src/mcp/stdio/tool-calls.ts';
import type { CallOptions } from '../../../src/session/sessions.ts';

const hints = { readOnly: true, destructive: false, idempotent: true, openWorld: false };
const shared = { description: '', input: { type: 'object' }, hints };

/** Tells what it was asked, or waits until it is cancelled. */
const serve = () => {
  const calls: CallOptions[] = [];
  const echo: Tool = {
    ...shared,
    name: 'echo',
    run: async (args, call) => {
      calls.push(call);
      return { text: JSON.stringify(args) };
    },
  };
  const wait: Tool = {
    ...shared,
    name: 'wait',
    run: (_, call) => {
      calls.push(call);
      return new Promise((_, reject) => {
        call.signal?.addEventListener('abort', () => reject(call.signal?.reason));
      });
    },
  };
  const sent: object[] = [];
  const settings = { client: { name: 'tests' } as { name: string } | undefined };
  const served = new ToolCalls({
    dialects: [{ name: 'test', tools: [echo, wait] } as never],
    client: () => settings.client,
    send: (message) => sent.push(message),
  });
  return { served, sent, calls, settings };
};

const call = (params: object = { name: 'echo', arguments: { a: 1 } }, rest: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params,
  ...rest,
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a call is answered under its id, as the client that has made it', async () => {
  const { served, sent, calls } = serve();
  expect(served.take(call())).toBe(true);
  await settled();
  const result = { content: [{ type: 'text', text: '{"a":1}' }] };
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, result }]);
  expect(calls[0]?.caller).toMatchObject({ door: 'mcp', client: { name: 'tests' } });
});

test('a tool that is not there is an error', async () => {
  const { served, sent } = serve();
  expect(served.take(call({ name: 'ech' }))).toBe(true);
  await settled();
  const message = expect.stringContaining('Did you mean "echo"?');
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 7, error: { code: -32602, message } }]);
});

test.each([
  ['no call of a tool', { jsonrpc: '2.0', id: 7, method: 'tools/list' }],
  ['an answer', { jsonrpc: '2.0', id: 7, result: {} }],
  ['a notification', call(undefined, { id: undefined })],
  ['another version of JSON-RPC', call(undefined, { jsonrpc: '1.0' })],
  ['an id that is no integer', call(undefined, { id: 1.5 })],
  ['an unknown field', call(undefined, { extra: 1 })],
  ['no name', call({ arguments: {} })],
  ['arguments in a list', call({ name: 'echo', arguments: [] })],
  ['a task', call({ name: 'echo', task: { ttl: 1 } })],
  ['a progress token that is none', call({ name: 'echo', _meta: { progressToken: {} } })],
  [
    'a claim of the protocol of 2026',
    call({ name: 'echo', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }),
  ],
  ['a list', [call()]],
  ['nothing', null],
])('%s is left to the SDK', async (_, message) => {
  const { served, sent } = serve();
  expect(served.take(message)).toBe(false);
  await settled();
  expect(sent).toEqual([]);
});

test('before it is initialized, a connection is left to the SDK', () => {
  const { served, settings } = serve();
  settings.client = undefined;
  expect(served.take(call())).toBe(false);
});

test('a cancelled call gets no answer; a cancellation of others is left to the SDK', async () => {
  const { served, sent, calls } = serve();
  const cancel = (requestId: number) => ({
    jsonrpc: '2.0',
    method: 'notifications/cancelled',
    params: { requestId, reason: 'enough' },
  });
  expect(served.take(call({ name: 'wait' }))).toBe(true);
  expect(served.take(cancel(8))).toBe(false);
  expect(served.take(cancel(7))).toBe(true);
  expect(calls[0]?.signal?.reason).toBe('enough');
  await settled();
  expect(sent).toEqual([]);
  expect(served.take(cancel(7))).toBe(false);
});

test('a client that leaves ends its calls', () => {
  const { served, calls } = serve();
  served.take(call({ name: 'wait' }));
  served.end();
  expect(calls[0]?.signal?.aborted).toBe(true);
});
