/** The completion scripts for bash, zsh and fish, made from the tables of the commands. */
import type { CliOption, CliTable } from '../command.ts';
import { shownOptions } from '../output/help.ts';

type Script = (commands: readonly CliTable[]) => string;

const namesOf = (commands: readonly CliTable[]) => commands.map(({ name }) => name);

const flagsOf = ({ options }: CliTable) => shownOptions(options).map(([name]) => `--${name}`);

/** What can follow the name of a command, besides sessions and files. */
const choicesOf = (command: CliTable): string[] => [
  ...flagsOf(command),
  ...(command.words ?? []).flatMap(({ choices = [] }) => choices),
];

const takingSessions = (commands: readonly CliTable[]) =>
  namesOf(commands.filter(({ words }) => words?.some(({ sessions }) => sessions)));

const takingRecordings = (commands: readonly CliTable[]) =>
  namesOf(commands.filter(({ words }) => words?.some(({ recordings }) => recordings)));

const takingFiles = (commands: readonly CliTable[]) =>
  namesOf(commands.filter(({ words }) => words?.some(({ paths }) => paths === 'files')));

/** A line of the script for each option that takes a value. */
const valueLines = (
  commands: readonly CliTable[],
  line: (place: string, option: CliOption) => string,
): string =>
  commands
    .flatMap((command) =>
      shownOptions(command.options)
        .filter(([, { value }]) => value !== undefined)
        .map(([name, option]) => `    ${line(`'${command.name} --${name}'`, option)}`),
    )
    .join('\n');

const bash: Script = (commands) => `# bash completion for repartee
_repartee() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} choices=
  COMPREPLY=()
  # bash splits --option=value at the equals sign.
  if [ "$current" = = ]; then current=
  elif [ "$previous" = = ]; then previous=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${namesOf(commands).join(' ')}' -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]} $previous" in
${valueLines(commands, (place, { choices, paths }) => {
  if ((choices ?? paths) === undefined) return `${place}) return ;;`;
  const words = choices ? `-W '${choices.join(' ')}'` : paths === 'folders' ? '-d' : '-f';
  return `${place}) COMPREPLY=($(compgen ${words} -- "$current")); return ;;`;
})}
  esac
  case \${COMP_WORDS[1]} in
${commands
  .map((command) => `    ${command.name}) choices='${choicesOf(command).join(' ')}' ;;`)
  .join('\n')}
  esac
  case \${COMP_WORDS[1]} in
    ${takingSessions(commands).join('|')})
      [ "\${current#-}" = "$current" ] && choices="$choices $(repartee completion --sessions 2>/dev/null)" ;;
    ${takingRecordings(commands).join('|')})
      [ "\${current#-}" = "$current" ] && choices="$choices $(repartee completion --recordings 2>/dev/null)" ;;
  esac
  COMPREPLY=($(compgen -W "$choices" -- "$current"))
  case \${COMP_WORDS[1]} in
    ${takingFiles(commands).join('|')}) COMPREPLY+=($(compgen -f -- "$current")) ;;
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
  local previous=$words[CURRENT-1]
  if [[ $PREFIX == --*=* ]]; then
    previous=\${PREFIX%%=*}
    compset -P '*='
  fi
  case "$words[2] $previous" in
${valueLines(commands, (place, { choices, paths }) => {
  if ((choices ?? paths) === undefined) return `${place}) return ;;`;
  const complete = choices
    ? `compadd -- ${choices.join(' ')}`
    : paths === 'folders'
      ? '_files -/'
      : '_files';
  return `${place}) ${complete}; return ;;`;
})}
  esac
  case $words[2] in
${commands
  .map((command) => `    ${command.name}) choices=(${choicesOf(command).join(' ')}) ;;`)
  .join('\n')}
  esac
  case $words[2] in
    ${takingSessions(commands).join('|')})
      [[ $PREFIX == -* ]] || choices+=(\${(f)"$(repartee completion --sessions 2>/dev/null)"}) ;;
    ${takingRecordings(commands).join('|')})
      [[ $PREFIX == -* ]] || choices+=(\${(f)"$(repartee completion --recordings 2>/dev/null)"}) ;;
  esac
  compadd -- $choices
  case $words[2] in
    ${takingFiles(commands).join('|')}) _files ;;
  esac
}
# Loaded from fpath, this file is the completion function itself. Sourced, it must be registered.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _repartee "$@"; else compdef _repartee repartee; fi
`;

const fish: Script = (commands) => {
  const after = (names: readonly string[]) =>
    `complete -c repartee -n ${quote(`__fish_seen_subcommand_from ${names.join(' ')}`)}`;
  const lines = commands.flatMap(({ name, summary, words = [], options }) => [
    `complete -c repartee -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`,
    ...shownOptions(options).map(
      ([option, { description, ...rest }]) =>
        `${after([name])} -l ${option}${fishValue(rest)} -d ${quote(description)}`,
    ),
    ...words.flatMap(({ choices }) =>
      choices ? [`${after([name])} -a ${quote(choices.join(' '))}`] : [],
    ),
  ]);
  return `# fish completion for repartee
complete -c repartee -f
${lines.join('\n')}
${after(takingSessions(commands))} -a '(repartee completion --sessions 2>/dev/null)'
${after(takingRecordings(commands))} -a '(repartee completion --recordings 2>/dev/null)'
${after(takingFiles(commands))} -F
`;
};

/** `-x`: a value must follow, and it is no file. `-r -F`: it is a file. */
const fishValue = ({ value, choices, paths }: Omit<CliOption, 'description'>): string => {
  if (value === undefined) return '';
  if (choices) return ` -x -a ${quote(choices.join(' '))}`;
  if (paths === 'folders') return ` -x -a '(__fish_complete_directories)'`;
  return paths === 'files' ? ' -r -F' : ' -x';
};

/** Fish and zsh escape a quote in single quotes differently, so it becomes a typographic one. */
const quote = (text: string): string => `'${text.replaceAll("'", '’')}'`;

export const completionScripts: Readonly<Record<string, Script>> = { bash, zsh, fish };
