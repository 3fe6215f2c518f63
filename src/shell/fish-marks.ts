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
function __repartee_done --argument-names code unseen
    builtin printf '\e]7;file://%s%s\a\e]133;D;%s;aid=%s%s\a' (builtin string replace -ar '[^A-Za-z0-9.-]' '' -- "$hostname" | builtin string collect) (builtin string escape --style=url -- $PWD) $code $__repartee_aid $unseen >/dev/tty
end
function __repartee_postexec --on-event fish_postexec
    set -l code $status
    if set -q __repartee_ran
        __repartee_done $code
    else
        __repartee_done $code ';unseen'
    end
    set -e __repartee_ran
end
# Handlers are called in the order in which they were defined. The user's own come after this one, so that
# what they print is not taken for output.
for __repartee_name in (builtin functions --handlers-type generic | builtin string replace -rf '^fish_postexec ' '')
    if test $__repartee_name != __repartee_postexec
        builtin functions -- $__repartee_name | builtin source
    end
end
set -e __repartee_name
function __repartee_posterror --on-event fish_posterror
    __repartee_done 127
    __repartee_prompt
end
function __repartee_cancel --on-event fish_cancel
    builtin printf '\e]7133;%s;dropped\a' $__repartee_aid >/dev/tty
end
function __repartee_prompt --on-event fish_prompt
    builtin printf '\e]133;A;aid=%s\a' $__repartee_aid >/dev/tty
    # Defined anew it comes after the user's own.
    function __repartee_preexec --on-event fish_preexec
        set -g __repartee_ran 1
        builtin printf '\e]133;C;aid=%s\a' $__repartee_aid >/dev/tty
    end
end
`;
