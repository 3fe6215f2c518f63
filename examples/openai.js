// @ts-check
/**
 * Terminal tools for a model that speaks the OpenAI message format (chat completions). Learn from it:
 * the library's tools are data, offered as `{type: 'function', function: {name, description,
 * parameters}}`; the arguments come as JSON in a string; each call is answered by a message of the
 * role `tool`. The calls of one turn run side by side: sessions do not delay one another. For the real
 * thing, replace the stand-in by `new OpenAI()`.
 */
import { LocalSessions, native } from 'repartee';
import { ScriptedOpenAI } from './stand-ins/openai.js';
import { question } from './stand-ins/script.js';

const client = new ScriptedOpenAI();
const sessions = new LocalSessions();
const { tools: terminal } = native(sessions);

/** @type {import('./stand-ins/openai.js').Tool[]} */
const tools = terminal.map(({ name, description, input }) => ({
  type: 'function',
  function: { name, description, parameters: input },
}));

/** @type {import('./stand-ins/openai.js').Message[]} */
const messages = [{ role: 'user', content: question }];
for (;;) {
  const { choices } = await client.chat.completions.create({ model: 'any', messages, tools });
  const { message } = choices[0];
  messages.push(message);
  if (message.tool_calls === undefined) break;
  messages.push(...(await Promise.all(message.tool_calls.map(answer))));
}
await sessions.closeAll();

for (const message of messages) console.log(`${message.role}:`, shown(message));

/** @type {(call: import('./stand-ins/openai.js').ToolCall) => Promise<import('./stand-ins/openai.js').Message>} */
async function answer({ id, function: { name, arguments: args } }) {
  const tool = terminal.find((one) => one.name === name);
  const { text } = (await tool?.run(JSON.parse(args), {})) ?? { text: `There is no tool ${name}.` };
  return { role: 'tool', tool_call_id: id, content: text };
}

/** @param {import('./stand-ins/openai.js').Message} message */
function shown(message) {
  const calls = message.role === 'assistant' ? message.tool_calls : undefined;
  return calls ? JSON.stringify(calls.map((call) => call.function)) : message.content;
}
