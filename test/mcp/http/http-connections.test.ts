import { Server } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { HttpConnections } from '../../../src/mcp/http/http-connections.ts';

const request = (body: object, id?: string) =>
  new Request('http://localhost/', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(id !== undefined && { 'mcp-session-id': id }),
    },
    body: JSON.stringify(body),
  });

const open = () => {
  const connections = new HttpConnections(
    () => new Server({ name: 'a test', version: '1' }, { capabilities: {} }),
  );
  const say = (message: object, id?: string) => {
    const body = { jsonrpc: '2.0', ...message };
    return connections.handle(request(body, id), body);
  };
  const hello = async () => {
    const clientInfo = { name: 'a client', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const answer = await say({ id: 1, method: 'initialize', params });
    return answer.headers.get('mcp-session-id')!;
  };
  const ping = async (id: string) => (await say({ id: 2, method: 'ping' }, id)).status;
  return { connections, hello, ping, say };
};

test('a 65th client takes the place of the one that was not heard of for longest', async () => {
  const { connections, hello, ping } = open();
  const ids: string[] = [];
  while (ids.length < 64) ids.push(await hello());
  const [first, second, third] = ids as [string, string, string];
  expect(await ping(first)).toBe(200);
  expect(await ping(await hello())).toBe(200);
  expect(await ping(second)).toBe(404);
  expect(await ping(first)).toBe(200);
  expect(await ping(third)).toBe(200);
  await connections.close();
  expect(await ping(first)).toBe(404);
});

test('whoever has not said hello is told to', async () => {
  const { say } = open();
  const answer = await say({ id: 1, method: 'ping' });
  expect(answer.status).toBe(400);
  expect(await answer.text()).toContain('Send initialize first');
});
