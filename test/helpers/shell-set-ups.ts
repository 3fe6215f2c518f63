/** Ways in which people configure their shells, each as files in a home folder. */

export interface SetUp {
  what: string;
  files: Readonly<Record<string, string>>;
  /** A command whose output shows that the set-up still works after other commands. */
  check?: { command: string; output: string | RegExp };
}

/** Like starship, liquidprompt and git's own prompt: rebuilds PS1 before every prompt. */
const rebuildPrompt = `
__make() { local code=$?; PS1="\\n\\w [$code]\\n> "; }
`;

export const bashSetUps: SetUp[] = [
  { what: 'no files at all', files: {} },
  {
    what: 'a prompt command',
    files: { '.bashrc': "PS1='$ '; PROMPT_COMMAND='COUNT=$((COUNT+1))'" },
    check: { command: '((COUNT > 2)) && echo counts', output: 'counts' },
  },
  {
    what: 'a prompt command that ends in a semicolon',
    files: { '.bashrc': "PS1='$ '; PROMPT_COMMAND='COUNT=$((COUNT+1)); '" },
    check: { command: '((COUNT > 2)) && echo counts', output: 'counts' },
  },
  {
    what: 'several prompt commands, which see the exit code',
    files: { '.bashrc': "PS1='$ '; PROMPT_COMMAND=('A=$?' 'B=$?')" },
    check: { command: 'echo $A$B', output: '77' },
  },
  {
    what: 'a prompt of two lines that is rebuilt each time',
    files: { '.bashrc': `${rebuildPrompt} PROMPT_COMMAND=__make` },
    check: { command: 'printf %.10s "$PS1"', output: '\\n\\w [7]\\n' },
  },
  {
    what: 'a prompt command that prints',
    files: { '.bashrc': "PS1='$ '; PROMPT_COMMAND='echo == $?'" },
  },
  {
    what: 'something to print before each command',
    files: { '.bashrc': "PS1='$ '; PS0='at \\t\\n'" },
    check: { command: '[[ $PS0 == *"at "* ]] && echo kept', output: 'kept' },
  },
  {
    what: 'a trap before every command, which times them',
    files: {
      '.bashrc': `
PS1='$ '
__pre() { [[ -n $READY ]] && { LAST=$BASH_COMMAND; READY=; }; }
__post() { TOLD=$LAST; READY=1; }
trap __pre DEBUG
PROMPT_COMMAND=__post
`,
    },
    check: { command: 'echo "$TOLD"', output: "sh -c 'exit 7'" },
  },
  {
    what: 'traps for errors and for exit',
    files: { '.bashrc': `PS1='$ '; trap 'ERRORS=$((ERRORS+1))' ERR; trap 'true' EXIT` },
    check: { command: 'echo $ERRORS', output: /^[12]$/ },
  },
  {
    what: 'marks of its own',
    files: {
      '.bashrc': `
PS1='\\[\\e]133;A\\a\\]$ \\[\\e]133;B\\a\\]'
PS0='\\e]133;C\\a'
PROMPT_COMMAND='printf "\\e]133;D;%s\\a" "$?"'
`,
    },
  },
  {
    what: "an editor's marks",
    files: {
      '.bashrc': `
__vsc() { local code=$?; printf '\\e]633;D;%s\\a\\e]633;P;Cwd=%s\\a' "$code" "$PWD"; PS1='\\[\\e]633;A\\a\\]$ \\[\\e]633;B\\a\\]'; }
__run() { printf '\\e]633;E;%s\\a\\e]633;C\\a' "$BASH_COMMAND"; }
PS0='$(__run)'
PROMPT_COMMAND=__vsc
`,
    },
  },
  { what: 'unset variables as errors', files: { '.bashrc': "PS1='$ '; set -u" } },
  {
    what: 'a prompt command that is read-only',
    files: { '.bashrc': "PS1='$ '; readonly PROMPT_COMMAND=A=1" },
  },
  { what: 'keys as in vi', files: { '.bashrc': "PS1='$ '; set -o vi" } },
  {
    what: 'no marked pastes',
    files: { '.bashrc': "PS1='$ '", '.inputrc': 'set enable-bracketed-paste off\n' },
  },
  { what: 'an empty prompt', files: { '.bashrc': "PS1=''" } },
  {
    what: 'a prompt that runs other programs',
    files: { '.bashrc': "PS1='$(sleep 0.05; echo \\u)$ '" },
  },
  { what: 'a return in the middle', files: { '.bashrc': "PS1='$ '\nreturn\nPS1='never '" } },
  {
    what: 'aliases and functions',
    files: { '.bashrc': "PS1='$ '; alias hail='echo hello'; f() { echo in f; }" },
    check: { command: 'hail; f', output: 'hello\nin f' },
  },
  {
    what: 'a prompt that is exported, and a shell within that prints it',
    files: { '.bashrc': "set -a; PS1='$ '; set +a" },
    check: {
      command: "export PS1; echo before; echo 'echo in' | bash --norc -i 2>&1; echo after",
      output: /^before\n.*\nafter$/s,
    },
  },
  {
    what: 'all variables exported',
    files: { '.bashrc': "PS1='$ '; set -a" },
    check: { command: 'env | grep -c "^__repartee_aid="', output: '0' },
  },
];

