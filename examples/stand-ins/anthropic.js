// @ts-check
/** Stands in for `new Anthropic()`: refuses what the real one would refuse, and follows the script. */
import { check, conclusion, turns } from './script.js';

/**
 * @typedef {{type: 'text', text: string}} Text
 * @typedef {{type: 'tool_use', id: string, name: string, input: Record<string, unknown>}} ToolUse
 * @typedef {{type: 'tool_result', tool_use_id: string, content: Text[], is_error?: boolean}} ToolResult
 * @typedef {{role: 'user', content: string | ToolResult[]}
 *   | {role: 'assistant', content: (Text | ToolUse)[]}} Message
 * @typedef {{name: string, description: string, input_schema: object}} Tool
 * @typedef {{model: string, max_tokens: number, messages: Message[], tools: Tool[]}} Request
 * @typedef {{role: 'assistant', content: (Text | ToolUse)[], stop_reason: 'tool_use' | 'end_turn'}} Reply
 */

export class ScriptedAnthropic {
  messages = { create: this.#create.bind(this) };
  #turn = 0;

  /** @type {(request: Request) => Promise<Reply>} */
  async #create({ messages, tools }) {
    const last = messages.at(-1);
    if (last?.role !== 'user') throw new Error('The last message must be the user’s.');
    for (const [at, one] of (turns[this.#turn - 1] ?? []).entries()) {
      const result = typeof last.content === 'string' ? undefined : last.content[at];
      if (result?.type !== 'tool_result') throw new Error(`${one.id} has no tool_result.`);
      const { tool_use_id: id, content, is_error: failed = false } = result;
      check(one, { id, text: content.map(({ text }) => text).join(''), failed });
    }
    const calls = turns[this.#turn++];
    if (calls === undefined)
      return {
        role: 'assistant',
        content: [{ type: 'text', text: conclusion }],
        stop_reason: 'end_turn',
      };
    const content = calls.map(({ id, name, input }) => {
      if (!tools.some((tool) => tool.name === name && tool.input_schema))
        throw new Error(`No tool ${name} was offered.`);
      return /** @type {ToolUse} */ ({ type: 'tool_use', id, name, input });
    });
    return { role: 'assistant', content, stop_reason: 'tool_use' };
  }
}
