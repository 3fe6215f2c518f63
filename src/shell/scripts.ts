/**
 * The scripts, as files that shells can read: in a folder for its user alone, which is there only
 * while shells are starting. They hold nothing secret, so what a crash leaves of them does no harm.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

export interface Scripts {
  bash: string;
  fish: string;
  /** A folder: what zsh takes for the user's. */
  zsh: string;
  /** Whoever has borrowed them has read them. */
  giveBack(): void;
}

let folder = '';
let borrowers = 0;

export const borrowScripts = (): Scripts => {
  // Temporary folders are cleaned by their age, and a shell may start for ever.
  if (borrowers === 0 || !existsSync(join(folder, 'zsh', '.zshenv'))) folder = write();
  borrowers++;
  let isBorrowed = true;
  return {
    bash: join(folder, 'bash'),
    fish: join(folder, 'fish'),
    zsh: join(folder, 'zsh'),
    giveBack() {
      if (isBorrowed && --borrowers === 0) rmSync(folder, { recursive: true, force: true });
      isBorrowed = false;
    },
  };
};

const write = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'repartee-shell-'));
  mkdirSync(join(made, 'zsh'));
  const files = { bash: bashScript, fish: fishScript, 'zsh/.zshenv': zshScript };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(made, name), text, { mode: 0o600 });
  }
  return made;
};
