/** What single clients do, without the clients: `npm run clients` runs them. */
import { describe, expect, test } from 'vitest';
import { RawServer } from '../helpers/mcp/raw-client.ts';

const serverFor = async (client: string, env: Record<string, string> = {}, args?: string[]) => {
  const server = new RawServer(env, args);
  await server.request(0, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: client, version: '1' },
  });
  server.send({ method: 'notifications/initialized' });
  return server;
};

describe('a client that shows its model', () => {
  test('both results gets the text alone, since each of them says everything', async () => {
    const qwen = await serverFor('qwen-cli-mcp-client-repartee');
    const { result } = await qwen.request(1, 'tools/list');
    for (const tool of result.tools) expect(tool).not.toHaveProperty('outputSchema');
    const called = await qwen.call(2, 'terminal_run', { command: 'echo once' });
    expect(called).not.toHaveProperty('structuredContent');
    expect(called.content[0].text).toMatch(/^once\n/);
  });

  test('one of them gets both', async () => {
    const other = await serverFor('claude-code');
    const { result } = await other.request(1, 'tools/list');
    for (const tool of result.tools) expect(tool).toHaveProperty('outputSchema');
    const { structuredContent, content } = await other.call(2, 'terminal_run', {
      command: 'echo once',
    });
    expect(structuredContent.output).toBe('once');
    expect(content[0].text).toMatch(/^once\n/);
  });
});

test('a field that Gemini CLI adds to every call is ignored', async () => {
  const gemini = await serverFor('gemini-cli-mcp-client');
  const { structuredContent } = await gemini.call(1, 'terminal_run', {
    command: 'echo once',
    wait_for_previous: true,
  });
  expect(structuredContent).toMatchObject({
    output: 'once',
    hint: 'terminal_run has no wait_for_previous: ignored.',
  });
});
