import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { parseOptions } from '../parse-args.ts';

export const demoCommand: CliCommand = {
  name: 'demo',
  summary: 'watch an MCP client converse with a shell, REPLs, a password prompt, a menu',
  usage: '[--json]',
  options: jsonOptionHelp,
  notes: [
    'It needs nothing but Node and a shell, takes a few seconds, and leaves nothing behind.',
    'Exit codes: 0 all came back as it should, 1 it did not.',
  ],
  async run(args) {
    const { values } = parseOptions({
      args: [...args],
      options: { json: { type: 'boolean', default: false } },
    });
    const { runDemo } = await import('../demo/run-demo.ts');
    return runDemo(values.json);
  },
};
