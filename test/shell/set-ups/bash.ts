import type { SetUp } from './set-up.ts';

/** Each is what the hooks of bash are made of, or what somebody may take them to be made of. */
const builtins =
  'printf echo test [ read trap builtin command local unset eval return set export history declare'.split(
    ' ',
  );
const others =
  'typeset shopt type exec kill jobs source . : true false shift let wait cd pwd enable';

const asFunction = (name: string): SetUp => ({
  what: `a function named ${name}`,
  rc: `PS1='$ '; unset -f command_not_found_handle; function ${name} { /bin/echo "my ${name}"; (exit 9); }`,
});

const asFunctions: SetUp = {
  what: 'functions named as other builtins',
  rc: `PS1='$ '\n${others
    .split(' ')
    .map((name) => `function ${name} { /bin/echo my; }`)
    .join('\n')}`,
};

const asAliases: SetUp = {
  what: 'every builtin as an alias',
  rc: `PS1='$ '\n${builtins.map((name) => `alias ${name}='/bin/echo my'`).join('\n')}`,
};

/** Like starship, liquidprompt and git's own prompt. */
const rebuilt = `__make() { local code=$?; PS1="\\n\\w [$code]\\n> "; }`;

const prompts: SetUp[] = [
  { what: 'no files at all' },
  { what: 'an empty prompt', rc: "PS1=''" },
  { what: 'a prompt that runs other programs', rc: "PS1='$(sleep 0.02; echo \\u)$ '" },
  { what: 'a prompt of three lines', rc: "PS1='\\nin \\w\\n\\u\\n> '" },
  {
    what: 'a prompt of two lines that is rebuilt each time',
    rc: `${rebuilt}\nPROMPT_COMMAND=__make`,
    check: { command: 'printf %.10s "$PS1"', output: '\\n\\w [0]\\n' },
  },
  {
    what: 'a prompt in colours, with a title',
    rc: "PS1='\\[\\e]0;\\w\\a\\]\\[\\e[1;32m\\]\\u\\[\\e[0m\\]$ '",
  },
  { what: 'a prompt that does not say what is invisible', rc: "PS1=$'\\e[1;32m\\\\w\\e[0m $ '" },
  { what: 'a prompt that resets the exit code', rc: "PS1='$(true)$ '; PROMPT_COMMAND='true'" },
  { what: 'a prompt on the right', rc: "PS1='\\[\\e7\\e[60G12:00\\e8\\]$ '" },
  { what: 'a prompt that is not expanded', marks: 'typed', rc: "shopt -u promptvars; PS1='$x '" },
  {
    what: 'a prompt that is exported, and a shell within that prints it',
    rc: "set -a; PS1='$ '; set +a",
    check: {
      command:
        "export PS1; /bin/echo before; /bin/echo '/bin/echo in' | bash --norc -i 2>&1; /bin/echo after",
      output: /^before\n.*\nafter$/s,
    },
  },
];

const hooks: SetUp[] = [
  {
    what: 'a prompt command',
    rc: "PS1='$ '; PROMPT_COMMAND='COUNT=$((COUNT+1))'",
    check: { command: '((COUNT > 2)) && echo counts', output: 'counts' },
  },
  {
    what: 'a prompt command that ends in a semicolon',
    rc: "PS1='$ '; PROMPT_COMMAND='COUNT=$((COUNT+1)); '",
    check: { command: '((COUNT > 2)) && echo counts', output: 'counts' },
  },
  {
    what: 'several prompt commands, which see the exit code',
    rc: "PS1='$ '; PROMPT_COMMAND=('A=$?' 'B=$?')",
    check: { command: 'echo $A$B', output: '00' },
  },
  { what: 'a prompt command that prints', rc: "PS1='$ '; PROMPT_COMMAND='/bin/echo == $?'" },
  {
    what: 'a prompt command that fails',
    rc: "PS1='$ '; PROMPT_COMMAND='/usr/bin/false'",
  },
  { what: 'a prompt command that is read-only', rc: "PS1='$ '; readonly PROMPT_COMMAND=A=1" },
  { what: 'a prompt that is read-only', marks: 'typed', rc: "readonly PS1='$ '" },
  { what: 'a PS0 that is read-only', marks: 'typed', rc: "PS1='$ '; readonly PS0=" },
  {
    what: 'a prompt command that writes the history',
    rc: "PS1='$ '; PROMPT_COMMAND='history -a; history -n'",
  },
  {
    what: 'something to print before each command',
    adds: /^at /,
    rc: "PS1='$ '; PS0='at \\t\\n'",
    check: { command: '[[ $PS0 == *"at "* ]] && echo kept', output: 'kept' },
  },
  {
    what: 'a trap before every command, which times them',
    rc: `
PS1='$ '
__pre() { [[ -n $READY ]] && { LAST=$BASH_COMMAND; READY=; }; }
__post() { TOLD=$LAST; READY=1; }
trap __pre DEBUG
PROMPT_COMMAND=__post
`,
    check: { command: 'echo "$TOLD"', output: '/bin/echo sent' },
  },
  {
    what: 'traps for errors and for exit',
    rc: `PS1='$ '; trap 'ERRORS=$((ERRORS+1))' ERR; trap 'true' EXIT`,
    check: { command: '((ERRORS > 2)) && echo counts', output: 'counts' },
  },
  {
    what: 'traps that are inherited',
    rc: `PS1='$ '; set -ET; trap 'A=$?' ERR; trap 'B=1' DEBUG; trap 'C=1' RETURN`,
  },
  {
    what: 'a trap that prints',
    rc: `PS1='$ '; trap '/bin/echo "(trap)"' DEBUG`,
    adds: /^\(trap\)$/,
  },
  { what: 'a trap for children', rc: `PS1='$ '; trap 'KIDS=$((KIDS+1))' CHLD` },
  {
    what: 'marks of its own',
    rc: `
PS1='\\[\\e]133;A\\a\\]$ \\[\\e]133;B\\a\\]'
PS0='\\e]133;C\\a'
PROMPT_COMMAND='printf "\\e]133;D;%s\\a" "$?"'
`,
  },
  {
    what: "an editor's marks",
    rc: `
__vsc() { local code=$?; printf '\\e]633;D;%s\\a\\e]633;P;Cwd=%s\\a' "$code" "$PWD"; PS1='\\[\\e]633;A\\a\\]$ \\[\\e]633;B\\a\\]'; }
__run() { printf '\\e]633;E;%s\\a\\e]633;C\\a' "$BASH_COMMAND"; }
PS0='$(__run)'
PROMPT_COMMAND=__vsc
`,
  },
  {
    what: 'a handler for unknown commands',
    rc: `PS1='$ '; command_not_found_handle() { /bin/echo "no-such-command?"; return 127; }`,
  },
];

