/**
 * The script that makes zsh print marks.
 *
 * zsh reads `.zshenv` in $ZDOTDIR first. Ours restores ZDOTDIR and reads the user's `.zshenv`, so
 * that zsh then reads the user's other files. The hooks are installed before the first prompt,
 * after everything those files have set up. No prompt is changed: a zle hook prints the mark for
 * the end of the prompt when zle begins to read. The mark for the end of a command is in
 * PROMPT_EOL_MARK, the sign for a missing line end, because zsh prints that before it calls any
 * hook.
 */

/** REPARTEE_SHELL is `AID:files` or `AID:clean`; REPARTEE_ZDOTDIR is the user's ZDOTDIR, if set. */
export const zshMarksScript = String.raw`
if [[ -n ${'$'}{REPARTEE_ZDOTDIR+set} ]]; then
  export ZDOTDIR=$REPARTEE_ZDOTDIR
else
  unset ZDOTDIR
fi
unset REPARTEE_ZDOTDIR
if [[ ${'$'}{REPARTEE_SHELL-} == *:clean ]]; then
  unsetopt rcs
elif [[ -r ${'$'}{ZDOTDIR-$HOME}/.zshenv ]]; then
  . "${'$'}{ZDOTDIR-$HOME}/.zshenv"
fi
builtin typeset -g __repartee_aid=${'$'}{REPARTEE_SHELL%%:*}
builtin unset REPARTEE_SHELL
__repartee_install() {
  builtin emulate -L zsh
  precmd_functions=(__repartee_precmd ${'$'}{precmd_functions:#__repartee_install})
  PROMPT_EOL_MARK=$'%{\e]133;D;%?;aid='$__repartee_aid$'\a%}'${'$'}{PROMPT_EOL_MARK-%B%S%#%s%b}
  builtin zmodload zsh/zle
  builtin autoload -Uz add-zle-hook-widget
  add-zle-hook-widget line-init __repartee_line_init
  true
  __repartee_precmd
  # The user's history has been read by now; it is not written.
  builtin unset HISTFILE
  builtin unfunction __repartee_install
} 2>/dev/null
__repartee_precmd() {
  builtin local code=$?
  builtin emulate -L zsh
  # The user may have given it a new value.
  if [[ -z ${'$'}{(M)preexec_functions:#__repartee_preexec} ]]; then
    preexec_functions+=(__repartee_preexec)
  fi
  builtin setopt no_multibyte
  builtin local url= char
  for char in ${'$'}{(s::)PWD}; do
    if [[ $char != [A-Za-z0-9/._~-] ]]; then builtin printf -v char '%%%02X' "'$char"; fi
    url+=$char
  done
  builtin print -n -- "\e]7;file://$HOST$url\a\e]133;D;$code;aid=$__repartee_aid\a\e]133;A;aid=$__repartee_aid\a" >$TTY
} 2>/dev/null
__repartee_preexec() {
  builtin print -n -- "\e]133;C;aid=$__repartee_aid\a" >$TTY
} 2>/dev/null
__repartee_line_init() {
  if [[ $CONTEXT == start ]]; then builtin print -n -- "\e]133;B;aid=$__repartee_aid\a" >$TTY; fi
} 2>/dev/null
builtin typeset -ga precmd_functions preexec_functions
precmd_functions+=(__repartee_install)
`;
