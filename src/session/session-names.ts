/** Names of sessions: checks a requested name, or makes one from the program. */
import { basename } from 'node:path';
import { NameTaken, UnusableName } from '../errors.ts';

/** Can be used in a URL, a file name and a shell without quoting. */
const VALID_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The requested name, or one made from the program: python3, then python3-2. */
export const chooseSessionName = (
  requested: string | undefined,
  program: string,
  isTaken: (name: string) => boolean,
): string => {
  if (requested !== undefined) {
    if (!VALID_NAME.test(requested)) throw new UnusableName(requested);
    if (isTaken(requested)) throw new NameTaken(requested);
    return requested;
  }
  const valid = basename(program)
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  const base = valid.slice(0, 56) || 'session';
  let name = base;
  for (let number = 2; isTaken(name); number++) name = `${base}-${number}`;
  return name;
};
