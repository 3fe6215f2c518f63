import type { SetUp } from './set-up.ts';

const builtins =
  'print printf echo test [ read builtin command unset eval return emulate setopt typeset zle'.split(
    ' ',
  );
const others =
  'trap local set export zmodload unsetopt autoload unfunction true source . cd pwd shift exec kill';

const asFunction = (name: string): SetUp => ({
  what: `a function named ${name}`,
  // Functions that zsh and Debian bring call it too.
  adds: /my |^$/,
  rc: `PROMPT='%# '; function '${name}' { /bin/echo "my ${name}"; (exit 9) }`,
});

const asFunctions: SetUp = {
  what: 'functions named as other builtins',
  adds: /^my$|^$/,
  rc: `PROMPT='%# '\n${others
    .split(' ')
    .map((name) => `function '${name}' { /bin/echo my }`)
    .join('\n')}`,
};

const asAliases: SetUp = {
  what: 'every builtin as an alias',
  rc: `PROMPT='%# '\n${builtins.map((name) => `alias '${name}'='/bin/echo my'`).join('\n')}`,
};

const prompts: SetUp[] = [
  { what: 'an empty file' },
  { what: 'an empty prompt', rc: "PROMPT=''" },
  { what: 'a prompt of three lines', rc: "PROMPT=$'\\nin %~\\n%n\\n> '" },
  { what: 'prompts on both sides', rc: "PROMPT='%# '; RPROMPT='%~ %T'; setopt transient_rprompt" },
  {
    what: 'a prompt of two lines that is rebuilt each time, and one on the right',
    rc: `
make() { PROMPT=$'\\n%~ ['$?$']\\n> '; RPROMPT='%T' }
autoload -Uz add-zsh-hook
add-zsh-hook precmd make
`,
  },
  {
    what: 'a transient prompt',
    rc: `
PROMPT=$'long %~\\n> '
zle-line-finish() { PROMPT='> ' zle reset-prompt }
zle -N zle-line-finish
`,
  },
  {
    what: 'a prompt that is expanded',
    rc: `setopt prompt_subst; PROMPT='$(sleep 0.02; print -n x)%# '`,
  },
  { what: 'a theme of its own', rc: 'autoload -Uz promptinit; promptinit; prompt adam1' },
  {
    what: 'a prompt with the state of git',
    rc: `autoload -Uz vcs_info; precmd() { vcs_info }; setopt prompt_subst; PROMPT='\${vcs_info_msg_0_}%# '`,
  },
  {
    what: 'an exported prompt',
    rc: "export PROMPT='%# ' PS1 PROMPT_EOL_MARK",
    check: { command: 'env | grep -c "aid="', output: '0' },
  },
  { what: 'no sign for a missing line end', rc: "PROMPT='%# '; unsetopt prompt_sp" },
  { what: 'no return before the prompt', rc: "PROMPT='%# '; unsetopt prompt_cr" },
  { what: 'another sign', rc: "PROMPT='%# '; PROMPT_EOL_MARK='%S~%s'" },
  { what: 'no sign', rc: "PROMPT='%# '; PROMPT_EOL_MARK=" },
  {
    what: 'a sign that is exported',
    rc: "PROMPT='%# '; export PROMPT_EOL_MARK='~'",
    check: { command: 'env | grep -c "aid="', output: '0' },
  },
];

const hooks: SetUp[] = [
  {
    what: 'its files elsewhere',
    files: { '.zshenv': 'export ZDOTDIR=$HOME/z', 'z/.zshrc': "PROMPT='%# '; A=1" },
    check: { command: 'echo $A $ZDOTDIR:t', output: '1 z' },
  },
  {
    what: 'hooks',
    rc: `
PROMPT='%# '
precmd() { A=$? }
preexec() { B=$1 }
zle-line-init() { : }
zle -N zle-line-init
`,
    check: { command: 'echo $A', output: '0' },
  },
  {
    what: 'a hook that prints',
    adds: /^hook \d/,
    rc: "PROMPT='%# '; precmd() { /bin/echo hook $? }",
  },
  {
    what: 'a hook that fails',
    rc: "PROMPT='%# '; precmd() { /usr/bin/false }; preexec() { return 3 }",
  },
  {
    what: 'a hook that changes options',
    rc: "PROMPT='%# '; precmd() { setopt ksh_arrays; unsetopt ksh_arrays }",
  },
  { what: 'traps', rc: `PROMPT='%# '; TRAPZERR() { A=1 }; TRAPEXIT() { : }; trap 'B=1' DEBUG` },
  {
    what: 'a trap that prints',
    rc: `PROMPT='%# '; TRAPDEBUG() { /bin/echo '(trap)' }`,
    adds: /\(trap\)|^$/,
  },
  { what: 'a trap for children', rc: `PROMPT='%# '; trap 'A=1' CHLD` },
  {
    what: 'marks of its own',
    rc: `
PROMPT=$'%{\\e]133;A\\a%}%# %{\\e]133;B\\a%}'
precmd() { print -n "\\e]133;D;$?\\a" }
preexec() { print -n "\\e]133;C\\a" }
`,
  },
  {
    what: 'a handler for unknown commands',
    rc: `PROMPT='%# '; command_not_found_handler() { /bin/echo "no-such-command?"; return 127 }`,
  },
  {
    what: 'a title',
    rc: `PROMPT='%# '; precmd() { print -Pn "\\e]0;%~\\a" }; preexec() { print -Pn "\\e]0;$1\\a" }`,
  },
  { what: 'periodic work', rc: `PROMPT='%# '; PERIOD=1; periodic() { A=1 }; sched +00:10 true` },
];

