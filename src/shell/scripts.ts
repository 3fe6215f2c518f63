/**
 * The scripts, as files that shells can read: in a folder of this process, for its user alone. They
 * hold nothing that is secret, so what is left of them after a crash does no harm.
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
}

let folder: string | undefined;

export const scripts = (): Scripts => {
  // Temporary folders are cleaned by their age, and a daemon may grow older.
  if (folder === undefined || !existsSync(join(folder, 'zsh', '.zshenv'))) folder = write();
  return { bash: join(folder, 'bash'), fish: join(folder, 'fish'), zsh: join(folder, 'zsh') };
};

const write = (): string => {
  const made = mkdtempSync(join(tmpdir(), 'repartee-shell-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  mkdirSync(join(made, 'zsh'));
  const files = { bash: bashScript, fish: fishScript, 'zsh/.zshenv': zshScript };
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(made, name), text, { mode: 0o600 });
  }
  return made;
};
