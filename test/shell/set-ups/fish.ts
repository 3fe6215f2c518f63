import type { SetUp } from './set-up.ts';

/** fish allows no function named as `set`, `read`, `test`, `builtin` or `command`. */
const builtins = 'printf echo string source eval'.split(' ');

const asFunction = (name: string): SetUp => ({
  what: `a function named ${name}`,
  // Functions that fish brings call it too.
  adds: /my /,
  rc: `function ${name}; /bin/echo "my ${name}"; sh -c 'exit 9'; end`,
});

const asFunctions: SetUp = {
  what: 'functions named as other builtins',
  adds: /^my$/,
  rc: 'true emit cd pwd status'
    .split(' ')
    .map((name) => `function ${name}; /bin/echo my; end`)
    .join('\n'),
};

const share = '/usr/share';

export const fishSetUps: readonly SetUp[] = [
  { what: 'an empty file' },
  {
    what: 'a prompt of two lines',
    rc: `
function fish_prompt; set -l code $status; echo; echo (pwd) $code; printf '> '; end
function fish_right_prompt; date +%H:%M; end
set -g A 1
`,
    check: { command: 'echo $A', output: '1' },
  },
  { what: 'an empty prompt', rc: 'function fish_prompt; end' },
  { what: 'a prompt that fails', rc: "function fish_prompt; sh -c 'exit 4'; printf '> '; end" },
  {
    what: 'marks of its own',
    rc: `
function __own_prompt --on-event fish_prompt; printf '\\e]133;A\\a'; end
function __own_pre --on-event fish_preexec; printf '\\e]133;C\\a'; end
function __own_post --on-event fish_postexec; printf '\\e]133;D;%s\\a' $status; end
`,
  },
  {
    what: 'hooks that print',
    adds: /^==$/,
    rc: 'function __p --on-event fish_prompt; echo ==; end',
  },
  { what: 'a hook that fails', rc: "function __p --on-event fish_postexec; sh -c 'exit 6'; end" },
  { what: 'keys as in vi', rc: 'fish_vi_key_bindings' },
  { what: 'abbreviations', rc: "abbr -a -g cat 'cat -v'; abbr -a -g one two" },
  {
    what: 'a handler for unknown commands',
    rc: 'function fish_command_not_found; /bin/echo "no-such-command?"; end',
  },
  { what: 'another locale', rc: 'set -gx LC_ALL C' },
  {
    what: 'no greeting, and a title',
    rc: 'set -g fish_greeting; function fish_title; echo $argv; end',
  },
  { what: 'a trace', typed: 'set -g fish_trace 1', adds: /^-*> / },
  { what: 'a new prompt', typed: "function fish_prompt; printf 'new> '; end" },
  {
    what: 'no functions of ours',
    typed: 'functions -e __repartee_prompt __repartee_preexec __repartee_postexec',
    marks: 'typed',
  },
  {
    what: 'no function of ours at all',
    typed: 'functions -e (functions -a | string match "__repartee*")',
    marks: 'typed',
  },
  { what: 'no variables of ours', typed: 'set -e __repartee_aid', marks: 'typed' },
  { what: 'no prompt', typed: 'functions -e fish_prompt' },
  { what: 'direnv', needs: ['direnv'], rc: 'direnv hook fish | source' },
  { what: 'zoxide', needs: ['zoxide'], rc: 'zoxide init fish | source' },
  {
    what: 'autojump',
    needs: [`${share}/autojump/autojump.fish`],
    rc: `. ${share}/autojump/autojump.fish`,
  },
  {
    what: "fzf's keys",
    needs: [`${share}/doc/fzf/examples/key-bindings.fish`],
    rc: `. ${share}/doc/fzf/examples/key-bindings.fish; fzf_key_bindings`,
  },
  {
    what: "kitty's marks",
    needs: ['/usr/lib/kitty/shell-integration/fish/vendor_conf.d/kitty-shell-integration.fish'],
    rc: `set -g KITTY_SHELL_INTEGRATION enabled; . /usr/lib/kitty/shell-integration/fish/vendor_conf.d/kitty-shell-integration.fish`,
  },
  ...builtins.map(asFunction),
  asFunctions,
];
