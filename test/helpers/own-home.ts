/**
 * A home for the programs that tests start, so that none writes into that of the person who runs the tests:
 * shells, python, less and vim all keep a history there. A few (php, gnuplot, lf) ask the system and not
 * the environment for it, and cannot be told.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const before = process.env.HOME;
let home: string | undefined;

/** The processes in which tests run get it, since they are started after this. */
export const setup = (): void => {
  home = mkdtempSync(join(tmpdir(), 'repartee-own-home-'));
  // Without it, zsh asks a new user what to put there.
  writeFileSync(join(home, '.zshrc'), '');
  process.env.HOME = home;
};

export const teardown = (): void => {
  process.env.HOME = before;
  if (home !== undefined) rmSync(home, { recursive: true, force: true });
};
