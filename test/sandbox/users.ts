/** Who holds a sandbox: root and an ordinary user where we are root, otherwise ourselves. */
import type { TestAPI } from 'vitest';
import { NOBODY } from '../helpers/daemon/nobody.ts';
import { asRoot, openToOthers } from '../helpers/needs.ts';

/** `test`: for what the tests need. */
export const usersFor = (test: TestAPI): [user: string, uid: number, test: TestAPI][] => {
  const own = process.getuid!();
  if (own !== 0) return [['a user', own, test]];
  return [
    ['root', 0, asRoot(test)],
    ['a user', NOBODY, openToOthers(test)],
  ];
};
