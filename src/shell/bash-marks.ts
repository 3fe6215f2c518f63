/**
 * The script that makes bash print marks.
 *
 * A subshell at the front of PROMPT_COMMAND prints the mark for the end of a command. That costs a
 * fork, but a subshell does not run the user's DEBUG, ERR and EXIT traps, its `set -x` trace can be
 * thrown away, and under `set -e` it cannot end the shell. With `set -ET` it inherits the traps, so it
 * drops them first, and throws away what they print until then. It prints to /dev/tty, because the
 * user may have redirected the shell's own output. PS0 and PS1 get marks too. The mark in PS1 has the
 * exit code, in case the user unsets PROMPT_COMMAND. A last entry of PROMPT_COMMAND repairs these
 * variables when the user's own entries, or a new value, have changed them. It is last because PS1
 * may be rebuilt before every prompt. With a DEBUG trap it comes second, or the trap would take it
 * for the user's next command.
 *
 * Any builtin may be a function of the user's. What runs in the user's shell uses none, and no
 * variable but those of the prompt, since all may be exported (`set -a`). The key stands in none of
 * them: they name the variable that has it.
 */

const TELL =
  String.raw`(__repartee_exit=$? POSIXLY_CORRECT=; \trap - DEBUG RETURN ERR; __repartee_tell "$__repartee_exit" "${'$'}{PS0-}")` +
  ' >/dev/null 2>/dev/null {BASH_XTRACEFD}>/dev/null';
/** At the end of PS0. */
const OUTPUT_MARK = String.raw`\e]133;C;aid=${'$'}{__repartee_aid-}\a`;
const KEEP = '{ __repartee_keep "$?"; } >/dev/null 2>/dev/null';

/** Before and after the user's own, in versions before 5.1: they have one string. */
const OLD_BEFORE = [
  '__repartee_exit=$?',
  TELL.replace('$?', '$__repartee_exit'),
  '__repartee_again',
];
const OLD_AFTER = '{ __repartee_marks; } >/dev/null 2>/dev/null';

const escaped = (text: string): string => text.replaceAll(/[\\$(){}?]/g, '\\$&');

/** The lines of PROMPT_COMMAND, which `set -v` prints before bash runs them. */
export const bashHookLine = new RegExp(
  `(?:${[TELL, KEEP, ...OLD_BEFORE, OLD_AFTER].map(escaped).join('|')})(?: \\d+>/dev/null)?\r?\n`,
  'g',
);

/**
 * bash reads it instead of ~/.bashrc or, with `clean`, before the first prompt.
 * REPARTEE_SHELL is `files:KEYFILE` or `clean:KEYFILE`.
 */
