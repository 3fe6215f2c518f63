/**
 * What gives fish its marks. It calls hooks for all that matters, so nothing of the user's is touched.
 *
 * A line that does not parse is not run: fish says what is wrong and gives the line back to be edited.
 * No prompt is begun when the user drops that line, so this has a mark of its own.
 */

/** Read after the user's files. REPARTEE_SHELL is `AID:files` or `AID:clean`. */
export const fishScript = String.raw`
set -g __repartee_aid (string split -f 1 : -- $REPARTEE_SHELL)
set -e REPARTEE_SHELL
# In memory only: what is typed here is no part of the user's history.
set -g fish_history ''
function __repartee_done --argument-names code
    printf '\e]7;file://%s%s\a\e]133;D;%s;aid=%s\a' "$hostname" (string escape --style=url -- $PWD) $code $__repartee_aid >/dev/tty
end
function __repartee_preexec --on-event fish_preexec
    printf '\e]133;C;aid=%s\a' $__repartee_aid >/dev/tty
end
function __repartee_postexec --on-event fish_postexec
    __repartee_done $status
end
function __repartee_posterror --on-event fish_posterror
    __repartee_done 127
    __repartee_prompt
end
function __repartee_cancel --on-event fish_cancel
    printf '\e]7133;%s;dropped\a' $__repartee_aid >/dev/tty
end
function __repartee_prompt --on-event fish_prompt
    printf '\e]133;A;aid=%s\a' $__repartee_aid >/dev/tty
end
`;
