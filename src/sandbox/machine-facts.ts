/** Looks up what the machine has, for the arguments of bubblewrap. */

import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { machineWideProc } from '../system/proc/machine-info.ts';
import type { MachineFacts } from './bubblewrap-arguments.ts';
import { coverSockets, outermost } from './hidden-paths.ts';
import { isWithin, realPath } from './paths.ts';
import type { Sandbox } from './sandbox.ts';
import { guardedPaths } from './workspace.ts';

/** What programs need to start at all, and what they expect to find. */
const systemFolders = [
  '/bin',
  '/etc',
  '/lib',
  '/lib32',
  '/lib64',
  '/opt',
  '/sbin',
  '/sys',
  '/usr',
  '/nix',
  '/gnu',
];

export const machineFacts = (
  sandbox: Sandbox,
  env: NodeJS.ProcessEnv = process.env,
): MachineFacts => {
  const { write, read, hide, workspace } = sandbox;
  const listed = [write, read].flatMap((paths) => (paths === 'all' ? [] : paths));
  // Some have their home in a temporary folder.
  const home = realPath(env.HOME || homedir());
  const readable = read === 'all' ? [home, workspace].filter((path) => path !== undefined) : [];
  const needed = workspace === undefined ? listed : [...listed, workspace];
  const sockets = coverSockets(env, { needed, shown: readable });
  const isCovered = (path: string) => sockets.folders.some((folder) => isWithin(path, folder));
  const shown = readable.filter(isCovered);
  // What lies in an empty folder needs not be hidden, unless it is shown again.
  const isShown = (path: string) =>
    !isCovered(path) || [...listed, ...shown].some((folder) => isWithin(path, folder));
  const hidden = outermost(hide).filter((path) => isShown(path) && isThere(path));
  const isFolder = (path: string) => statSync(path).isDirectory();
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  const system = read === 'all' || write === 'all' ? [] : systemFolders.filter(isThere);
  const { readOnly, hidden: inProc } = machineWideProc();
  return {
    proc: {
      readOnly,
      folders: inProc.filter(isFolder),
      files: inProc.filter((path) => !isFolder(path)),
    },
    sockets,
    shown,
    hidden: {
      folders: hidden.filter(isFolder),
      files: hidden.filter((path) => !isFolder(path)),
    },
    guarded:
      write === 'all' || workspace === undefined || !write.includes(workspace)
        ? { folders: [], files: [] }
        : guardedPaths(workspace),
    system: system.filter((path) => !isLink(path)),
    links: system.filter(isLink).map((path) => [path, readlinkSync(path)]),
  };
};

const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
