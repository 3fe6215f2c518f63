/** Where the programs are that the tests drive. */
import { existsSync, readdirSync } from 'node:fs';

/** Debian keeps the servers of several versions of PostgreSQL apart. */
const versions = '/usr/lib/postgresql';

const folders = () => [
  ...['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/games'],
  ...(existsSync(versions) ? readdirSync(versions).map((name) => `${versions}/${name}/bin`) : []),
];

/**
 * A program by its name, or a file of a package by its path.
 * @type {(program: string) => boolean}
 */
export const isInstalled = (program) =>
  program.startsWith('/')
    ? existsSync(program)
    : folders().some((folder) => existsSync(`${folder}/${program}`));
