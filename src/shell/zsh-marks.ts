/**
 * The script that makes zsh print marks.
 *
 * zsh reads `.zshenv` in $ZDOTDIR first. Ours restores ZDOTDIR and reads the user's `.zshenv`, so
 * that zsh then reads the user's other files. The hooks are installed before the first prompt,
 * after everything those files have set up. No prompt is changed: a widget prints the mark for the
 * end of the prompt when zle begins to read.
 *
 * PROMPT_EOL_MARK, the sign for a missing line end, is printed before any hook is called, so it tells
 * where the output ends. It may be exported, so it has no key, and counts only if it is the last
 * before the mark that ends the command.
 *
 * Any builtin may be a function of the user's, also `builtin`: then a program prints. The words that
 * declare variables are reserved, and are known when this file is read.
 */

/** The mark in the sign for a missing line end. */
const OUTPUT_END = String.raw`\e]7133;zsh;sign\a`;

/** REPARTEE_SHELL is `files:KEYFILE` or `clean:KEYFILE`; REPARTEE_ZDOTDIR is the user's ZDOTDIR, if set. */
export const zshMarksScript = String.raw`
typeset -g +x __repartee_aid="$(<"${'$'}{REPARTEE_SHELL#*:}")"
: >|"${'$'}{REPARTEE_SHELL#*:}"
IFS= read -rd '' __repartee_hooks <<'END'
__repartee_say() {
  if (( ${'$'}{+functions[builtin]} )); then
    # Not as an argument, which every process can read.
    /usr/bin/head -c -1 <<<"$1" >$TTY
  else
    builtin print -rn -- "$1" >$TTY
  fi
}
__repartee_install() {
  precmd_functions=(__repartee_precmd ${'$'}{precmd_functions:#__repartee_install})
  # The user's history has been read by now; it is not written.
  SAVEHIST=0
  if (( ! ${'$'}{+functions[builtin]} )); then
    builtin unset HISTFILE
    if (( ${'$'}{+widgets[zle-line-init]} )); then
      builtin zle -A zle-line-init __repartee_user_line_init
    fi
    builtin zle -N zle-line-init __repartee_line_init
  fi
  (exit 0)
  __repartee_precmd
} 2>/dev/null
__repartee_precmd() {
  local code=$? sign= url=$PWD rest=$PWD char hex drawn=
  # Without its line editor no widget tells where the prompt ends.
  if [[ ! -o zle ]]; then drawn=$'\e]133;B;aid='$__repartee_aid$'\a'; fi
  if [[ -o promptsp && ${'$'}{PROMPT_EOL_MARK-} == *$'${OUTPUT_END}'* ]]; then sign=';sign'; fi
  if [[ ${'$'}{PROMPT_EOL_MARK-} != $'%{${OUTPUT_END}%}'* ]]; then
    PROMPT_EOL_MARK=$'%{${OUTPUT_END}%}'${'$'}{PROMPT_EOL_MARK-%B%S%#%s%b}
  fi
  # The user may have given it a new value.
  if [[ " ${'$'}{(j: :)preexec_functions} " != *' __repartee_preexec '* ]]; then
    preexec_functions+=(__repartee_preexec)
  fi
  if [[ $url == *[^A-Za-z0-9/._~-]* ]]; then
    url=
    while [[ -n $rest ]]; do
      char=${'$'}{rest:0:1} rest=${'$'}{rest:1}
      # Letters of other scripts stay as they are.
      if [[ $char != [A-Za-z0-9/._~-] ]] && (( #char < 128 )); then
        hex=$(( [##16] 256 + #char ))
        char=%${'$'}{hex#1}
      fi
      url+=$char
    done
  fi
  __repartee_say $'\e]7;file://'"$HOST$url"$'\a\e]133;D;'"$code;aid=$__repartee_aid$sign"$'\a\e]133;A;aid='$__repartee_aid$'\a'$drawn
} 2>/dev/null
__repartee_preexec() {
  __repartee_say $'\e]133;C;aid='$__repartee_aid$'\a'
} 2>/dev/null
__repartee_line_init() {
  local code=$?
  if (( ${'$'}{+widgets[__repartee_user_line_init]} )); then builtin zle __repartee_user_line_init; fi
  if [[ $CONTEXT == start ]]; then
    __repartee_say $'\e]133;B;aid='"$__repartee_aid;exit=$code${'$'}{BUFFER:+;begun}"$'\a'
  fi
} 2>/dev/null
END
# Whatever options the user sets, these functions have their own, and no trace, which would show the key.
emulate zsh -o no_xtrace -o no_all_export -c $__repartee_hooks
unset __repartee_hooks
typeset -ga precmd_functions preexec_functions
precmd_functions+=(__repartee_install)
if [[ -n ${'$'}{REPARTEE_ZDOTDIR+set} ]]; then
  export ZDOTDIR=$REPARTEE_ZDOTDIR
else
  unset ZDOTDIR
fi
unset REPARTEE_ZDOTDIR
if [[ $REPARTEE_SHELL == clean:* ]]; then
  unset REPARTEE_SHELL
  unsetopt rcs
else
  unset REPARTEE_SHELL
  if [[ -r ${'$'}{ZDOTDIR-$HOME}/.zshenv ]]; then . "${'$'}{ZDOTDIR-$HOME}/.zshenv"; fi
fi
`;
