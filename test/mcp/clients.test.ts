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

test('the API keys of a client are not passed to sessions, unless that is asked for', async () => {
  const keys = { ANTHROPIC_API_KEY: 'one', OPENAI_API_KEY: 'two', GEMINI_API_KEY: 'three' };
  const command = 'echo "$ANTHROPIC_API_KEY $OPENAI_API_KEY $GEMINI_API_KEY $OTHER"';
  const env = { ...keys, OTHER: 'other' };
  const without = await serverFor('claude-code', env);
  const ran = await without.call(1, 'terminal_run', { command });
  expect(ran.structuredContent.output.trim()).toBe('other');
  const passed = await serverFor('claude-code', env, ['--embedded', '--pass-keys']);
  const asked = await passed.call(1, 'terminal_run', { command });
  expect(asked.structuredContent.output).toBe('one two three other');
});

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
  'a client of protocol %s is served',
  async (protocolVersion) => {
    const server = new RawServer();
    const { result } = await server.request(0, 'initialize', {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    });
    expect(result.protocolVersion).toBe(protocolVersion);
    server.send({ method: 'notifications/initialized' });
    const { structuredContent } = await server.call(1, 'terminal_run', { command: 'echo once' });
    expect(structuredContent.output).toBe('once');
  },
);
