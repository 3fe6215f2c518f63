import { basename } from 'node:path';
import { NameTaken, UnusableName } from '../errors.ts';

/** Readable in a URL, a file name and a shell without quoting. */
const PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The name asked for, or one after the program: python3, then python3-2. */
export const nameFor = (
  asked: string | undefined,
  program: string,
  isTaken: (name: string) => boolean,
): string => {
  if (asked !== undefined) {
    if (!PATTERN.test(asked)) throw new UnusableName(asked);
    if (isTaken(asked)) throw new NameTaken(asked);
    return asked;
  }
  const plain = basename(program)
    .replace(/[^A-Za-z0-9._-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  const base = plain.slice(0, 56) || 'session';
  let name = base;
  for (let at = 2; isTaken(name); at++) name = `${base}-${at}`;
  return name;
};
