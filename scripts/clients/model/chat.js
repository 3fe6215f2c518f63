/** OpenAI chat completions, which opencode and Qwen Code speak. */
import { startStream, textOf, writeEvent, writeJson } from './sse.js';

export const chat = {
  matches: (path) => path.endsWith('/chat/completions'),

  read: ({ messages: turns = [], tools = [] }) => ({
    key: JSON.stringify(turns),
    tools: tools.map(({ function: { name } }) => ({ name })),
    results: turns
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => ({ id: tool_call_id, text: textOf(content) })),
  }),

  write(response, { text, calls = [] }, { stream, model }) {
    const tool_calls = calls.map(({ id, name, args }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
    }));
    const message = {
      role: 'assistant',
      content: text ?? null,
      ...(calls.length > 0 && { tool_calls }),
    };
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 };
    const about = { id: 'chat_1', created: 1, model };
    if (!stream) {
      const choices = [{ index: 0, message, finish_reason }];
      return writeJson(response, { ...about, object: 'chat.completion', choices, usage });
    }
    startStream(response);
    const send = (choices, rest) =>
      writeEvent(response, { ...about, object: 'chat.completion.chunk', choices, ...rest });
    send([{ index: 0, delta: message, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason }]);
    send([], { usage });
    response.end('data: [DONE]\n\n');
  },
};
