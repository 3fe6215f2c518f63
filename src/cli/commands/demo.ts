import { type Command, jsonOption } from '../command.ts';
import { parse } from '../parse-args.ts';

export const command: Command = {
  name: 'demo',
  summary: 'watch an MCP client converse with a shell, REPLs, a password prompt, a menu',
  usage: '[--json]',
  options: jsonOption,
  notes: [
    'It needs nothing but Node and a shell, takes a few seconds, and leaves nothing behind.',
    'Exit codes: 0 all came back as it should, 1 it did not.',
  ],
  async run(args) {
    const { values } = parse({
      args: [...args],
      options: { json: { type: 'boolean', default: false } },
    });
    const { converse } = await import('../demo/conversation.ts');
    return converse(values.json);
  },
};
