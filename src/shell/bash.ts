/**
 * What gives bash its marks.
 *
 * The end of a command is told by a subshell at the front of PROMPT_COMMAND. That costs a fork, but a
 * subshell runs no DEBUG, ERR or EXIT trap of the user, what `set -x` traces of it can be thrown away,
 * and under `set -e` it cannot end the shell. It prints to /dev/tty, wherever the user has redirected
 * the shell's own output. PS0 and PS1 get a mark at their end; that in PS1 has the exit code too, for
 * a user who unsets PROMPT_COMMAND. The last entry puts back what the user's own entries, or a new
 * value for one of these variables, have put out of its place.
 */

/**
 * Read instead of ~/.bashrc, or, without the user's files, before the first prompt.
 * REPARTEE_SHELL is `AID:files` or `AID:clean`.
 */
export const bashScript = String.raw`
if [[ ${'$'}{REPARTEE_SHELL-} == *:files && -r ~/.bashrc ]]; then
  . ~/.bashrc
fi
__repartee_install() {
  local aid=${'$'}{REPARTEE_SHELL%%:*} how=${'$'}{REPARTEE_SHELL##*:}
  unset REPARTEE_SHELL
  if [[ $how == clean ]]; then unset PROMPT_COMMAND; fi
  # PS0 came with 4.4. Without it nobody can tell where the output begins.
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then return 0; fi
  local -
  set +eu
  __repartee_input='\[\e]133;B;aid='$aid';exit=$?\a\]'
  __repartee_output='\e]133;C;aid='$aid'\a'
  __repartee_told='(__repartee_tell "$?" '$aid') 2>/dev/null'
  local keep='{ __repartee_keep; } 2>/dev/null'
  __repartee_marks
  if [[ $how == clean ]]; then (__repartee_tell 0 "$aid"); fi
  if [[ ${'$'}{PROMPT_COMMAND@a} == *r* ]]; then return 0; fi
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
    if [[ -z ${'$'}{PROMPT_COMMAND[*]} ]]; then unset PROMPT_COMMAND; fi
    PROMPT_COMMAND=("$__repartee_told" "${'$'}{PROMPT_COMMAND[@]}" "$keep")
  else
    # One string: bash does not restore the exit code between its parts.
    PROMPT_COMMAND="__repartee_exit=\$?"$'\n'"$__repartee_told"$'\n'"__repartee_again"$'\n'"$PROMPT_COMMAND"$'\n'"{ __repartee_marks; } 2>/dev/null"
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
  printf '\e]7;file://%s%s\a\e]133;D;%s;aid=%s\a\e]133;A;aid=%s\a' \
    "${'$'}{HOSTNAME-}" "$url" "$1" "$2" "$2" >/dev/tty
}
__repartee_again() {
  if [[ $- == *e* ]]; then return 0; fi
  return "$__repartee_exit"
}
__repartee_keep() {
  __repartee_marks
  if [[ ${'$'}{PROMPT_COMMAND-} != *"$__repartee_told"* ]]; then
    PROMPT_COMMAND=("$__repartee_told" "${'$'}{PROMPT_COMMAND[@]}")
  fi
}
__repartee_marks() {
  local now=${'$'}{PS1-}
  if [[ $now != *"$__repartee_input" ]]; then
    PS1=${'$'}{now//"$__repartee_input"/}$__repartee_input
  fi
  if [[ ${'$'}{PS0-} != *"$__repartee_output" ]]; then PS0=${'$'}{PS0-}$__repartee_output; fi
}
{ __repartee_install; } 2>/dev/null
unset -f __repartee_install
`;
