import { defineCommand, jsonOption } from '../command.ts';

export const demoCommand = defineCommand({
  name: 'demo',
  summary: 'watch an MCP client converse with a shell, REPLs, a password prompt, a menu',
  options: jsonOption,
  notes: [
    'It needs nothing but Node and a shell, takes a few seconds, and leaves nothing behind.',
    'Exit codes: 0 all came back as it should, 1 it did not.',
  ],
  async run({ values }) {
    const { runDemo } = await import('./run-demo.ts');
    return runDemo(values.json);
  },
});
