/** Completions, made from the same data as the help. */
import { dialectNames } from '../../dialects/dialects.ts';
import { untils } from '../../session/options/options.ts';

interface Completed {
  name: string;
  summary: string;
  flags: readonly string[];
  takesSessions: boolean;
}

type Script = (commands: readonly Completed[]) => string;

/** What may follow an option, whatever the command. */
const values: Readonly<Record<string, readonly string[]>> = {
  '--until': untils,
  '--dialect': ['native', ...dialectNames],
};
const words: Readonly<Record<string, readonly string[]>> = {
  daemon: ['start', 'stop', 'status'],
  completion: ['bash', 'zsh', 'fish'],
};

const namesOf = (commands: readonly Completed[]) => commands.map(({ name }) => name);
const withSessions = (commands: readonly Completed[]) =>
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
${Object.entries(values)
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
      `    ${name}) choices='${[...flags, ...(words[name] ?? [])].join(' ')}' ;;`,
  )
  .join('\n')}
  esac
  case \${COMP_WORDS[1]} in
    ${withSessions(commands).join('|')})
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
${commands.map(({ name, summary }) => `      ${quoted(`${name}:${summary.replaceAll(':', ' ')}`)}`).join('\n')}
    )
    _describe command choices
    return
  fi
  case $words[CURRENT-1] in
${Object.entries(values)
  .map(([flag, list]) => `    ${flag}) compadd -- ${list.join(' ')}; return ;;`)
  .join('\n')}
    --cwd) _files -/; return ;;
    --token-file) _files; return ;;
  esac
  case $words[2] in
${commands
  .map(
    ({ name, flags }) =>
      `    ${name}) choices=(${[...flags, ...(words[name] ?? [])].join(' ')}) ;;`,
  )
  .join('\n')}
  esac
  case $words[2] in
    ${withSessions(commands).join('|')})
      [[ $PREFIX == -* ]] || choices+=(\${(f)"$(repartee completion --sessions 2>/dev/null)"}) ;;
  esac
  compadd -- $choices
  [[ $words[2] == replay ]] && _files
}
# As a function of fpath it is the completion itself, and sourced it has to be made known.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _repartee "$@"; else compdef _repartee repartee; fi
`;

const fish: Script = (commands) => {
  const lines = commands.flatMap(({ name, summary, flags }) => {
    const seen = `__fish_seen_subcommand_from ${name}`;
    return [
      `complete -c repartee -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
      ...flags.map((flag) => {
        const list = values[flag];
        const choices = list === undefined ? '' : ` -x -a ${quoted(list.join(' '))}`;
        return `complete -c repartee -n ${quoted(seen)} -l ${flag.slice(2)}${choices}`;
      }),
      ...(words[name]
        ? [`complete -c repartee -n ${quoted(seen)} -a ${quoted(words[name].join(' '))}`]
        : []),
    ];
  });
  const sessions = `__fish_seen_subcommand_from ${withSessions(commands).join(' ')}`;
  return `# fish completion for repartee
complete -c repartee -f
${lines.join('\n')}
complete -c repartee -n ${quoted(sessions)} -a '(repartee completion --sessions 2>/dev/null)'
complete -c repartee -n '__fish_seen_subcommand_from replay' -F
`;
};

/** Fish and zsh agree on single quotes but for what is in them: a quote itself is left out. */
const quoted = (text: string): string => `'${text.replaceAll("'", '’')}'`;

export const scripts: Readonly<Record<string, Script>> = { bash, zsh, fish };