const options: SetUp[] = [
  { what: 'keys as in vi', rc: "PROMPT='%# '; bindkey -v" },
  { what: 'arrays as in ksh', rc: "PROMPT='%# '; setopt ksh_arrays sh_word_split" },
  { what: 'unset variables as errors', rc: "PROMPT='%# '; setopt no_unset" },
  { what: 'a trace', typed: 'set -x', adds: /^\+|^#$/ },
  {
    what: 'lines shown as they are read',
    typed: 'set -v',
    adds: /^(\/bin\/echo|sh -c|\/usr\/bin|cat <<|no-such-command$|\(exit)/,
  },
  {
    what: 'all variables exported',
    rc: "PROMPT='%# '; setopt all_export",
    check: { command: 'env | grep -c "aid=\\|repartee_"', output: '0' },
  },
  { what: 'no clobber', rc: "PROMPT='%# '; setopt no_clobber" },
  { what: 'no globs', rc: "PROMPT='%# '; setopt no_glob" },
  { what: 'globs that may be empty', rc: "PROMPT='%# '; setopt null_glob glob_dots extended_glob" },
  {
    what: 'globs that do not match as text',
    rc: "PROMPT='%# '; setopt no_nomatch ksh_glob glob_subst",
  },
  { what: 'the emulation of sh', typed: 'emulate sh' },
  { what: 'the emulation of ksh', typed: 'emulate ksh' },
  { what: 'no job control', typed: 'setopt no_monitor' },
  { what: 'no notices', rc: "PROMPT='%# '; setopt no_notify" },
  { what: 'pipelines that fail', rc: "PROMPT='%# '; setopt pipefail" },
  {
    what: 'exit codes shown',
    rc: "PROMPT='%# '; setopt print_exit_value",
    adds: /^zsh: (exit|done)/,
  },
  {
    what: 'comments, and no history expansion',
    rc: "PROMPT='%# '; setopt interactive_comments no_bang_hist",
  },
  { what: 'corrections', rc: "PROMPT='%# '; setopt auto_cd auto_pushd pushd_silent" },
  { what: 'no marked pastes', rc: "PROMPT='%# '; unset zle_bracketed_paste" },
  {
    what: 'a paste that is quoted',
    rc: "PROMPT='%# '; autoload -Uz bracketed-paste-magic url-quote-magic; zle -N bracketed-paste bracketed-paste-magic; zle -N self-insert url-quote-magic",
  },
  { what: 'no line editor', typed: 'unsetopt zle' },
  { what: 'a one-line editor', rc: "PROMPT='%# '; setopt single_line_zle" },
  { what: 'another IFS', rc: "PROMPT='%# '; IFS=abcdef:/" },
  { what: 'another locale', rc: "PROMPT='%# '; export LC_ALL=C" },
  { what: 'completion', rc: "PROMPT='%# '; autoload -Uz compinit; compinit -u" },
  { what: 'global aliases', rc: "PROMPT='%# '; alias -g L='| less'; alias -s txt=cat" },
  {
    what: 'a history that is shared',
    rc: "PROMPT='%# '; HISTFILE=~/.zhistory HISTSIZE=9 SAVEHIST=9; setopt share_history extended_history",
  },
  { what: 'long commands reported', rc: "PROMPT='%# '; REPORTTIME=10" },
  { what: 'a file that fails', rc: "PROMPT='%# '\nno-such-program 2>/dev/null\nfalse" },
];

const typed: SetUp[] = [
  { what: 'a new prompt', typed: "PROMPT='new> '" },
  { what: 'no hooks before commands', typed: 'preexec_functions=()' },
  { what: 'no array of hooks before commands', typed: 'unset preexec_functions' },
  { what: 'no hooks at all', typed: 'precmd_functions=() preexec_functions=()', marks: 'typed' },
  {
    what: 'neither prompt nor hooks',
    typed: 'unset precmd_functions preexec_functions PS1 PROMPT',
    marks: 'typed',
  },
  {
    what: 'no functions of ours',
    typed: 'unfunction -m "__repartee*"; zle -D zle-line-init',
    marks: 'typed',
  },
  { what: 'no hooks of ours', typed: 'unfunction -m "__repartee_pre*"', marks: 'typed' },
  { what: 'no variables of ours', typed: 'unset -m "__repartee*"', marks: 'typed' },
  { what: 'errors elsewhere', isMute: true, typed: 'exec 2>/dev/null' },
  { what: 'widgets of its own', typed: 'zle-line-init() { : }; zle -N zle-line-init' },
  { what: 'no sign typed', typed: 'unset PROMPT_EOL_MARK' },
];

const share = '/usr/share';
const packaged: SetUp[] = [
  {
    what: "Debian's own .zshrc",
    needs: ['/etc/zsh/newuser.zshrc.recommended'],
    rc: '. /etc/zsh/newuser.zshrc.recommended',
  },
  {
    what: 'zsh-autosuggestions',
    needs: [`${share}/zsh-autosuggestions/zsh-autosuggestions.zsh`],
    rc: `PROMPT='%# '; . ${share}/zsh-autosuggestions/zsh-autosuggestions.zsh`,
  },
  {
    what: 'zsh-syntax-highlighting',
    needs: [`${share}/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh`],
    rc: `PROMPT='%# '; . ${share}/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh`,
  },
  {
    what: 'both, and completion',
    needs: [
      `${share}/zsh-autosuggestions/zsh-autosuggestions.zsh`,
      `${share}/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh`,
    ],
    rc: `PROMPT='%# '; autoload -Uz compinit; compinit -u; . ${share}/zsh-autosuggestions/zsh-autosuggestions.zsh; . ${share}/zsh-syntax-highlighting/zsh-syntax-highlighting.zsh`,
  },
  {
    what: 'powerlevel9k',
    needs: [`${share}/powerlevel9k/powerlevel9k.zsh-theme`],
    rc: `. ${share}/powerlevel9k/powerlevel9k.zsh-theme`,
  },
  {
    what: 'liquidprompt',
    needs: [`${share}/liquidprompt/liquidprompt`],
    rc: `. ${share}/liquidprompt/liquidprompt`,
  },
  { what: 'direnv', needs: ['direnv'], rc: `PROMPT='%# '; eval "$(direnv hook zsh)"` },
  { what: 'zoxide', needs: ['zoxide'], rc: `PROMPT='%# '; eval "$(zoxide init zsh)"` },
  {
    what: 'autojump',
    needs: [`${share}/autojump/autojump.zsh`],
    rc: `PROMPT='%# '; . ${share}/autojump/autojump.zsh`,
  },
  {
    what: "fzf's keys",
    needs: [`${share}/doc/fzf/examples/key-bindings.zsh`],
    rc: `PROMPT='%# '; . ${share}/doc/fzf/examples/key-bindings.zsh`,
  },
  {
    what: 'command-not-found',
    needs: ['/etc/zsh_command_not_found'],
    rc: `PROMPT='%# '; . /etc/zsh_command_not_found`,
  },
  {
    what: "kitty's marks",
    needs: ['/usr/lib/kitty/shell-integration/zsh/kitty.zsh'],
    rc: `PROMPT='%# '; KITTY_SHELL_INTEGRATION=enabled; . /usr/lib/kitty/shell-integration/zsh/kitty.zsh`,
  },
  {
    what: "VTE's hook",
    needs: ['/etc/profile.d/vte-2.91.sh'],
    rc: `PROMPT='%# '; VTE_VERSION=7006; . /etc/profile.d/vte-2.91.sh`,
  },
];

export const zshSetUps: readonly SetUp[] = [
  ...prompts,
  ...hooks,
  ...options,
  ...typed,
  ...packaged,
  ...builtins.map(asFunction),
  asFunctions,
  asAliases,
];
