// @ts-check
/**
 * Terminal tools for the AI SDK (`ai`). Learn from it: the library's tools are data, and `tool` and
 * `jsonSchema` make them the SDK's, which runs the loop; its abort signal ends our waits, never the
 * program; what an `execute` throws becomes a result that the model reads. For the real thing, give
 * `model` a model of your provider.
 */
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { LocalSessions, native } from 'repartee';
import { scriptedModel } from './stand-ins/ai-sdk.js';
import { question } from './stand-ins/script.js';

const sessions = new LocalSessions();

const tools = Object.fromEntries(
  native(sessions).tools.map(({ name, description, input, run }) => [
    name,
    tool({
      description,
      inputSchema: jsonSchema(input),
      execute: async (args, { abortSignal: signal }) => {
        const { text, failed } = await run(args, { ...(signal && { signal }) });
        if (failed) throw new Error(text);
        return text;
      },
    }),
  ]),
);

const { text, steps } = await generateText({
  model: scriptedModel(),
  prompt: question,
  tools,
  stopWhen: stepCountIs(20),
});
await sessions.closeAll();

for (const part of steps.flatMap(({ content }) => content)) {
  if (part.type === 'tool-call') console.log('assistant:', part.toolName, part.input);
  if (part.type === 'tool-result') console.log('tool:', part.output);
  if (part.type === 'tool-error') console.log('tool:', String(part.error));
}
console.log('assistant:', text);
