/**
 * The script that makes fish print marks. fish has an event for everything we need, so no setting
 * of the user is touched.
 *
 * fish does not run a line that does not parse. It prints the error and lets the user edit the
 * line. No prompt begins when the user drops that line, so this has a mark of its own.
 */

/** Read after the user's files. REPARTEE_SHELL is `files:KEYFILE` or `clean:KEYFILE`. */
export const fishMarksScript = String.raw`
set -g __repartee_aid (builtin string split -m 1 -f 2 : -- $REPARTEE_SHELL)
builtin read -l __repartee_key <$__repartee_aid
builtin printf '' >$__repartee_aid
set -g __repartee_aid $__repartee_key
set -e REPARTEE_SHELL
# In memory only: what is typed here is no part of the user's history.
set -g fish_history ''
function __repartee_done --argument-names code
    builtin printf '\e]7;file://%s%s\a\e]133;D;%s;aid=%s\a' "$hostname" (builtin string escape --style=url -- $PWD) $code $__repartee_aid >/dev/tty
end
function __repartee_preexec --on-event fish_preexec
    builtin printf '\e]133;C;aid=%s\a' $__repartee_aid >/dev/tty
end
function __repartee_postexec --on-event fish_postexec
    __repartee_done $status
end
function __repartee_posterror --on-event fish_posterror
    __repartee_done 127
    __repartee_prompt
end
function __repartee_cancel --on-event fish_cancel
    builtin printf '\e]7133;%s;dropped\a' $__repartee_aid >/dev/tty
end
function __repartee_prompt --on-event fish_prompt
    builtin printf '\e]133;A;aid=%s\a' $__repartee_aid >/dev/tty
end
`;
