// @ts-check
/**
 * Terminal tools for a model that speaks the Anthropic message format. Learn from it: the library's
 * tools are data, offered as `{name, description, input_schema}`; calls are `tool_use` blocks of the
 * assistant's message; all of them are answered by `tool_result` blocks of one user message, and one
 * that failed says so in `is_error`, with words that tell the model what to do instead. For the real
 * thing, replace the stand-in by `new Anthropic()`.
 */
import { LocalSessions, native } from 'repartee';
import { ScriptedAnthropic } from './stand-ins/anthropic.js';
import { question } from './stand-ins/script.js';

const client = new ScriptedAnthropic();
const sessions = new LocalSessions();
const { tools: terminal } = native(sessions);
const tools = terminal.map(({ name, description, input }) => ({
  name,
  description,
  input_schema: input,
}));

/** @type {import('./stand-ins/anthropic.js').Message[]} */
const messages = [{ role: 'user', content: question }];
for (;;) {
  const request = { model: 'any', max_tokens: 4096, messages, tools };
  const { role, content, stop_reason } = await client.messages.create(request);
  messages.push({ role, content });
  if (stop_reason !== 'tool_use') break;
  const calls = content.filter((block) => block.type === 'tool_use');
  messages.push({ role: 'user', content: await Promise.all(calls.map(answer)) });
}
await sessions.closeAll();

for (const { role, content } of messages)
  for (const block of typeof content === 'string' ? [content] : content)
    console.log(`${role}:`, shown(block));

/** @type {(call: import('./stand-ins/anthropic.js').ToolUse) => Promise<import('./stand-ins/anthropic.js').ToolResult>} */
async function answer({ id, name, input }) {
  const tool = terminal.find((one) => one.name === name);
  const { text, failed } = (await tool?.run(input, {})) ?? {
    text: `There is no tool ${name}.`,
    failed: true,
  };
  return {
    type: 'tool_result',
    tool_use_id: id,
    content: [{ type: 'text', text }],
    ...(failed && { is_error: true }),
  };
}

/** @param {string | import('./stand-ins/anthropic.js').Text | import('./stand-ins/anthropic.js').ToolUse | import('./stand-ins/anthropic.js').ToolResult} block */
function shown(block) {
  if (typeof block === 'string') return block;
  if (block.type === 'text') return block.text;
  if (block.type === 'tool_use') return `${block.name} ${JSON.stringify(block.input)}`;
  return block.content.map(({ text }) => text).join('');
}
