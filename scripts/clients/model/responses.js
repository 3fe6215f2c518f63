/** OpenAI Responses, which Codex speaks. */
import { startStream, textOf, writeEvent } from './sse.js';

export const responses = {
  matches: (path) => path.endsWith('/responses'),

  read: ({ input = [], tools = [] }) => ({
    key: JSON.stringify(input),
    tools: [...tools, ...input.flatMap((item) => item.tools ?? [])].flatMap(toolsIn),
    results: input
      .filter(({ type }) => /_output$/.test(type))
      .map(({ call_id, output, tools: found }) => ({
        id: call_id,
        text: found ? JSON.stringify(found) : textOf(output),
      })),
  }),

  write(response, { text, calls = [] }) {
    const output = calls.map(itemOf);
    if (text !== undefined)
      output.unshift({
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [{ type: 'output_text', text }],
      });
    startStream(response);
    const send = (data) => writeEvent(response, data, data.type);
    send({ type: 'response.created', response: { id: 'resp_1' } });
    for (const item of output) send({ type: 'response.output_item.done', item });
    const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20 };
    send({ type: 'response.completed', response: { id: 'resp_1', output, usage } });
    response.end();
  },
};

/** A namespace has the tools of one server. */
const toolsIn = ({ type, name, tools }) => {
  if (type === 'namespace') return tools.map((tool) => ({ name: tool.name, namespace: name }));
  return [{ name: name ?? type, type }];
};

const itemOf = ({ id, name, args, tool }) =>
  tool?.type === 'tool_search'
    ? { type: 'tool_search_call', call_id: id, execution: 'client', arguments: args }
    : {
        type: 'function_call',
        call_id: id,
        name,
        arguments: JSON.stringify(args),
        ...(tool?.namespace && { namespace: tool.namespace }),
      };
