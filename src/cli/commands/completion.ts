import { defineCommand } from '../command.ts';
import { loadAllCommands } from '../command-list.ts';
import { printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withRunningDaemon } from '../with-daemon.ts';

export const completionCommand = defineCommand({
  name: 'completion',
  summary: 'print what makes bash, zsh or fish complete commands, options and session names',
  words: [{ choices: ['bash', 'zsh', 'fish'] }],
  options: {
    sessions: { description: 'print the names of the sessions', hidden: true },
    recordings: { description: 'print the names of those that have recordings', hidden: true },
  },
  notes: ['Written to a file it costs nothing when a shell starts.'],
  examples: [
    ['repartee completion bash > ~/.local/share/bash-completion/completions/repartee', ''],
    ['repartee completion zsh > ~/.zfunc/_repartee', 'with ~/.zfunc in fpath before compinit'],
    ['repartee completion fish > ~/.config/fish/completions/repartee.fish', ''],
  ],
  async run({ values, words: [shell = '', ...more] }) {
    if (values.sessions) {
      const summaries = (await withRunningDaemon((sessions) => sessions.list())) ?? [];
      printText(summaries.map(({ session }) => session).join('\n'));
      return 0;
    }
    if (values.recordings) {
      const { findRecordings } = await import('../replay/list-recordings.ts');
      const names = findRecordings().map(({ session }) => session);
      printText([...new Set(names)].join('\n'));
      return 0;
    }
    const { completionScripts } = await import('../completion/completion-scripts.ts');
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (script === undefined || more.length > 0)
      throw new UsageError('For which shell: bash, zsh or fish?');
    printText(script(await loadAllCommands()));
    return 0;
  },
});
