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
  local how=${'$'}{REPARTEE_SHELL##*:} trapped=$1
  __repartee_aid=${'$'}{REPARTEE_SHELL%%:*}
  unset REPARTEE_SHELL
  if [[ $how == clean ]]; then unset PROMPT_COMMAND; fi
  # What is typed here is no part of the user's history, which is read and not written. -n: what has
  # not been read yet, since bash itself does that only after this file.
  history -n || :
  unset HISTFILE || :
  # PS0 came with 4.4. Without it nobody can tell where the output begins.
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then return 0; fi
  local -
  set +eu
  __repartee_told='(__repartee_tell "$?") 2>/dev/null'
  local keep='{ __repartee_keep "$?"; } 2>/dev/null'
  __repartee_marks
  if [[ $how == clean ]]; then (__repartee_tell 0); fi
  if [[ ${'$'}{PROMPT_COMMAND@a} == *r* ]]; then
    PS1='\[\e]133;D;$?;aid='$__repartee_aid'\e]133;A;aid='$__repartee_aid'\]'$PS1
    return 0
  fi
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    if [[ -z ${'$'}{PROMPT_COMMAND[*]} ]]; then unset PROMPT_COMMAND; fi
    if [[ -n $trapped ]]; then
      PROMPT_COMMAND=("$__repartee_told" "$keep" "${'$'}{PROMPT_COMMAND[@]}")
    else
      PROMPT_COMMAND=("$__repartee_told" "${'$'}{PROMPT_COMMAND[@]}" "$keep")
    fi
  else
    # One string: bash does not restore the exit code between its parts.
    PROMPT_COMMAND="__repartee_exit=\$?"$'
'"$__repartee_told"$'
'"__repartee_again"$'
'"$PROMPT_COMMAND"$'
'"{ __repartee_marks; } 2>/dev/null"
  fi
}
__repartee_tell() {
  local LC_ALL=C path=$PWD url= at char code
  for ((at = 0; at < ${'$'}{#path}; at++)); do
    char=${'$'}{path:at:1}
    if [[ $char != [A-Za-z0-9/._~-] ]]; then
      printf -v code %d "'$char"
      printf -v char '%%%02X' "$((code & 255))"
    fi
    url+=$char
  done
  printf '\e]7;file://%s%s\e]133;D;%s;aid=%s\e]133;A;aid=%s'     "${'$'}{HOSTNAME-}" "$url" "$1" "$__repartee_aid" "$__repartee_aid" >/dev/tty
}
__repartee_again() {
  if [[ $- == *e* ]]; then return 0; fi
  return "$__repartee_exit"
}
__repartee_keep() {
  __repartee_marks
  if [[ ${'$'}{PROMPT_COMMAND-} == "$__repartee_told" ]]; then return 0; fi
  # What was put before it may have spoilt the exit code that was told.
  PROMPT_COMMAND=("$__repartee_told" "${'$'}{PROMPT_COMMAND[@]//"$__repartee_told"/:}")
  (__repartee_tell "$1")
}
__repartee_marks() {
  local aid=$__repartee_aid now=${'$'}{PS1-}
  local input='\[\e]133;B;aid='$aid';exit=$?\]'
  if [[ $now != *"$input" ]]; then PS1=${'$'}{now//"$input"/}$input; fi
  now=${'$'}{PS0-}
  local next='\e]133;C;aid='$aid';next' output='\e]133;C;aid='$aid''
  if [[ $now != "$next"*"$output" && $now != "$output" ]]; then
    now=${'$'}{now//"$next"/}
    now=${'$'}{now//"$output"/}
    PS0=${'$'}{now:+$next}$now$output
  fi
}
# Asked here: a function has no DEBUG trap.
{ __repartee_install "$(trap -p DEBUG)"; } 2>/dev/null
unset -f __repartee_install
`;
