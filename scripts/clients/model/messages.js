/** Anthropic Messages, which Claude Code speaks. */
import { startStream, textOf, writeEvent, writeJson } from './sse.js';

let answers = 0;

export const messages = {
  matches: (path) => path.endsWith('/v1/messages'),

  read: ({ messages: turns = [], tools = [] }) => ({
    key: JSON.stringify(turns.map(({ role, content }) => [role, textOf(content)])),
    tools: tools.map(({ name }) => ({ name })),
    results: turns.flatMap(resultsIn),
  }),

  write(response, { text, calls = [] }, { stream, model }) {
    const content = text === undefined ? [] : [{ type: 'text', text }];
    for (const { id, name, args } of calls)
      content.push({ type: 'tool_use', id, name, input: args });
    const stop_reason = calls.length > 0 ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 10 };
    // Claude Code takes answers with the same id for parts of one.
    const message = { id: `msg_${++answers}`, type: 'message', role: 'assistant', model, usage };
    if (!stream) return writeJson(response, { ...message, content, stop_reason });
    startStream(response);
    const send = (data) => writeEvent(response, data, data.type);
    send({ type: 'message_start', message: { ...message, content: [], stop_reason: null } });
    for (const [index, block] of content.entries()) {
      const { content_block, delta } = inPieces(block);
      send({ type: 'content_block_start', index, content_block });
      send({ type: 'content_block_delta', index, delta });
      send({ type: 'content_block_stop', index });
    }
    send({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
    send({ type: 'message_stop' });
    response.end();
  },
};

const inPieces = (block) =>
  block.type === 'text'
    ? {
        content_block: { type: 'text', text: '' },
        delta: { type: 'text_delta', text: block.text },
      }
    : {
        content_block: { ...block, input: {} },
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
      };

const resultsIn = (turn) =>
  (Array.isArray(turn.content) ? turn.content : [])
    .filter(({ type }) => type === 'tool_result')
    .map(({ tool_use_id, content }) => ({ id: tool_use_id, text: textOf(content) }));
