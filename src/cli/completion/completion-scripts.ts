/** The completion scripts for bash, zsh and fish, made from the same data as the help. */
import { sizeRules } from '../../daemon/protocol/protocol.ts';
import { dialectNames } from '../../dialects/foreign-dialects.ts';
import { untils } from '../../session/options/options.ts';

interface CommandInfo {
  name: string;
  summary: string;
  flags: readonly string[];
  takesSessions: boolean;
}

type Script = (commands: readonly CommandInfo[]) => string;

/** The values an option takes, in every command. */
const optionValues: Readonly<Record<string, readonly string[]>> = {
  '--until': untils,
  '--dialect': ['native', ...dialectNames],
  '--size': sizeRules,
};
/** The words a command takes. */
const commandWords: Readonly<Record<string, readonly string[]>> = {
  daemon: ['start', 'stop', 'status'],
  completion: ['bash', 'zsh', 'fish'],
};

const namesOf = (commands: readonly CommandInfo[]) => commands.map(({ name }) => name);
const namesTakingSessions = (commands: readonly CommandInfo[]) =>
  namesOf(commands.filter(({ takesSessions }) => takesSessions));

const bash: Script = (commands) => `# bash completion for repartee
_repartee() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} choices=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${namesOf(commands).join(' ')}' -- "$current"))
    return
  fi
  case $previous in
${Object.entries(optionValues)
  .map(([flag, list]) => `    ${flag}) choices='${list.join(' ')}' ;;`)
  .join('\n')}
    --cwd) COMPREPLY=($(compgen -d -- "$current")); return ;;
    --token-file) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${commands
  .map(
    ({ name, flags }) =>
      `    ${name}) choices='${[...flags, ...(commandWords[name] ?? [])].join(' ')}' ;;`,
  )
  .join('\n')}
  esac
  case \${COMP_WORDS[1]} in
    ${namesTakingSessions(commands).join('|')})
      [ "\${current#-}" = "$current" ] && choices="$choices $(repartee completion --sessions 2>/dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
  case \${COMP_WORDS[1]} in
    replay) COMPREPLY+=($(compgen -f -- "$current")) ;;
  esac
}
complete -F _repartee repartee
`;

const zsh: Script = (commands) => `#compdef repartee
# zsh completion for repartee
_repartee() {
  local -a choices
  if (( CURRENT == 2 )); then
    choices=(
${commands.map(({ name, summary }) => `      ${quote(`${name}:${summary.replaceAll(':', ' ')}`)}`).join('\n')}
    )
    _describe command choices
    return
  fi
  case $words[CURRENT-1] in
${Object.entries(optionValues)
  .map(([flag, list]) => `    ${flag}) compadd -- ${list.join(' ')}; return ;;`)
  .join('\n')}
    --cwd) _files -/; return ;;
    --token-file) _files; return ;;
  esac
  case $words[2] in
${commands
  .map(
    ({ name, flags }) =>
      `    ${name}) choices=(${[...flags, ...(commandWords[name] ?? [])].join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  case $words[2] in
    ${namesTakingSessions(commands).join('|')})
      [[ $PREFIX == -* ]] || choices+=(\${(f)"$(repartee completion --sessions 2>/dev/null)"}) ;;
  esac
  compadd -- $choices
  [[ $words[2] == replay ]] && _files
}
# Loaded from fpath, this file is the completion function itself. Sourced, it must be registered.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _repartee "$@"; else compdef _repartee repartee; fi
`;

const fish: Script = (commands) => {
  const lines = commands.flatMap(({ name, summary, flags }) => {
    const seen = `__fish_seen_subcommand_from ${name}`;
    return [
      `complete -c repartee -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
      ...flags.map((flag) => {
        const list = optionValues[flag];
        const choices = list === undefined ? '' : ` -x -a ${quote(list.join(' '))}`;
        return `complete -c repartee -n ${quote(seen)} -l ${flag.slice(2)}${choices}`;
      }),
      ...(commandWords[name]
        ? [`complete -c repartee -n ${quote(seen)} -a ${quote(commandWords[name].join(' '))}`]
        : []),
    ];
  });
  const sessions = `__fish_seen_subcommand_from ${namesTakingSessions(commands).join(' ')}`;
  return `# fish completion for repartee
complete -c repartee -f
${lines.join('\n')}
complete -c repartee -n ${quote(sessions)} -a '(repartee completion --sessions 2>/dev/null)'
complete -c repartee -n '__fish_seen_subcommand_from replay' -F
`;
};

/** Fish and zsh escape a quote in single quotes differently, so it becomes a typographic one. */
const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;

export const completionScripts: Readonly<Record<string, Script>> = { bash, zsh, fish };
