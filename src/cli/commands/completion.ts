import type { CliCommand } from '../command.ts';
import { loadAllCommands } from '../command-list.ts';
import { printText } from '../output/print-result.ts';
import { parseOptions, UsageError } from '../parse-args.ts';
import { withRunningDaemon } from '../with-daemon.ts';

export const completionCommand: CliCommand = {
  name: 'completion',
  summary: 'print what makes bash, zsh or fish complete commands, options and session names',
  usage: 'bash|zsh|fish',
  notes: ['Written to a file it costs nothing when a shell starts.'],
  examples: [
    ['repartee completion bash > ~/.local/share/bash-completion/completions/repartee', ''],
    ['repartee completion zsh > ~/.zfunc/_repartee', 'with ~/.zfunc in fpath before compinit'],
    ['repartee completion fish > ~/.config/fish/completions/repartee.fish', ''],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      // Used by the completion scripts themselves.
      options: { sessions: { type: 'boolean', default: false } },
    });
    if (values.sessions) {
      const summaries = (await withRunningDaemon((sessions) => sessions.list())) ?? [];
      printText(summaries.map(({ session }) => session).join('\n'));
      return 0;
    }
    const { completionScripts } = await import('../completion/completion-scripts.ts');
    const [shell = '', ...more] = positionals;
    const script = Object.hasOwn(completionScripts, shell) ? completionScripts[shell] : undefined;
    if (script === undefined || more.length > 0)
      throw new UsageError('For which shell: bash, zsh or fish?');
    const all = (await loadAllCommands()).map(({ name, summary, usage }) => ({
      name,
      summary,
      flags: [...new Set(usage.match(/--[a-z][a-z-]*/g) ?? [])],
      takesSessions: /\bNAME\b/.test(usage),
    }));
    printText(script(all));
    return 0;
  },
};
