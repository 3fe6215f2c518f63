/** What hardly anybody has, or what somebody has thought of to spoil the marks. */
import type { SetUp } from './set-up.ts';

const control = String.raw`$'a\e]133;C\ab\nc\x18d\e\\e/f'`;

const bash: SetUp[] = [
  {
    what: 'a trap that prints and is inherited',
    rc: `PS1='$ '; set -T; trap '/bin/echo "(trap)"' DEBUG`,
    adds: /^\(trap\)$/,
    check: { command: '/usr/bin/printf x', output: '(trap)\nx' },
  },
  {
    what: 'a trap that prints and is inherited, typed',
    typed: `set -T; trap '/bin/echo "(trap)"' DEBUG`,
    adds: /^\(trap\)$/,
    check: { command: '/usr/bin/printf x', output: '(trap)\nx' },
  },
  {
    what: 'all traps inherited, and printing',
    rc: `PS1='$ '; set -ET; trap '/bin/echo "(trap)"' DEBUG RETURN ERR EXIT`,
    adds: /^\(trap\)$/,
    check: { command: '/usr/bin/printf x', output: '(trap)\nx' },
  },
  {
    what: 'extdebug, and a trap that prints',
    rc: `PS1='$ '; shopt -s extdebug; trap '/bin/echo "(trap)"' DEBUG`,
    adds: /^\(trap\)$/,
    check: { command: '/usr/bin/printf x', output: '(trap)\nx' },
  },
  {
    what: 'a trap that forbids some commands',
    rc: `PS1='$ '; shopt -s extdebug; trap '[[ $BASH_COMMAND != rm* ]]' DEBUG`,
  },
  {
    what: 'a trap that forbids our hooks',
    rc: `PS1='$ '; shopt -s extdebug; trap '[[ $BASH_COMMAND != *repartee* ]]' DEBUG`,
    marks: 'typed',
  },
  { what: 'control characters in HOSTNAME', rc: `PS1='$ '; HOSTNAME=${control}` },
  { what: 'HOSTNAME as an array', rc: `PS1='$ '; unset HOSTNAME; readonly -a HOSTNAME=(a b)` },
  { what: 'no HOSTNAME, and unset variables as errors', rc: `PS1='$ '; set -u; unset HOSTNAME` },
  { what: 'a PWD that is wrong', rc: "PS1='$ '; PWD=/nowhere" },
  { what: 'control characters in PWD', typed: `PWD=${control}` },
  { what: 'no PWD, and unset variables as errors', rc: "PS1='$ '; set -u; unset PWD" },
  { what: 'a PWD that is read-only', rc: "PS1='$ '; readonly PWD" },
  { what: 'a locale that is read-only', rc: "PS1='$ '; readonly LC_ALL=C.UTF-8", marks: 'typed' },
  {
    what: 'variables of ours that are read-only',
    rc: "PS1='$ '; readonly __repartee_exit=5 __repartee_url=x __repartee_char=y",
    marks: 'typed',
  },
  {
    what: 'a trap, and a prompt command that removes PS0',
    rc: `PS1='$ '; trap A=1 DEBUG; PROMPT_COMMAND=('PS0=')`,
    typed: ':',
    marks: 'typed',
  },
  { what: 'prompt commands that remove the marks', rc: `PROMPT_COMMAND=('PS0=' 'PS1="> "')` },
  {
    what: 'prompt commands with gaps',
    rc: "PS1='$ '; PROMPT_COMMAND[3]='A=1'; PROMPT_COMMAND[7]='B=$?'",
  },
  { what: 'a PS0 that runs a program', rc: "PS1='$ '; PS0='$(/bin/echo pre)\\n'", adds: /^pre$/ },
  { what: 'builtins disabled', rc: "PS1='$ '; enable -n printf trap unset set echo test builtin" },
  { what: 'aliases of reserved words', rc: "PS1='$ '; alias if=false then=x for=y do=z while=v" },
  { what: 'functions that cannot call others', rc: "PS1='$ '; FUNCNEST=1", marks: 'typed' },
  { what: 'no line editor', rc: "PS1='$ '; set +o emacs +o vi" },
  { what: 'files without permissions', rc: "PS1='$ '; umask 777; ulimit -f 0" },
];