export const bashMarksScript = String.raw`
__repartee_how=${'$'}{REPARTEE_SHELL%%:*}
__repartee_aid=$(<"${'$'}{REPARTEE_SHELL#*:}")
>|"${'$'}{REPARTEE_SHELL#*:}"
\unset REPARTEE_SHELL
\export -n __repartee_how __repartee_aid
# Called in a subshell, so it can do what would change the user's shell. In POSIX mode functions named
# trap or unset do not come before the builtins, and then none named printf or pwd is left.
__repartee_tell() {
  POSIXLY_CORRECT=
  \unset -f printf pwd
  \set +eu
  LC_ALL=C __repartee_url= __repartee_folder=$PWD __repartee_unseen=
  # Then PS0 has not marked the start of the command, unless the command itself has changed it.
  if (($# == 2)) && [[ $2 != *'${OUTPUT_MARK}' ]]; then __repartee_unseen=';unseen'; fi
  # The user may have given PWD any value. The folder may be gone.
  if [[ $PWD != /* || ! $PWD -ef . ]]; then __repartee_folder=$(\pwd -P || \printf %s "$PWD"); fi
  for ((__repartee_at = 0; __repartee_at < ${'$'}{#__repartee_folder}; __repartee_at++)); do
    __repartee_char=${'$'}{__repartee_folder:__repartee_at:1}
    if [[ $__repartee_char != [A-Za-z0-9/._~-] ]]; then
      \printf -v __repartee_code %d "'$__repartee_char"
      \printf -v __repartee_char '%%%02X' "$((__repartee_code & 255))"
    fi
    __repartee_url+=$__repartee_char
  done
  \printf '\e]7;file://%s%s\a\e]133;D;%s;aid=%s%s\a\e]133;A;aid=%s\a' \
    "${'$'}{HOSTNAME//[^A-Za-z0-9.-]/}" "$__repartee_url" "$1" "$__repartee_aid" "$__repartee_unseen" "$__repartee_aid" >/dev/tty
}
__repartee_again() {
  if [[ $- != *e* ]]; then \return "$__repartee_exit"; fi
}
__repartee_keep() {
  __repartee_marks
  if [[ ${'$'}{PROMPT_COMMAND-} != '${TELL}' ]]; then
    # What was put before it may have spoilt the exit code that was told.
    PROMPT_COMMAND=('${TELL}' "${'$'}{PROMPT_COMMAND[@]//'${TELL}'/:}")
    (__repartee_tell "$1")
  fi
  __repartee_hide_trace '${KEEP}' "${'$'}{BASH_XTRACEFD:+ $BASH_XTRACEFD>/dev/null}"
}
# The trace may go to the terminal by a descriptor of its own. Assigning to the variable would close it.
__repartee_hide_trace() {
  if [[ "${'$'}{PROMPT_COMMAND[*]}" != *"$1$2"* || -z $2 && "${'$'}{PROMPT_COMMAND[*]}" == *"$1 "[0-9]* ]]; then
    PROMPT_COMMAND=("${'$'}{PROMPT_COMMAND[@]/#"$1"*/$1$2}")
  fi
}
__repartee_marks() {
  __repartee_mark_prompt "${'$'}{PS1-}" '\[\e]133;B;aid=${'$'}{__repartee_aid-};exit=$?\a\]'
  __repartee_mark_output "${'$'}{PS0-}" '\e]133;C;aid=${'$'}{__repartee_aid-};next\a' '${OUTPUT_MARK}'
}
__repartee_mark_prompt() {
  if [[ $1 != *"$2" ]]; then PS1=${'$'}{1//"$2"/}$2; fi
}
__repartee_mark_output() {
  if [[ $1 != "$2"*"$3" && $1 != "$3" ]]; then
    __repartee_mark_own "${'$'}{1//"$2"/}" "$2" "$3"
  fi
}
__repartee_mark_own() {
  PS0=${'$'}{1//"$3"/}
  PS0=${'$'}{PS0:+$2}$PS0$3
}
__repartee_install() {
  if [[ $__repartee_how == clean ]]; then
    \unset PROMPT_COMMAND
    (__repartee_tell 0)
  fi
  # What is typed here is no part of the user's history, which is read and not written. -n: what has
  # not been read yet, since bash itself does that only after this file.
  \builtin history -n >/dev/null || :
  \builtin unset HISTFILE >/dev/null || :
  # PS0 came with 4.4. Without it nobody can tell where the output begins.
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 404)); then
    __repartee_marks
    if [[ -n ${'$'}{PROMPT_COMMAND+set} && ${'$'}{PROMPT_COMMAND@a} == *r* ]]; then
      PS1='\[\e]133;D;$?;aid=${'$'}{__repartee_aid-}\a\e]133;A;aid=${'$'}{__repartee_aid-}\a\]'$PS1
    elif ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
      # One string: bash does not restore the exit code between its parts.
      PROMPT_COMMAND='${OLD_BEFORE.join('\n')}'$'\n'"${'$'}{PROMPT_COMMAND-}"$'\n''${OLD_AFTER}'
    elif [[ $1 == "trap -- '"* ]]; then
      PROMPT_COMMAND=('${TELL}' '${KEEP}' ${'$'}{PROMPT_COMMAND[@]+"${'$'}{PROMPT_COMMAND[@]}"})
    else
      PROMPT_COMMAND=('${TELL}' ${'$'}{PROMPT_COMMAND[@]+"${'$'}{PROMPT_COMMAND[@]}"} '${KEEP}')
    fi
  fi
}
if [[ $__repartee_how == files && -r ~/.bashrc ]]; then
  . ~/.bashrc
fi
# Asked here: a function has no DEBUG trap.
{ __repartee_install "$(POSIXLY_CORRECT=; \trap -p DEBUG)"; } 2>/dev/null
`;
