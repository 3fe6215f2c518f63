/**
 * A sandbox as the arguments of bubblewrap. Pure: what the machine has is told.
 *
 * Mounts are made one after another, and a later one lies over an earlier one: first the whole system, then
 * empty folders over those of sockets, then what may be written, then what is hidden or guarded in that.
 */
import type { CoveredSockets } from './hidden-paths.ts';
import { isWithin } from './paths.ts';
import type { Sandbox } from './sandbox.ts';
import type { GuardedPaths } from './workspace.ts';

/** What the machine has now. Every path exists, and is no link. */
export interface MachineFacts {
  sockets: CoveredSockets;
  /** Of /proc, what is the whole machine's. */
  proc: { readOnly: readonly string[]; folders: readonly string[]; files: readonly string[] };
  /** Folders that are shown although they lie in one that looks empty. */
  shown: readonly string[];
  /** Of the sandbox's hidden paths. */
  hidden: { folders: readonly string[]; files: readonly string[] };
  guarded: GuardedPaths;
  /** Folders of the system that programs need, if not everything may be read. */
  system: readonly string[];
  /** Links such as /bin, with what they lead to. */
  links: readonly [path: string, target: string][];
}

/** What one program needs besides. */
export interface ProgramPlace {
  cwd: string;
  /** Files of ours that it reads at its start, wherever they are. */
  files?: { read: readonly string[]; write: readonly string[] };
}

/** The descriptor from which bubblewrap reads the seccomp filter. */
const FILTER_DESCRIPTOR = 3;

interface Mount {
  path: string;
  args: readonly string[];
  /** Nothing of what is below can be seen. */
  isEmpty?: boolean;
}

export const bubblewrapArguments = (
  sandbox: Sandbox,
  machine: MachineFacts,
  { cwd, files }: ProgramPlace,
): string[] => [
  '--unshare-user',
  '--disable-userns',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  ...(sandbox.network === 'all' ? [] : ['--unshare-net']),
  '--cap-drop',
  'ALL',
  '--seccomp',
  String(FILTER_DESCRIPTOR),
  ...mountsOf(sandbox, machine).flatMap(({ args }) => args),
  ...(files?.read ?? []).flatMap((path) => ['--ro-bind', path, path]),
  ...(files?.write ?? []).flatMap((path) => ['--bind', path, path]),
  // At the end: until then something may be mounted in them.
  ...machine.hidden.folders.flatMap((path) => ['--remount-ro', path]),
  '--chdir',
  cwd,
  '--',
];

/** Whether a program in the sandbox finds what is at this path outside. */
export const isVisible = (path: string, sandbox: Sandbox, machine: MachineFacts): boolean => {
  const over = mountsOf(sandbox, machine).filter((mount) => isWithin(path, mount.path));
  return over.at(-1)?.isEmpty !== true;
};

/** Whether a program can start here: also in a folder that is empty inside, such as the private /tmp. */
export const canStartIn = (folder: string, sandbox: Sandbox, machine: MachineFacts): boolean => {
  const last = mountsOf(sandbox, machine).findLast((mount) => isWithin(folder, mount.path));
  const isOwn = last?.path === folder && machine.sockets.folders.includes(folder);
  return isOwn || isVisible(folder, sandbox, machine);
};

const mountsOf = (sandbox: Sandbox, machine: MachineFacts): Mount[] => {
  const { write, read } = sandbox;
  const { proc, sockets, shown, hidden, guarded } = machine;
  const writable = write === 'all' ? [] : write;
  return [
    ...rootOf(sandbox, machine),
    { path: '/dev', args: ['--dev', '/dev'] },
    { path: '/proc', args: ['--proc', '/proc'] },
    ...proc.readOnly.map(readOnly),
    ...proc.folders.map(empty),
    ...proc.files.map(coverFile),
    ...sockets.folders.map(empty),
    ...shown.map((path) => bind(write === 'all' ? '--bind' : '--ro-bind', path)),
    ...sockets.inShown.map(empty),
    ...(read === 'all' ? [] : read).map(readOnly),
    ...writable.map((path) => bind('--bind', path)),
    ...sockets.files.map(coverFile),
    ...hidden.folders.map(hideFolder),
    ...hidden.files.map(coverFile),
    ...guarded.folders.map((path) => bind('--bind', path)),
    ...guarded.files.map(readOnly),
  ];
};

const rootOf = ({ write, read }: Sandbox, { system, links }: MachineFacts): Mount[] => {
  // What the kernel shows there is the whole machine's.
  if (write === 'all') return [bind('--bind', '/'), readOnly('/sys')];
  if (read === 'all') return [readOnly('/')];
  return [
    { path: '/', args: ['--tmpfs', '/'], isEmpty: true },
    ...system.map(readOnly),
    ...links.map(([path, target]) => ({ path, args: ['--symlink', target, path] })),
  ];
};

const bind = (option: '--bind' | '--ro-bind', path: string): Mount => ({
  path,
  args: [option, path, path],
});
const readOnly = (path: string) => bind('--ro-bind', path);
const empty = (path: string): Mount => ({ path, args: ['--tmpfs', path], isEmpty: true });
const hideFolder = (path: string): Mount => ({
  path,
  args: ['--perms', '0700', '--tmpfs', path],
  isEmpty: true,
});
const coverFile = (path: string): Mount => ({
  path,
  args: ['--ro-bind', '/dev/null', path],
  isEmpty: true,
});