export const zshSetUps: SetUp[] = [
  { what: 'no files at all', files: { '.zshrc': '' } },
  {
    what: 'its files elsewhere',
    files: { '.zshenv': 'export ZDOTDIR=$HOME/z', 'z/.zshrc': "PROMPT='%# '; A=1" },
    check: { command: 'echo $A $ZDOTDIR:t', output: '1 z' },
  },
  {
    what: 'hooks',
    files: {
      '.zshrc': `
PROMPT='%# '
precmd() { A=$? }
preexec() { B=$1 }
zle-line-init() { : }
zle -N zle-line-init
`,
    },
    check: { command: 'echo $A', output: '7' },
  },
  {
    what: 'a prompt of two lines that is rebuilt each time, and one on the right',
    files: {
      '.zshrc': `
make() { PROMPT=$'\\n%~ ['$?$']\\n> '; RPROMPT='%T' }
autoload -Uz add-zsh-hook
add-zsh-hook precmd make
`,
    },
  },
  {
    what: 'marks of its own',
    files: {
      '.zshrc': `
PROMPT=$'%{\\e]133;A\\a%}%# %{\\e]133;B\\a%}'
precmd() { print -n "\\e]133;D;$?\\a" }
preexec() { print -n "\\e]133;C\\a" }
`,
    },
  },
  {
    what: 'no sign for a missing line end',
    files: { '.zshrc': "PROMPT='%# '; unsetopt prompt_sp" },
  },
  { what: 'another sign', files: { '.zshrc': "PROMPT='%# '; PROMPT_EOL_MARK='%S~%s'" } },
  { what: 'keys as in vi', files: { '.zshrc': "PROMPT='%# '; bindkey -v" } },
  {
    what: 'arrays as in ksh',
    files: { '.zshrc': "PROMPT='%# '; setopt ksh_arrays sh_word_split" },
  },
  { what: 'unset variables as errors', files: { '.zshrc': "PROMPT='%# '; setopt no_unset" } },
];

/** With this folder, fish does not generate completions from all manual pages at its start. */
const noCompletions = { '.local/share/fish/generated_completions/none': '' };

export const fishSetUps: SetUp[] = [
  { what: 'no files at all', files: noCompletions },
  {
    what: 'a prompt of two lines',
    files: {
      ...noCompletions,
      '.config/fish/config.fish': `
function fish_prompt; set -l code $status; echo; echo (pwd) $code; printf '> '; end
function fish_right_prompt; date +%H:%M; end
set -g A 1
`,
    },
    check: { command: 'echo $A', output: '1' },
  },
  {
    what: 'marks of its own',
    files: {
      ...noCompletions,
      '.config/fish/config.fish': `
function __own_prompt --on-event fish_prompt; printf '\\e]133;A\\a'; end
function __own_pre --on-event fish_preexec; printf '\\e]133;C\\a'; end
function __own_post --on-event fish_postexec; printf '\\e]133;D;%s\\a' $status; end
`,
    },
  },
  {
    what: 'keys as in vi',
    files: { ...noCompletions, '.config/fish/config.fish': 'fish_vi_key_bindings' },
  },
];