const options: SetUp[] = [
  { what: 'unset variables as errors', rc: "PS1='$ '; set -u" },
  {
    what: 'all variables exported',
    rc: "PS1='$ '; set -a",
    check: { command: 'env | grep -c "=[0-9a-f]\\{16\\}"', output: '0' },
  },
  {
    what: 'lines shown as they are read',
    typed: 'set -v',
    adds: /^(\/bin\/echo|sh -c|\/usr\/bin|cat <<|no-such-command$|\(exit)/,
  },
  { what: 'a trace', typed: 'set -x', adds: /^\++ / },
  {
    what: 'a trace from the start, with a prompt of its own',
    rc: "PS1='$ '; PS4='+ \\t '; set -x",
    adds: /^\++ /,
  },
  { what: 'a trace into a file', rc: `PS1='$ '; exec 9>/dev/null; BASH_XTRACEFD=9; set -x` },
  {
    what: 'a trace to the terminal by another descriptor',
    rc: `PS1='$ '; exec 9>/dev/tty; BASH_XTRACEFD=9; set -x`,
    adds: /^\++ /,
  },
  { what: 'extdebug', rc: "PS1='$ '; shopt -s extdebug" },
  { what: 'no clobber', rc: "PS1='$ '; set -C" },
  { what: 'no globs', rc: "PS1='$ '; set -f" },
  { what: 'failing globs', rc: "PS1='$ '; shopt -s failglob" },
  {
    what: 'empty globs',
    rc: "PS1='$ '; shopt -s nullglob dotglob extglob globstar nocaseglob nocasematch",
  },
  { what: 'notices at once', rc: "PS1='$ '; set -b" },
  { what: 'no job control', rc: "PS1='$ '; set +m" },
  { what: 'pipelines that fail', rc: "PS1='$ '; set -o pipefail; shopt -s lastpipe" },
  { what: 'POSIX mode', rc: "PS1='$ '; set -o posix" },
  { what: 'keys as in vi', rc: "PS1='$ '; set -o vi" },
  {
    what: 'no marked pastes',
    rc: "PS1='$ '",
    files: { '.inputrc': 'set enable-bracketed-paste off\n' },
  },
  {
    what: 'a mode in the prompt',
    rc: "PS1='$ '; set -o vi",
    files: { '.inputrc': 'set show-mode-in-prompt on\n' },
  },
  {
    what: 'completion in colours, and no bell',
    rc: "PS1='$ '",
    files: {
      '.inputrc':
        'set colored-stats on\nset bell-style none\nset completion-ignore-case on\nset mark-modified-lines on\n',
    },
  },
  { what: 'another IFS', rc: "PS1='$ '; IFS=abcdef:/" },
  { what: 'an IFS that is typed', typed: 'IFS=aed' },
  { what: 'another locale', rc: "PS1='$ '; export LC_ALL=C" },
  { what: 'no history expansion', rc: "PS1='$ '; set +H; shopt -s histverify cmdhist lithist" },
  { what: 'corrections', rc: "PS1='$ '; shopt -s autocd cdspell dirspell checkwinsize checkjobs" },
  { what: 'no aliases', rc: "PS1='$ '; shopt -u expand_aliases" },
  { what: 'a restricted PATH', rc: "PS1='$ '; PATH=/usr/bin:/bin; hash -r" },
  { what: 'a time-out', rc: "PS1='$ '; TMOUT=3600" },
  { what: 'a return in the middle', rc: "PS1='$ '\nreturn\nPS1='never '" },
  { what: 'a file that fails', rc: "PS1='$ '\nno-such-program 2>/dev/null\nif then" },
  {
    what: 'aliases and functions',
    rc: "PS1='$ '; alias hail='echo hello'; f() { echo in f; }",
    check: { command: 'hail; f', output: 'hello\nin f' },
  },
  {
    what: 'aliases of commands',
    rc: "PS1='$ '; alias ls='ls --color=auto' grep='grep --color' cat='cat -v' sudo='sudo '",
  },
];

const typed: SetUp[] = [
  { what: 'a new prompt', typed: "PS1='new> '" },
  {
    what: 'a prompt command that is put first',
    typed: 'PROMPT_COMMAND="history -a; $PROMPT_COMMAND"',
  },
  {
    what: 'a prompt command that is put last',
    typed: 'PROMPT_COMMAND="$PROMPT_COMMAND; history -a"',
  },
  { what: 'another prompt command', typed: "PROMPT_COMMAND='A=1'" },
  { what: 'no prompt command', marks: 'typed', typed: 'unset PROMPT_COMMAND' },
  { what: 'no PS0', typed: 'unset PS0' },
  { what: 'no PS1', typed: 'unset PS1' },
  { what: 'neither a prompt command nor PS0', typed: 'unset PROMPT_COMMAND PS0', marks: 'typed' },
  { what: 'none of the three', typed: 'unset PS1 PROMPT_COMMAND PS0', marks: 'typed' },
  { what: 'none of the three, but empty', typed: 'PS1= PROMPT_COMMAND= PS0=' },
  { what: 'errors elsewhere', isMute: true, typed: 'exec 2>/dev/null', marks: 'typed' },
  { what: 'errors nowhere', isMute: true, typed: 'exec 2>&-', marks: 'typed' },
  { what: 'no functions', typed: 'unset -f $(compgen -A function)', marks: 'typed' },
  { what: 'no variables', typed: 'unset $(compgen -A variable __repartee)', marks: 'typed' },
  { what: 'an exported prompt', typed: 'export PS1 PS0 PROMPT_COMMAND' },
];

const share = '/usr/share';
const packaged: SetUp[] = [
  {
    what: "Debian's own .bashrc",
    needs: ['/etc/skel/.bashrc'],
    rc: '. /etc/bash.bashrc; . /etc/skel/.bashrc',
  },
  {
    what: 'bash-completion',
    needs: [`${share}/bash-completion/bash_completion`],
    rc: `PS1='$ '; . ${share}/bash-completion/bash_completion`,
  },
  {
    what: "git's prompt",
    needs: ['/usr/lib/git-core/git-sh-prompt'],
    rc: `. /usr/lib/git-core/git-sh-prompt\nGIT_PS1_SHOWDIRTYSTATE=1\nPROMPT_COMMAND='__git_ps1 "\\u:\\w" "\\\\$ "'`,
  },
  {
    what: 'liquidprompt',
    marks: 'typed',
    needs: [`${share}/liquidprompt/liquidprompt`],
    rc: `. ${share}/liquidprompt/liquidprompt`,
  },
  {
    what: 'powerline',
    needs: [`${share}/powerline/bindings/bash/powerline.sh`],
    rc: `POWERLINE_BASH_CONTINUATION=1 POWERLINE_BASH_SELECT=1\n. ${share}/powerline/bindings/bash/powerline.sh`,
  },
  { what: 'direnv', needs: ['direnv'], rc: `PS1='$ '; eval "$(direnv hook bash)"` },
  { what: 'zoxide', needs: ['zoxide'], rc: `PS1='$ '; eval "$(zoxide init bash)"` },
  {
    what: 'autojump',
    needs: [`${share}/autojump/autojump.bash`],
    rc: `PS1='$ '; . ${share}/autojump/autojump.bash`,
  },
  {
    what: "fzf's keys",
    needs: [`${share}/doc/fzf/examples/key-bindings.bash`],
    rc: `PS1='$ '; . ${share}/doc/fzf/examples/key-bindings.bash`,
  },
  {
    what: 'undistract-me',
    needs: [`${share}/undistract-me/long-running.bash`],
    rc: `PS1='$ '; . ${share}/undistract-me/long-running.bash; notify_when_long_running_commands_finish_install`,
  },
  {
    what: "kitty's marks",
    needs: ['/usr/lib/kitty/shell-integration/bash/kitty.bash'],
    rc: `PS1='$ '; KITTY_SHELL_INTEGRATION=enabled; . /usr/lib/kitty/shell-integration/bash/kitty.bash`,
  },
  {
    what: "VTE's hook",
    needs: ['/etc/profile.d/vte-2.91.sh'],
    rc: `PS1='$ '; VTE_VERSION=7006; . /etc/profile.d/vte-2.91.sh`,
  },
];

export const bashSetUps: readonly SetUp[] = [
  ...prompts,
  ...hooks,
  ...options,
  ...typed,
  ...packaged,
  ...builtins.map(asFunction),
  asFunctions,
  asAliases,
];
