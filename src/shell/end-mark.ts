/** Wraps a command line for a new shell so that it reports its exit code and folder at its end. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';

/**
 * A syntax error quotes the line it is on, and `set -x` prints every command. The command is passed
 * as an argument, and the trace is switched off, so that neither shows any of this wrapper.
 */
const posix = (aid: string) =>
  '__repartee_command=$1; shift; eval "$__repartee_command"; { set -- "$?"; set +x; ' +
  `command printf '\\033]7133;${aid};end;%s;%s\\007' "$1" "$PWD"; } 2>/dev/null; exit "$1"`;

const fish = (aid: string) =>
  'set -g __repartee_command $argv[1]; set -e argv[1]; builtin eval $__repartee_command; ' +
  `set -g __repartee_command $status; builtin printf '\\033]7133;${aid};end;%s;%s\\007' ` +
  '$__repartee_command "$PWD"; exit $__repartee_command';

/** `command` is a shell, its flags, `-c` and a command line. Unknown shells are not wrapped. */
export const withEndMark = (
  command: readonly string[],
): { aid: string; command: readonly string[] } => {
  const aid = randomBytes(8).toString('hex');
  const [shell = ''] = command;
  const line = command.at(-1)!;
  const script = scripts[basename(shell)]?.(aid);
  if (script === undefined) return { aid, command };
  // The first argument after the script is $0, except in fish.
  const args = basename(shell) === 'fish' ? [line] : [shell, line];
  return { aid, command: [...command.slice(0, -1), script, ...args] };
};

const scripts: Readonly<Record<string, (aid: string) => string>> = {
  bash: posix,
  dash: posix,
  fish,
  ksh: posix,
  mksh: posix,
  sh: posix,
  zsh: posix,
};
