import { defineCommand } from '../command.ts';
import { UsageError } from '../parse-args.ts';

export const connectCommand = defineCommand({
  name: 'connect',
  summary: "a bridge from standard input and output to this machine's daemon, for other machines",
  options: {},
  notes: [
    'Other machines start it, by ssh or in a container; a person has no use for it.',
    'It starts a daemon if there is none, and ends with its input.',
  ],
  examples: [['ssh box repartee connect', 'what happens for --host box']],
  async run({ words }) {
    if (words.length > 0) throw new UsageError('connect takes no words.');
    const { serveBridge } = await import('../../hosts/serve-bridge.ts');
    await serveBridge(process.stdin, process.stdout);
    return 0;
  },
});
