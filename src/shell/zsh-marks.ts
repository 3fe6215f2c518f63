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
typeset -g +x __repartee_ran= __repartee_told= __repartee_aid="$(<"${'$'}{REPARTEE_SHELL#*:}")"
: >|"${'$'}{REPARTEE_SHELL#*:}"
IFS= read -rd '' __repartee_hooks <<'END'
__repartee_say() {
  if (( ${'$'}{+functions[builtin]} || ! ${'$'}{+builtins[print]} )); then
    # Not as an argument, which every process can read.
    /usr/bin/head -c -1 <<<"$1" >/dev/tty
  else
    builtin print -rn -- "$1" >/dev/tty
  fi
}
__repartee_install() {
  if [[ ${'$'}{(t)precmd_functions} == *readonly* ]]; then return; fi
  precmd_functions=(__repartee_precmd ${'$'}{precmd_functions:#__repartee_install})
  # The user's history has been read by now; it is not written.
  if [[ ${'$'}{(t)SAVEHIST} != *readonly* ]]; then SAVEHIST=0; fi
  if (( ! ${'$'}{+functions[builtin]} )); then
    if [[ ${'$'}{(t)HISTFILE} != *readonly* ]]; then builtin unset HISTFILE; fi
    if (( ${'$'}{+widgets[zle-line-init]} )); then
      builtin zle -A zle-line-init __repartee_user_line_init
    fi
    builtin zle -N zle-line-init __repartee_line_init
  fi
  __repartee_ran=1
  (exit 0)
  __repartee_precmd
} 2>/dev/null
__repartee_precmd() {
  local code=$? sign= url rest char hex drawn= unseen=
  # Typed marks take the place of these.
  if [[ "${'$'}{(t)PROMPT_EOL_MARK} ${'$'}{(t)preexec_functions} ${'$'}{(t)zshaddhistory_functions}" == *readonly* ]]; then return; fi
  # The user may have given PWD any value. The folder may be gone.
  if [[ $PWD == /* && $PWD -ef . ]]; then url=$PWD; else url=${'$'}{${'$'}{:-.}:A}; fi
  rest=$url
  # Without its line editor no widget tells where the prompt ends.
  if [[ ! -o zle ]]; then drawn=$'\e]133;B;aid='$__repartee_aid$'\a'; fi
  if [[ -o promptsp && ${'$'}{PROMPT_EOL_MARK-} == *$'${OUTPUT_END}'* ]]; then sign=';sign'; fi
  if [[ ${'$'}{PROMPT_EOL_MARK-} != $'%{${OUTPUT_END}%}'* ]]; then
    PROMPT_EOL_MARK=$'%{${OUTPUT_END}%}'${'$'}{PROMPT_EOL_MARK-%B%S%#%s%b}
  fi
  # If somebody has removed the hook before it was called, nobody knows whether the last line was run. After
  # ours has put it back, only the user's own preexec can do that.
  if [[ -z $__repartee_ran && -z ${'$'}{(M)preexec_functions:#__repartee_preexec} ]] &&
    [[ -n ${'$'}{functions[preexec]-} || -z ${'$'}{(M)zshaddhistory_functions:#__repartee_hook} ]]; then
    unseen=';unseen'
  fi
  __repartee_ran= __repartee_told=1
  __repartee_hook
  zshaddhistory_functions=(${'$'}{zshaddhistory_functions:#__repartee_hook} __repartee_hook)
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
  __repartee_say $'\e]7;file://'"${'$'}{HOST//[^A-Za-z0-9.-]/}$url"$'\a\e]133;D;'"$code;aid=$__repartee_aid$sign$unseen"$'\a\e]133;A;aid='$__repartee_aid$'\a'$drawn
} 2>/dev/null
# Called before the prompt, and again when a line has been read. The hook is the last, so that what those of
# the user print is not taken for output.
__repartee_hook() {
  preexec_functions=(${'$'}{preexec_functions:#__repartee_preexec} __repartee_preexec)
} 2>/dev/null
__repartee_preexec() {
  __repartee_ran=1
  __repartee_say $'\e]133;C;aid='$__repartee_aid$'\a'
} 2>/dev/null
__repartee_line_init() {
  local code=$? unseen=
  if (( ${'$'}{+widgets[__repartee_user_line_init]} )); then builtin zle __repartee_user_line_init; fi
  if [[ $CONTEXT == start ]]; then
    # The hook before the prompt is gone, too.
    if [[ -z $__repartee_told ]]; then unseen=';unseen'; fi
    __repartee_say $'\e]133;B;aid='"$__repartee_aid;exit=$code${'$'}{BUFFER:+;begun}$unseen"$'\a'
    __repartee_told=
  fi
} 2>/dev/null
END
# Whatever options the user sets, these functions have their own, and no trace, which would show the key.
emulate zsh -o no_xtrace -o no_all_export -c $__repartee_hooks
unset __repartee_hooks
typeset -ga precmd_functions preexec_functions zshaddhistory_functions
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
