import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MakeScene } from '../scenes.ts';
import { isRoot } from './run.ts';
import { makeUser } from './user.ts';

/**
 * An ordinary user: $BECOME runs a command as them. Where we are one ourselves, that is us, $BECOME
 * is empty and nobody knows the password.
 */
export const ordinary: MakeScene = async (folder) => {
  if (!isRoot) return { env: { BECOME: '' }, strike: async () => {} };
  const home = join(folder, 'home');
  mkdirSync(home);
  chmodSync(folder, 0o711);
  const user = await makeUser(home);
  return { env: { BECOME: user.become, WHO: user.name }, strike: user.remove };
};
