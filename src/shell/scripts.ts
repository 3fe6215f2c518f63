/**
 * The scripts, as files that shells can read: in a folder for its user alone, which is there only
 * while shells are starting. They hold nothing secret; what a crash leaves of them does no harm, and
 * goes when the next process needs some.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isOutOfDescriptors } from '../system/descriptors.ts';
import { makePrivateFolder, writePrivate } from '../system/files/private-files.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { makeMarkedFolder, sweepLeftovers } from './leftovers.ts';
import { zshScript } from './zsh.ts';

export interface ScriptFiles {
  bash: string;
  fish: string;
  /** A folder: what zsh takes for the user's. */
  zsh: string;
  /** Whoever has borrowed them has read them. */
  release(): void;
}

let folder = '';
let hasSwept = false;
let borrowers = 0;

export const leaseScripts = (): ScriptFiles => {
  // Temporary folders are cleaned by their age, and a shell may start for ever.
  if (borrowers === 0 || !existsSync(join(folder, 'zsh', '.zshenv'))) folder = write();
  borrowers++;
  let isBorrowed = true;
  return {
    bash: join(folder, 'bash'),
    fish: join(folder, 'fish'),
    zsh: join(folder, 'zsh'),
    release() {
      if (!isBorrowed) return;
      isBorrowed = false;
      if (--borrowers === 0) remove(folder);
    },
  };
};

const remove = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    // Without a descriptor to list it with it stays, and is swept away like other leftovers.
    if (!isOutOfDescriptors(error)) throw error;
  }
};

const write = (): string => {
  // Once is enough: whoever is killed while shells are starting leaves one.
  if (!hasSwept) sweepLeftovers();
  hasSwept = true;
  const made = makeMarkedFolder();
  makePrivateFolder(join(made, 'zsh'));
  const files = { bash: bashScript, fish: fishScript, 'zsh/.zshenv': zshScript };
  for (const [name, text] of Object.entries(files)) {
    writePrivate(join(made, name), text);
  }
  return made;
};
