/**
 * The script that makes bash print marks.
 *
 * A subshell at the front of PROMPT_COMMAND prints the mark for the end of a command. That costs a
 * fork, but a subshell does not run the user's DEBUG, ERR and EXIT traps, its `set -x` trace can be
 * thrown away, and under `set -e` it cannot end the shell. It prints to /dev/tty, because the user
 * may have redirected the shell's own output. PS0 and PS1 get marks too. The mark in PS1 has the
 * exit code, in case the user unsets PROMPT_COMMAND. A last entry of PROMPT_COMMAND repairs these
 * variables when the user's own entries, or a new value, have changed them. It is last because PS1
 * may be rebuilt before every prompt. With a DEBUG trap it comes second, or the trap would take it
 * for the user's next command.
 */

/**
 * bash reads it instead of ~/.bashrc or, with `clean`, before the first prompt.
 * REPARTEE_SHELL is `AID:files` or `AID:clean`.
 */
export const bashMarksScript = String.raw`
if [[ ${'$'}{REPARTEE_SHELL-} == *:files && -r ~/.bashrc ]]; then
  . ~/.bashrc
fi
__repartee_install() {
  # A backslash: aliases are expanded when a function is read. So its values need quotes.
  \local how="${'$'}{REPARTEE_SHELL##*:}" trapped="$1"
  __repartee_aid=${'$'}{REPARTEE_SHELL%%:*}
  \unset REPARTEE_SHELL
  # With it, a child that is given our prompt (export PS1, set -a) could print our marks.
  \export -n __repartee_aid
  if [[ $how == clean ]]; then \unset PROMPT_COMMAND; fi
  # What is typed here is no part of the user's history, which is read and not written. -n: what has
  # not been read yet, since bash itself does that only after this file.
  \history -n || :
  \unset HISTFILE || :
  # PS0 came with 4.4. Without it nobody can tell where the output begins.
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then \return 0; fi
  \local -
  \set +eu
  __repartee_told='(__repartee_tell "$?") 2>/dev/null'
  \local keep='{ __repartee_keep "$?"; } 2>/dev/null'
  __repartee_marks
  if [[ $how == clean ]]; then (__repartee_tell 0); fi
  if [[ ${'$'}{PROMPT_COMMAND@a} == *r* ]]; then
    PS1='\[\e]133;D;$?;aid='$__repartee_name'\a\e]133;A;aid='$__repartee_name'\a\]'$PS1
    \return 0
  fi
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    if [[ -z ${'$'}{PROMPT_COMMAND[*]} ]]; then \unset PROMPT_COMMAND; fi
    if [[ $trapped == 'trap -- '* ]]; then
      PROMPT_COMMAND=("$__repartee_told" "$keep" "${'$'}{PROMPT_COMMAND[@]}")
    else
      PROMPT_COMMAND=("$__repartee_told" "${'$'}{PROMPT_COMMAND[@]}" "$keep")
    fi
  else
    # One string: bash does not restore the exit code between its parts.
    PROMPT_COMMAND="__repartee_exit=\$?"$'\n'"$__repartee_told"$'\n'"__repartee_again"$'\n'"$PROMPT_COMMAND"$'\n'"{ __repartee_marks; } 2>/dev/null"
  fi
}
# Called in a subshell, so it can do what would change the user's shell. In POSIX mode a function named
# unset does not come before the builtin, and then none named printf is left.
__repartee_tell() {
  POSIXLY_CORRECT=
  \unset -f printf
  LC_ALL=C __repartee_url=
  for ((__repartee_at = 0; __repartee_at < ${'$'}{#PWD}; __repartee_at++)); do
    __repartee_char=${'$'}{PWD:__repartee_at:1}
    if [[ $__repartee_char != [A-Za-z0-9/._~-] ]]; then
      \printf -v __repartee_code %d "'$__repartee_char"
      \printf -v __repartee_char '%%%02X' "$((__repartee_code & 255))"
    fi
    __repartee_url+=$__repartee_char
  done
  \printf '\e]7;file://%s%s\a\e]133;D;%s;aid=%s\a\e]133;A;aid=%s\a' \
    "${'$'}{HOSTNAME-}" "$__repartee_url" "$1" "$__repartee_aid" "$__repartee_aid" >/dev/tty
}
__repartee_again() {
  if [[ $- == *e* ]]; then \return 0; fi
  \return "$__repartee_exit"
}
# The next two use no builtin, since any may be a function of the user's.
__repartee_keep() {
  __repartee_marks
  if [[ ${'$'}{PROMPT_COMMAND-} != "$__repartee_told" ]]; then
    # What was put before it may have spoilt the exit code that was told.
    PROMPT_COMMAND=("$__repartee_told" "${'$'}{PROMPT_COMMAND[@]//"$__repartee_told"/:}")
    (__repartee_tell "$1")
  fi
}
__repartee_marks() {
  # By its name: the prompt may be exported.
  __repartee_name='${'$'}{__repartee_aid-}'
  if [[ $BASHOPTS != *promptvars* ]]; then __repartee_name=$__repartee_aid; fi
  __repartee_now=${'$'}{PS1-}
  __repartee_mark='\[\e]133;B;aid='$__repartee_name';exit=$?\a\]'
  if [[ $__repartee_now != *"$__repartee_mark" ]]; then
    PS1=${'$'}{__repartee_now//"$__repartee_mark"/}$__repartee_mark
  fi
  __repartee_now=${'$'}{PS0-}
  __repartee_next='\e]133;C;aid='$__repartee_name';next\a'
  __repartee_mark='\e]133;C;aid='$__repartee_name'\a'
  if [[ $__repartee_now != "$__repartee_next"*"$__repartee_mark" && $__repartee_now != "$__repartee_mark" ]]; then
    __repartee_now=${'$'}{__repartee_now//"$__repartee_next"/}
    __repartee_now=${'$'}{__repartee_now//"$__repartee_mark"/}
    PS0=${'$'}{__repartee_now:+$__repartee_next}$__repartee_now$__repartee_mark
  fi
}
# Asked here: a function has no DEBUG trap.
{ __repartee_install "$(trap -p DEBUG)"; } 2>/dev/null
\unset -f __repartee_install
`;
