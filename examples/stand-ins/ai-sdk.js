// @ts-check
/** A language model for the AI SDK that follows the script, made of the SDK's own mock. */
import { MockLanguageModelV3 } from 'ai/test';
import { check, conclusion, turns } from './script.js';

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

export const scriptedModel = () => {
  let turn = 0;
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt, tools = [] }) => {
      const last = prompt.at(-1);
      for (const [at, one] of (turns[turn - 1] ?? []).entries()) {
        const result = last?.role === 'tool' ? last.content[at] : undefined;
        if (result?.type !== 'tool-result') throw new Error(`${one.id} has no tool-result.`);
        const { toolCallId: id, output } = result;
        if (output.type !== 'text' && output.type !== 'error-text')
          throw new Error(`${one.id} was answered by ${output.type}.`);
        check(one, { id, text: output.value, failed: output.type === 'error-text' });
      }
      const calls = turns[turn++];
      if (calls === undefined)
        return {
          content: [{ type: 'text', text: conclusion }],
          finishReason: { unified: 'stop', raw: undefined },
          usage,
          warnings: [],
        };
      return {
        content: calls.map(({ id, name, input }) => {
          if (!tools.some((tool) => tool.name === name))
            throw new Error(`No tool ${name} was offered.`);
          return {
            type: 'tool-call',
            toolCallId: id,
            toolName: name,
            input: JSON.stringify(input),
          };
        }),
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
};
