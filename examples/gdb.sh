#!/bin/sh
# A conversation with gdb through the command line alone: why does this program never end?
#
# Each step relies on an exit code of `repartee send`: 0 it wants input, 3 time was up and it works
# on, 4 it has exited. Nothing sleeps, nothing polls, nothing looks for a prompt. Needs gdb and a C
# compiler; REPARTEE names the command line where it is not on the path.
set -eu

repartee=${REPARTEE:-repartee}
session=gdb-$$
work=$(mktemp -d)
trap '$repartee close $session 2>/dev/null || :; rm -rf "$work"' EXIT

say() { printf '\n== %s\n' "$1"; }

# expect CODE SEND-ARGUMENTS...: types, prints the answer, and insists on the exit code.
expect() {
  wanted=$1
  shift
  printf '(gdb) %s\n' "$*"
  code=0
  $repartee send "$session" "$@" 2>"$work/verdict" >"$work/answer" || code=$?
  cat "$work/answer"
  [ "$code" -eq "$wanted" ] && return
  printf 'expected exit code %s, got %s: ' "$wanted" "$code" >&2
  cat "$work/verdict" >&2
  exit 1
}

cat >"$work/steps.c" <<'C'
#include <stdio.h>

static int steps(long n) {
  int count = 0;
  while (n != 1) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    count++;
  }
  return count;
}

int main(void) {
  for (long n = 3; n >= 0; n--) printf("%ld takes %d steps\n", n, steps(n));
  return 0;
}
C
${CC:-cc} -g -O0 -o "$work/steps" "$work/steps.c"

say 'gdb starts, and is ready'
$repartee open --name "$session" -- gdb -q -nx -iex 'set debuginfod enabled off' "$work/steps"

say 'The program runs, and does not come back: exit code 3'
expect 3 run --timeout 2s

say 'Interrupted with the key that a person would press, gdb is ready again'
expect 0 --keys C-c

say 'Where is it, and what is n?'
expect 0 backtrace
expect 0 'print n'
grep -q '= 0$' "$work/answer" || { echo 'n should be 0' >&2; exit 1; }

say 'gdb asks before it kills the program; the answer ends it: exit code 4'
expect 0 quit
grep -q '(y or n)' "$work/verdict" || { cat "$work/verdict" >&2; exit 1; }
expect 4 y

say 'Found: 0 is even, and half of it is 0. The loop should end below 2.'
