/** What no sandbox shows: keys and passwords, our own folders, and sockets through which others work. */
import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { ownConfigFolder, stateFolder } from '../system/files/user-folders.ts';
import { realProc } from '../system/proc/proc.ts';
import { socketTableRows } from '../system/proc/socket-table.ts';
import { isWithin, realPath } from './paths.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where programs keep what lets them in elsewhere, below the home folder. */
const credentials = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/op',
  '.config/rclone',
  '.config/sops',
  '.docker',
  '.kube',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.config/git/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.pgpass',
  '.my.cnf',
  '.password-store',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.mozilla',
  '.config/google-chrome',
  '.config/chromium',
  '.terraform.d',
  '.vault-token',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
];

/** Root could read these also without its capabilities. */
const ofTheSystem = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/sudoers',
];

/** As they are named; some may not exist. */
export const alwaysHidden = (env: Env): string[] => {
  const home = env.HOME || homedir();
  return [
    ...credentials.map((path) => join(home, path)),
    ...ofTheSystem,
    ownConfigFolder(env),
    stateFolder(env),
  ];
};

/** Folders in which sockets come and go. They look empty, so that one made later is hidden too. */
const socketFolders = ['/tmp', '/run', '/var/run', '/var/tmp'];

export interface CoveredSockets {
  folders: string[];
  /** Those that lie in `shown`. */
  inShown: string[];
  /** Sockets in folders that programs need. */
  files: string[];
}

export interface ShownPaths {
  /** What may be written, or read by name. */
  needed: readonly string[];
  /** What is shown also if it lies in a folder that looks empty. */
  shown: readonly string[];
}

/**
 * The folders of all sockets that this machine has now. Where programs must see the folder, only the socket
 * is covered: in `needed`, and in what holds one of them, the home folder or the system.
 */
export const coverSockets = (
  env: Env,
  { needed, shown }: ShownPaths,
  sockets: readonly string[] = boundSockets(),
): CoveredSockets => {
  const home = env.HOME || homedir();
  const always = [...socketFolders, ...(env.XDG_RUNTIME_DIR ? [env.XDG_RUNTIME_DIR] : [])];
  const folders = new Set(always.flatMap((path) => realPath(path) ?? []));
  const inShown = new Set<string>();
  const files: string[] = [];
  const isBroad = (folder: string) =>
    systemFolders.includes(folder) || [home, ...needed].some((path) => isWithin(path, folder));
  for (const socket of sockets) {
    const folder = realPath(dirname(socket));
    if (folder === undefined || !isSocket(socket)) continue;
    if (needed.some((path) => isWithin(folder, path))) files.push(join(folder, basename(socket)));
    else if (isBroad(folder)) files.push(join(folder, basename(socket)));
    else if (shown.some((path) => isWithin(folder, path))) inShown.add(folder);
    else folders.add(folder);
  }
  return { folders: outermost([...folders]), inShown: outermost([...inShown]), files };
};

/** Without these no program starts. */
const systemFolders = [
  '/',
  '/bin',
  '/dev',
  '/etc',
  '/home',
  '/lib',
  '/lib64',
  '/opt',
  '/sbin',
  '/sys',
  '/usr',
  '/usr/bin',
  '/usr/lib',
  '/usr/local',
  '/usr/sbin',
  '/var',
  '/var/lib',
];

/** Without those that lie in another one. */
export const outermost = (folders: readonly string[]): string[] =>
  folders
    .filter((path) => !folders.some((other) => other !== path && isWithin(path, other)))
    .sort();

/** The paths of all sockets that somebody has bound. Others have abstract names, or none. */
const boundSockets = (): string[] =>
  socketTableRows(process.pid, 'unix', realProc).flatMap((fields) => {
    const path = fields.slice(7).join(' ');
    return path.startsWith('/') ? path : [];
  });

const isSocket = (path: string): boolean => {
  try {
    return lstatSync(path).isSocket();
  } catch {
    return false;
  }
};
