// @ts-check
/** Stands in for `new OpenAI()`: refuses what the real one would refuse, and follows the script. */
import { check, conclusion, turns } from './script.js';

/**
 * @typedef {{id: string, type: 'function', function: {name: string, arguments: string}}} ToolCall
 * @typedef {{role: 'user', content: string}
 *   | {role: 'assistant', content: string | null, tool_calls?: ToolCall[]}
 *   | {role: 'tool', tool_call_id: string, content: string}} Message
 * @typedef {{type: 'function', function: {name: string, description: string, parameters: object}}} Tool
 * @typedef {{model: string, messages: Message[], tools: Tool[]}} Request
 * @typedef {Extract<Message, {role: 'assistant'}>} Assistant
 * @typedef {{choices: [{message: Assistant, finish_reason: 'tool_calls' | 'stop'}]}} Completion
 */

export class ScriptedOpenAI {
  chat = { completions: { create: this.#create.bind(this) } };
  #turn = 0;

  /** @type {(request: Request) => Promise<Completion>} */
  async #create({ messages, tools }) {
    const asked = turns[this.#turn - 1] ?? [];
    const told = messages.slice(messages.length - asked.length);
    for (const [at, one] of asked.entries()) {
      const message = told[at];
      if (message?.role !== 'tool') throw new Error(`${one.id} has no message of the role "tool".`);
      const { tool_call_id: id, content: text } = message;
      // This format has no mark for an error: the words must do.
      check(one, { id, text, failed: one.fails ?? false });
    }
    const calls = turns[this.#turn++];
    if (calls === undefined)
      return {
        choices: [{ message: { role: 'assistant', content: conclusion }, finish_reason: 'stop' }],
      };
    const tool_calls = calls.map(({ id, name, input }) => {
      if (!tools.some((tool) => tool.type === 'function' && tool.function.name === name))
        throw new Error(`No tool ${name} was offered.`);
      return /** @type {ToolCall} */ ({
        id,
        type: 'function',
        function: { name, arguments: JSON.stringify(input) },
      });
    });
    const message = /** @type {Assistant} */ ({ role: 'assistant', content: null, tool_calls });
    return { choices: [{ message, finish_reason: 'tool_calls' }] };
  }
}
