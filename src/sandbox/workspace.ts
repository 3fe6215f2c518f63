/** The workspace: the folder that programs may write. It is named by who starts the door, never by an agent. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { WorkspaceRefused } from '../errors.ts';
import { isWithin, realPath } from './paths.ts';

export interface HiddenFromWorkspace {
  /** All that is hidden. What a profile hides may lie in the workspace. */
  hide: readonly string[];
  /** What is always hidden, which may not. */
  keys: readonly string[];
  home: string;
}

/** Returns its real path. Throws if it would let out what is hidden. */
export const checkWorkspace = (
  workspace: string | undefined,
  profile: string,
  { hide, keys, home }: HiddenFromWorkspace,
): string => {
  if (workspace === undefined)
    throw new WorkspaceRefused('', `the profile "${profile}" needs one, and none was named`);
  const folder = realPath(workspace);
  if (folder === undefined) throw new WorkspaceRefused(workspace, 'it does not exist');
  const refuse = (reason: string): never => {
    throw new WorkspaceRefused(folder, reason);
  };
  if (!statSync(folder).isDirectory()) refuse('it is not a folder');
  const realHome = realPath(home) ?? home;
  if (isWithin(realHome, folder)) refuse('the home folder is in it, with all its keys');
  if (
    tooBroad.some((path) => isWithin(path, folder)) ||
    systemOwned.some((path) => isWithin(folder, path))
  )
    refuse('it belongs to the system');
  const within = hide.find((path) => isWithin(folder, path));
  if (within !== undefined) refuse(`it lies in ${within}, which is hidden`);
  const hidden = keys.find((path) => isWithin(path, folder));
  if (hidden !== undefined) refuse(`${hidden} is in it, which is hidden`);
  return folder;
};

const tooBroad = ['/home', '/tmp', '/run', '/var/tmp'];
const systemOwned = [
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/run',
  '/sbin',
  '/sys',
  '/usr/bin',
  '/usr/lib',
  '/usr/sbin',
];

/**
 * What stays read-only in a workspace: a program outside reads it, and does what it says. The folders that
 * hold them can still be written, but not moved away to put others in their place.
 */
const guarded: readonly [folder: string | undefined, name: string][] = [
  ['.git', 'hooks'],
  ['.git', 'config'],
  ...[
    '.claude',
    '.codex',
    '.continue',
    '.cursor',
    '.devcontainer',
    '.envrc',
    '.gemini',
    '.idea',
    '.mcp.json',
    '.opencode',
    '.qwen',
    '.repartee',
    '.vscode',
    '.windsurf',
    '.zed',
    'opencode.json',
  ].map((name): [undefined, string] => [undefined, name]),
];

export interface GuardedPaths {
  /** Folders that cannot be moved. */
  folders: string[];
  /** What cannot be changed. */
  files: string[];
}

/** Those that exist now. A link is left as it is: what it leads to may be elsewhere. */
export const guardedPaths = (workspace: string): GuardedPaths => {
  const found: GuardedPaths = { folders: [], files: [] };
  const isThere = (path: string) => realPath(path) === path;
  for (const [folder, name] of guarded) {
    const parent = folder === undefined ? workspace : join(workspace, folder);
    if (!isThere(parent) || !isThere(join(parent, name))) continue;
    if (parent !== workspace && !found.folders.includes(parent)) found.folders.push(parent);
    found.files.push(join(parent, name));
  }
  return found;
};