const zsh: SetUp[] = [
  { what: 'control characters in HOST', rc: `PROMPT='%# '; HOST=${control}` },
  { what: 'a PWD that is wrong', rc: "PROMPT='%# '; PWD=/nowhere" },
  { what: 'no TTY', rc: "PROMPT='%# '; unset TTY" },
  { what: 'a hook that removes hooks', rc: "PROMPT='%# '; precmd() { preexec_functions=() }" },
  {
    what: 'a widget that removes hooks before a command is typed',
    rc: "PROMPT='%# '; zle-line-init() { preexec_functions=() }; zle -N zle-line-init",
  },
  {
    what: 'a widget that removes hooks once a command is typed',
    rc: "PROMPT='%# '; zle-line-finish() { preexec_functions=() }; zle -N zle-line-finish",
  },
  {
    what: 'a hook for the history that removes hooks',
    rc: "PROMPT='%# '; zshaddhistory() { preexec_functions=(); return 1 }",
  },
  {
    what: 'a hook that removes others at the last moment',
    rc: "PROMPT='%# '; preexec() { preexec_functions=() }",
    typed: ':',
    marks: 'typed',
  },
  {
    what: 'a hook that removes all hooks at the last moment',
    rc: "PROMPT='%# '; preexec() { unset preexec_functions precmd_functions }",
    typed: ':',
    marks: 'typed',
  },
  {
    what: 'hooks before commands removed by name',
    typed: "autoload -Uz add-zsh-hook; add-zsh-hook -D preexec '*'",
  },
  {
    what: 'all hooks removed by name',
    typed: "autoload -Uz add-zsh-hook; add-zsh-hook -D preexec '*'; add-zsh-hook -D precmd '*'",
    marks: 'typed',
  },
  {
    what: 'hooks that a file sets anew',
    rc: "PROMPT='%# '; x() { : }; precmd_functions=(x)",
    marks: 'typed',
  },
  { what: 'no hooks for the history', typed: 'zshaddhistory_functions=()' },
  {
    what: 'hooks that are typed, and print',
    typed:
      'autoload -Uz add-zsh-hook; x() { /bin/echo x }; add-zsh-hook preexec x; add-zsh-hook precmd x',
    adds: /^x$/,
    check: { command: '/usr/bin/printf y', output: 'y' },
  },
  {
    what: 'a sign that is read-only',
    rc: "PROMPT='%# '; typeset -r PROMPT_EOL_MARK='~'",
    marks: 'typed',
  },
  {
    what: 'hooks that are read-only',
    rc: "PROMPT='%# '; typeset -ra precmd_functions",
    marks: 'typed',
  },
  {
    what: 'hooks before commands that are read-only',
    rc: "PROMPT='%# '; typeset -ra preexec_functions",
    marks: 'typed',
  },
  { what: 'a history that is read-only', rc: "PROMPT='%# '; typeset -r SAVEHIST=5 HISTFILE=~/h" },
  { what: 'builtins disabled', rc: "PROMPT='%# '; disable printf print echo test" },
  {
    what: 'no function at all',
    typed: "unfunction -m '*'",
    adds: /function `zle-line/,
    isOverdrawn: true,
    marks: 'typed',
    check: { command: '/usr/bin/printf x', output: 'x' },
  },
  {
    what: 'a trace, and lines shown as they are read, from the start',
    rc: "PROMPT='%# '; setopt xtrace verbose prompt_subst",
    adds: /^\+|^#$|^(\/bin\/echo|sh -c|\/usr\/bin|cat <<|no-such-command$|\(exit)/,
  },
  {
    what: 'a prompt that is redrawn by a time-out',
    rc: "PROMPT='%# '; TMOUT=1; TRAPALRM() { zle reset-prompt }",
  },
  { what: 'functions that return at errors', rc: "PROMPT='%# '; setopt err_return" },
  { what: 'no history', rc: "PROMPT='%# '; HISTSIZE=0; zshaddhistory() { return 2 }" },
  {
    what: 'warnings about variables',
    rc: "PROMPT='%# '; setopt warn_create_global warn_nested_var",
  },
];

const printingHooks = `
function __p --on-event fish_prompt; echo ==; end
function __q --on-event fish_preexec; echo pre; end
function __r --on-event fish_postexec; echo post; end
`;

const fish: SetUp[] = [
  {
    what: 'hooks that print',
    rc: printingHooks,
    adds: /^(==|pre|post)$/,
    check: { command: '/usr/bin/printf x', output: 'x' },
  },
  {
    what: 'hooks that are typed, and print',
    typed: printingHooks.trim(),
    adds: /^(==|pre|post)$/,
    check: { command: '/usr/bin/printf x', output: 'x' },
  },
  {
    what: 'hooks that are typed, and fail',
    typed: printingHooks.trim().replaceAll(/echo \S+;/g, "sh -c 'exit 4';"),
  },
  {
    what: 'a hook with a variable of its file',
    rc: 'set -l x 7\nfunction __r --on-event fish_postexec --inherit-variable x; set -g A $x; end',
    check: { command: '/bin/echo $A', output: '7' },
  },
  { what: 'no hook before commands', typed: 'functions -e __repartee_preexec' },
  {
    what: 'a hook that removes ours',
    rc: 'function x --on-event fish_preexec; functions -e __repartee_preexec; end',
    typed: 'true',
    marks: 'typed',
  },
  { what: 'control characters in hostname', rc: String.raw`set -g hostname a\e]133\;C\ab\nc/d` },
  { what: 'an empty IFS', rc: "set -g IFS ''" },
  { what: 'a variable of ours that is exported', rc: 'set -gx __repartee_ran 1' },
];

export const unusualSetUps = { bash, zsh, fish } as const;
