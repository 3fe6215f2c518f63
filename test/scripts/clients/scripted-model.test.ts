import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kinds } from '../../../scripts/clients/kinds/kinds.js';
import { ScriptedModel } from '../../../scripts/clients/model/scripted-model.js';
import { ModelServer } from '../../../scripts/clients/model/server.js';
import { configurationLine } from '../../../scripts/clients/workplace.js';

const PROMPT = 'Use the terminals (agent 1).';
const names = ['mcp__repartee__terminal_open', 'mcp__repartee__terminal_read'];
const functions = names.map((name) => ({ type: 'function', function: { name } }));

interface Exchange {
  path: string;
  /** With the result of a call, if there is one. */
  request(result?: { id: string; text: string }): object;
  /** What a client finds in the streamed events. */
  callIn(events: string): string[] | null;
}

const exchanges: Record<string, Exchange> = {
  'Anthropic Messages': {
    path: '/v1/messages',
    request: (result) => ({
      stream: true,
      tools: names.map((name) => ({ name })),
      messages: [
        { role: 'user', content: PROMPT },
        ...(result
          ? [
              {
                role: 'user',
                content: [{ type: 'tool_result', tool_use_id: result.id, content: result.text }],
              },
            ]
          : []),
      ],
    }),
    callIn: (events) => /"type":"tool_use","id":"(\w+)","name":"(\w+)"/.exec(events),
  },
  'OpenAI Responses': {
    path: '/v1/responses',
    request: (result) => ({
      tools: names.map((name) => ({ type: 'function', name })),
      input: [
        { type: 'message', role: 'user', content: PROMPT },
        ...(result
          ? [{ type: 'function_call_output', call_id: result.id, output: result.text }]
          : []),
      ],
    }),
    callIn: (events) => /"type":"function_call","call_id":"(\w+)","name":"(\w+)"/.exec(events),
  },
  'OpenAI chat completions': {
    path: '/v1/chat/completions',
    request: (result) => ({
      stream: true,
      tools: functions,
      messages: [
        { role: 'user', content: PROMPT },
        ...(result ? [{ role: 'tool', tool_call_id: result.id, content: result.text }] : []),
      ],
    }),
    callIn: (events) =>
      /"id":"(call\w+)","type":"function","function":{"name":"(\w+)"/.exec(events),
  },
  'Gemini generateContent': {
    path: '/v1beta/models/any:streamGenerateContent?alt=sse',
    request: (result) => ({
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      contents: [
        { role: 'user', parts: [{ text: PROMPT }] },
        ...(result
          ? [
              {
                role: 'user',
                parts: [{ functionResponse: { id: result.id, response: { output: result.text } } }],
              },
            ]
          : []),
      ],
    }),
    callIn: (events) => /"functionCall":{"id":"(\w+)","name":"(\w+)"/.exec(events),
  },
};

describe('a scripted model', () => {
  let server: ModelServer;
  let model: ScriptedModel;
  let address: string;
  beforeEach(async () => {
    server = new ModelServer();
    model = new ScriptedModel('(agent 1)');
    server.add(model);
    address = await server.listen();
  });
  afterEach(() => server.close());

  const post = async (path: string, body: object): Promise<string> =>
    (await fetch(address + path, { method: 'POST', body: JSON.stringify(body) })).text();

  test.each(Object.entries(exchanges))(
    'calls a tool over %s, and is given its result',
    async (_, { path, request, callIn }) => {
      const result = model.call('terminal_open', { command: 'python3' });
      const [, id = '', name] = callIn(await post(path, request())) ?? [];
      expect(name).toBe(names[0]);
      const last = post(path, request({ id, text: 'waiting' }));
      expect(await result).toBe('waiting');
      await model.say('Done.');
      expect(await last).toContain('Done.');
    },
  );

  test('answers a request that is made again as before', async () => {
    const { path, request } = exchanges['OpenAI Responses']!;
    model.call('terminal_open', {}).catch(() => {});
    expect(await post(path, request())).toBe(await post(path, request()));
  });

  test('gives a word to a request that is no part of its conversation', async () => {
    const { path, request } = exchanges['OpenAI Responses']!;
    expect(await post(path, { ...request(), tools: [] })).toContain('fine');
  });
});

test.each(kinds)('the README says how to configure $title', (kind) => {
  expect(configurationLine(kind).join(' ')).toMatch(
    /mcp add .*repartee .*npx .*-y repartee mcp$|^npx -y repartee setup \w+ --yes$/,
  );
});
