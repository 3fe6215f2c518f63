/**
 * Writes the scripts to files that shells can read, in a folder that only the user can open.
 *
 * The folder exists only while shells are starting. The scripts hold no secrets. A folder left by a
 * crash does no harm, and the next process that writes scripts removes it.
 *
 * The key of a shell's marks is in a file of its own, which the shell empties when it has read it. In the
 * environment, every child could read it for as long as the shell lives (/proc/PID/environ).
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isOutOfDescriptors } from '../system/descriptors.ts';
import { makePrivateFolder, writePrivateFile } from '../system/files/private-files.ts';
import { bashMarksScript } from './bash-marks.ts';
import { fishMarksScript } from './fish-marks.ts';
import { makeFolderOfProcess, removeLeftoverFolders } from './leftover-folders.ts';
import { zshMarksScript } from './zsh-marks.ts';

export interface ShellScriptFiles {
  bash: string;
  fish: string;
  /** A folder, used as ZDOTDIR. */
  zsh: string;
  /** Holds the key of this shell alone. */
  key: string;
  /** Call this when the shell has read its script. */
  release(): void;
}

let folder = '';
let hasSwept = false;
let leases = 0;
let lastKey = 0;

export const leaseShellScripts = (key: string): ShellScriptFiles => {
  // The system deletes old files in the temporary folder, and a shell may hang while it starts.
  if (leases === 0 || !existsSync(join(folder, 'zsh', '.zshenv'))) folder = writeScripts();
  const keyFile = join(folder, `key-${++lastKey}`);
  writePrivateFile(keyFile, key);
  leases++;
  let isLeased = true;
  return {
    bash: join(folder, 'bash'),
    fish: join(folder, 'fish'),
    zsh: join(folder, 'zsh'),
    key: keyFile,
    release() {
      if (!isLeased) return;
      isLeased = false;
      rmSync(keyFile, { force: true });
      if (--leases === 0) removeFolder(folder);
    },
  };
};

const removeFolder = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // Listing the folder needs a descriptor. Without one it stays, and becomes a leftover.
    if (!isOutOfDescriptors(error)) throw error;
  }
};

const writeScripts = (): string => {
  // Once per process is enough: a process leaves at most one folder, when it is killed.
  if (!hasSwept) removeLeftoverFolders();
  hasSwept = true;
  const path = makeFolderOfProcess();
  makePrivateFolder(join(path, 'zsh'));
  const files = { bash: bashMarksScript, fish: fishMarksScript, 'zsh/.zshenv': zshMarksScript };
  for (const [name, text] of Object.entries(files)) {
    writePrivateFile(join(path, name), text);
  }
  return path;
};
