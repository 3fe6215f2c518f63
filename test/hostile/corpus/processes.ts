/** Programs that fork, leave, hide or take on names, and set-ups of shells. */
import type { HostileCase } from '../hostile-case.ts';

const modes: Record<string, { what: string; isRestless?: true }> = {
  tree: { what: 'a tree of processes that ignore all but SIGKILL' },
  leavers: { what: 'forty that leave the session, the environment and the terminal' },
  orphans: { what: 'forty that leave after their parents have ended' },
  phoenix: { what: 'one that forks itself anew every 2 ms', isRestless: true },
  'phoenix-left': { what: 'one that has left and forks itself anew', isRestless: true },
  phoenixes: { what: 'eight that have left and fork themselves anew', isRestless: true },
  stopped: { what: 'ten that have stopped themselves' },
  zombies: { what: 'a hundred zombies' },
  signals: { what: 'one that forks at each signal' },
  brief: { what: 'a hundred that end at once' },
  groups: { what: 'thirty in groups of their own that ignore all but SIGKILL' },
  terminal: { what: 'one that has left and holds the terminal' },
  closed: { what: 'one that has closed its terminal' },
  exec: { what: 'one that becomes itself again and again' },
  memory: { what: 'one that takes 256 MB' },
  descriptors: { what: 'one that takes 900 descriptors' },
};

const forking: HostileCase[] = Object.entries(modes).flatMap(([mode, { what, isRestless }]) => {
  const common = { kind: 'processes', program: ['forks.py', mode] } as const;
  const forced: HostileCase = { ...common, name: `${what}, closed by force`, isForced: true };
  return isRestless ? [forced] : [{ ...common, name: what }, forced];
});

/** By force they are not ended: the honest session may have started them, for all that can be known. */
const unmarked: HostileCase = {
  kind: 'processes',
  name: 'forty that leave without a mark after their parents have ended',
  program: ['forks.py', 'unmarked'],
};

const names: Record<string, string[]> = {
  'names with escape sequences': ['\\x1b[2J', '\\x1b]0;x\\x07', '\\r\\n$ '],
  'names that look like /proc': [') R 1 1', '(a) S 1', ') Z 0 0 0'],
  'names that are no UTF-8': ['\\xff\\xfe', '\\xc0', '\\x80\\x81'],
  'names of others': ['bash', 'repartee-daemon', 'init', 'python3'],
  'empty and blank names': ['', ' ', '\\t', '\\x7f'],
};

const shells: Record<string, string> = {
  'a prompt that floods': 'PROMPT_COMMAND=\'head -c 200000 /dev/zero | tr "\\0" x\'',
  'a prompt of 100 KB': 'PS1=$(head -c 100000 /dev/zero | tr "\\0" "#")',
  'a prompt that resets the terminal': "PS1='\\e[2J\\e[999b\\ec\\e[1000;1000H$ '",
  'a prompt that questions the terminal':
    'PROMPT_COMMAND=\'printf "\\033[6n\\033[c\\033]11;?\\007"\'',
  'a shell that ignores all signals': "trap '' HUP INT QUIT TERM TSTP",
  'a shell in raw mode': 'stty raw -echo; PS1=x',
  'a shell with no terminal left': 'exec </dev/null >/dev/null 2>&1; sleep 4',
  'a shell that starts itself':
    '[ "$SHLVL" -lt 20 ] && bash --norc -c "SHLVL=$((SHLVL+1)) bash -i"; sleep 1',
  'a shell that prints in the background':
    '(while :; do printf "\\033[2J\\033[1;1Hx"; done) & sleep 4; kill $!',
  'false marks of a shell':
    'PROMPT_COMMAND=\'printf "\\033]133;D;0\\007\\033]133;A\\007\\033]133;C\\007"\'',
};

export const processCases: HostileCase[] = [
  ...forking,
  unmarked,
  ...Object.entries(names).map(([name, list]) => ({
    kind: 'names',
    name,
    program: ['names.py', ...list] as const,
    isForced: true as const,
  })),
  ...Object.entries(shells).map(([name, setUp]) => ({
    kind: 'shells',
    name,
    shell: setUp,
  })),
];
