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

const openConnections = () => {
  const connections = new HttpConnections(
    () => new Server({ name: 'a test', version: '1' }, { capabilities: {} }),
  );
  const send = (message: object, id?: string) => {
    const body = { jsonrpc: '2.0', ...message };
    return connections.handle(request(body, id), body);
  };
  const initialize = async () => {
    const clientInfo = { name: 'a client', version: '1' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const response = await send({ id: 1, method: 'initialize', params });
    return response.headers.get('mcp-session-id')!;
  };
  const ping = async (id: string) => (await send({ id: 2, method: 'ping' }, id)).status;
  return { connections, initialize, ping, send };
};

test('a 65th client replaces the least recently used one', async () => {
  const { connections, initialize, ping } = openConnections();
  const ids: string[] = [];
  while (ids.length < 64) ids.push(await initialize());
  const [first, second, third] = ids as [string, string, string];
  expect(await ping(first)).toBe(200);
  expect(await ping(await initialize())).toBe(200);
  expect(await ping(second)).toBe(404);
  expect(await ping(first)).toBe(200);
  expect(await ping(third)).toBe(200);
  await connections.close();
  expect(await ping(first)).toBe(404);
});

test('a client that has not sent initialize gets an error that says so', async () => {
  const { send } = openConnections();
  const response = await send({ id: 1, method: 'ping' });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Send initialize first');
});
