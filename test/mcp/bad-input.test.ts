import { describe, expect, test } from 'vitest';
import { RawServer } from '../helpers/mcp/raw-client.ts';

const TEN_MEGABYTES = 10 * 1024 * 1024;

const initializedServer = async () => {
  const server = new RawServer();
  await server.initialize();
  return server;
};

/** A server with a session that the bad input must not harm. */
const serverWithBystander = async () => {
  const server = await initializedServer();
  await server.call(1, 'terminal_open', { name: 'bystander', command: 'exec cat' });
  const isUnharmed = async () => {
    const { structuredContent } = await server.call(999, 'terminal_send', {
      session: 'bystander',
      text: 'still here',
    });
    expect(structuredContent.output).toContain('still here');
  };
  return { server, isUnharmed };
};

describe('bad input', () => {
  test('malformed JSON is an error that says where, and the connection stays open', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    server.write('{"jsonrpc": "2.0", "id": 7, "meth\n');
    const { error } = await server.answerTo(null);
    expect(error.code).toBe(-32700);
    expect(error.message).toMatch(/not JSON/);
    await isUnharmed();
  });

  test('JSON that is not JSON-RPC is an invalid request, with its id if it has one', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    server.write('{"id": 8, "say": "hello"}\n[]\n5\nnull\n\n');
    expect((await server.answerTo(8)).error.code).toBe(-32600);
    await isUnharmed();
    expect(server.messages.filter(({ id }) => id === null)).toHaveLength(3);
  });

  test('wrong types, missing and unknown fields are each reported', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    const { content, isError } = await server.call(2, 'terminal_open', {
      cols: '80',
      rows: 2.5,
      env: { A: 1 },
      tty: 'yes',
      comand: 'ls',
      timeout: 5,
    });
    expect(isError).toBe(true);
    expect(content[0].text).toBe(
      'terminal_open was not called: env.A must be a string, not 1; ' +
        'cols must be a whole number, not the string "80"; rows must be a whole number, not 2.5; ' +
        'tty must be true or false, not the string "yes"; ' +
        'there is no "comand", did you mean command?; there is no "timeout", did you mean timeout_ms?; ' +
        'its fields are command, cwd, env, name, cols, rows, tty, timeout_ms, sandbox. [INVALID_ARGUMENTS]',
    );
    for (const args of ['text', ['a'], 5]) {
      const error = await server.call(3, 'terminal_list', args);
      expect(error.code, JSON.stringify(args)).toBe(-32602);
      server.messages.length = 0;
    }
    await isUnharmed();
  });

  test('a request without a required parameter is an error that names it', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    const requiredParams = {
      'prompts/get': 'name',
      'resources/read': 'uri',
      'resources/subscribe': 'uri',
      'resources/unsubscribe': 'uri',
      'tools/call': 'name',
    };
    for (const [index, [method, field]] of Object.entries(requiredParams).entries()) {
      for (const params of [{}, { [field]: 5 }]) {
        server.messages.length = 0;
        const { error } = await server.request(10 + index, method, params);
        expect(error, method).toMatchObject({
          code: -32602,
          message: expect.stringMatching(field),
        });
      }
    }
    await isUnharmed();
  });

  test('arguments of 10 MB get a normal answer', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    const text = 'x'.repeat(TEN_MEGABYTES);
    const tooLong = await server.call(2, 'terminal_send', { session: 'bystander', text });
    expect(tooLong.content[0].text).toMatch(/LINE_TOO_LONG/);
    const tooLarge = await server.call(3, 'terminal_open', { command: `: ${text}` });
    expect(tooLarge.content[0].text).toMatch(/ARGUMENTS_TOO_LARGE/);
    const unknown = await server.call(4, 'terminal_open', { [text]: text, cols: text });
    expect(unknown.content[0].text.length).toBeLessThan(1000);
    await isUnharmed();
  });

  test('a message of more than 32 MB is an error, and the next message is served', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    server.write(`{"jsonrpc":"2.0","id":2,"method":"${'x'.repeat(33 * 1024 * 1024)}"}\n`);
    expect((await server.answerTo(null)).error.message).toMatch(/32 MB/);
    await isUnharmed();
  });

  test('a call before initialization is an error, and works afterwards', async () => {
    const server = new RawServer();
    const { error } = await server.request(1, 'tools/call', { name: 'terminal_list' });
    expect(error).toMatchObject({ code: -32600, message: expect.stringMatching(/initialize/) });
    await server.initialize();
    expect((await server.call(2, 'terminal_list')).structuredContent).toMatchObject({
      sessions: [],
    });
  });

  test('500 calls at once get 500 answers', { timeout: 60_000 }, async () => {
    const { server, isUnharmed } = await serverWithBystander();
    const ids = Array.from({ length: 500 }, (_, index) => 1000 + index);
    const calls = [
      { name: 'terminal_list', arguments: {} },
      { name: 'terminal_read', arguments: { session: 'bystander', view: 'screen' } },
      { name: 'terminal_read', arguments: { session: 'nobody' } },
      { name: 'terminal_send', arguments: { session: 'bystander', text: 'y', until: 'now' } },
      { name: 'terminal_wait', arguments: { sessions: ['bystander'], timeout_ms: 500 } },
    ];
    for (const id of ids) server.send({ id, method: 'tools/call', params: calls[id % 5]! });
    for (const id of ids) expect((await server.answerTo(id, 40_000)).result).toBeDefined();
    await isUnharmed();
  });

  test('impossible names, sizes, times and patterns are errors that say what is wrong', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    let id = 2;
    const errorText = async (name: string, args: object) =>
      (await server.call(id++, name, args)).content[0].text;
    expect(await errorText('terminal_open', { name: '../x' })).toMatch(/UNUSABLE_NAME/);
    expect(await errorText('terminal_open', { cols: 70_000 })).toMatch(/INVALID_SIZE/);
    expect(await errorText('terminal_open', { command: 'true\0' })).toMatch(/UNUSABLE_ARGUMENT/);
    expect(await errorText('terminal_open', { cwd: '/nonexistent' })).toMatch(/CWD_NOT_FOUND/);
    const session = 'bystander';
    expect(await errorText('terminal_send', { session, keys: 'Entr' })).toMatch(/"Enter"/);
    expect(await errorText('terminal_send', { session })).toMatch(/EMPTY_SEND/);
    expect(await errorText('terminal_read', { session, match: '(' })).toMatch(/INVALID_PATTERN/);
    expect(await errorText('terminal_read', { session, timeout_ms: -1 })).toMatch(/at least 0/);
    await isUnharmed();
  });

  test('stdout carries only the protocol, and stderr stays empty without errors', async () => {
    const { server, isUnharmed } = await serverWithBystander();
    await isUnharmed();
    expect(server.log).toBe('');
  });
});
