import { defineCommand, jsonOption } from '../command.ts';
import { textColorsFor } from '../output/colors.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { formatTable } from '../output/table.ts';
import { UsageError } from '../parse-args.ts';

/** Beside the table of clients: this file is loaded for every `--help`. */
const clientNames = [
  'claude-code',
  'codex',
  'gemini',
  'opencode',
  'qwen',
  'cursor',
  'vscode',
  'claude-desktop',
];

export const setupCommand = defineCommand({
  name: 'setup',
  summary: "write Repartee's MCP server into the configuration of a client",
  words: [{ usage: '[CLIENT]', choices: clientNames }],
  options: {
    remove: { description: 'take it out again' },
    yes: { description: 'write without asking' },
    ...jsonOption,
  },
  notes: [
    'Without CLIENT it lists the clients, their files, and which of them have Repartee.',
    'The change is shown first. The file as it was is kept beside it, as FILE.before-repartee.',
    'Where there is no terminal to ask on, nothing is written without --yes.',
  ],
  examples: [
    ['repartee setup', 'which clients there are'],
    ['repartee setup codex', 'shows the change, asks, writes'],
    ['repartee setup gemini --remove --yes', ''],
  ],
  async run({ values, words: [name, ...more] }) {
    if (more.length > 0) throw new UsageError('One client at a time: repartee setup codex');
    const { findClient, listClients, planSetup, writeSetup } = await import('./setup.ts');
    if (name === undefined) {
      const clients = listClients();
      if (values.json) printJson({ clients });
      else
        printText(
          formatTable(
            ['CLIENT', 'REPARTEE', 'FILE'],
            clients.map(({ client, has_repartee, file }) => [client, has_repartee, file]),
            textColorsFor(process.stdout).dim,
          ),
        );
      return 0;
    }
    const client = findClient(name);
    const plan = planSetup(client, !values.remove);
    const note = values.remove ? undefined : client.note;
    const { file, lines, isChanged } = plan;
    const report = (isWritten: boolean) => {
      const kept = isWritten && plan.copy !== undefined ? { copy: plan.copy } : {};
      if (values.json)
        printJson({
          client: name,
          file,
          changed: isChanged,
          written: isWritten,
          ...kept,
          ...(note !== undefined && { note }),
        });
    };
    if (!isChanged) {
      report(false);
      if (!values.json) printRemark(`[${file}: nothing to change]`);
      if (!values.json && note !== undefined) printRemark(`[${note}]`);
      return 0;
    }
    if (!values.json) printText([file, ...lines].join('\n'));
    const { confirm } = await import('./confirm.ts');
    const isWritten = values.yes || (await confirm('Write this?'));
    if (isWritten) writeSetup(plan);
    report(isWritten);
    if (!values.json)
      printRemark(
        isWritten
          ? `[written${plan.copy === undefined ? '' : `; as it was: ${plan.copy}`}]`
          : '[not written; --yes writes it]',
      );
    if (!values.json && isWritten && note !== undefined) printRemark(`[${note}]`);
    return 0;
  },
});
