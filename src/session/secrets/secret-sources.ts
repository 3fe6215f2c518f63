/**
 * Sources of secrets: the environment of the caller's process, and files in the configuration folder.
 *
 * A file's first line is the value. Later lines may be `allow: raw, remote, host box` and
 * `programs: psql, pg_dump`.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretFileExposed, UnusableSecret } from '../../errors.ts';
import { ownConfigFolder } from '../../system/files/user-folders.ts';
import {
  type Secret,
  type SecretPermission,
  type SecretSource,
  secretPermissions,
  secretsFrom,
} from './secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const SECRET_VARIABLE = /^REPARTEE_SECRET_(.+)$/;

/** What the command line and the MCP server use: the environment first, then the files. */
export const standardSecrets = (env: Environment = process.env): SecretSource =>
  secretsFrom(environmentSecrets(env), fileSecrets(secretsFolder(env)));

/** `REPARTEE_SECRET_MY_DB` can be named `my_db` or `my-db`. */
export const environmentSecrets = (env: Environment = process.env): SecretSource => ({
  find: (name) => {
    const value = env[`REPARTEE_SECRET_${name.toUpperCase().replaceAll(/[.-]/g, '_')}`];
    return value === undefined || value === '' ? undefined : { name, value };
  },
  // No variable can say on which hosts.
  names: (_program, host) =>
    Object.keys(host === undefined ? env : {}).flatMap((variable) => {
      const name = SECRET_VARIABLE.exec(variable)?.[1];
      return name === undefined || !env[variable] ? [] : name.toLowerCase();
    }),
});

export const secretsFolder = (env: Environment = process.env): string =>
  join(ownConfigFolder(env), 'secrets');

export const fileSecrets = (folder: string): SecretSource => ({
  find: (name) => {
    const lines = VALID_NAME.test(name) ? readSecretFile(join(folder, name)) : undefined;
    return lines && parse(name, lines);
  },
  names: (program, host) =>
    filesIn(folder).filter((name) => {
      try {
        const { programs, hosts = [] } = parse(name, readSecretFile(join(folder, name)) ?? []);
        if (host !== undefined && !hosts.includes(host)) return false;
        return program === undefined || !programs || programs.includes(program);
      } catch {
        // Offered all the same: `find` throws what is wrong with it.
        return true;
      }
    }),
});

/** The name of a file in that folder, and no other path. */
const VALID_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && VALID_NAME.test(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch {
    // Missing or unreadable: there is nothing to offer. `find` throws what is wrong.
    return [];
  }
};

const MAX_FILE_BYTES = 64 * 1024;

/** The file's lines. Undefined if there is no such file. */
const readSecretFile = (path: string): string[] | undefined => {
  let fd: number;
  try {
    // Nonblocking: opening a named pipe would block forever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    // Of the open file: another file may have got its name meanwhile.
    const { mode, uid, size } = fstatSync(fd);
    const file = { path, mode: mode & 0o777, owner: uid };
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) throw new SecretFileExposed(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > MAX_FILE_BYTES)
      throw new UnusableSecret(path, 'it is no small text file');
    const bytes = readFileSync(fd);
    const lines = bytes.toString().split(/\r?\n/);
    bytes.fill(0);
    return lines;
  } finally {
    closeSync(fd);
  }
};

const isMissing = (error: unknown) =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '');

const parse = (name: string, [value = '', ...settings]: readonly string[]): Secret => {
  const secret: Secret = { name, value };
  for (const line of settings) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, key, list = ''] = /^(\w+):(.*)$/.exec(line) ?? [];
    const words = list.split(/[\s,]+/).filter((word) => word !== '');
    if (key === 'programs') secret.programs = words;
    else if (key === 'allow' && readPermissions(secret, words)) continue;
    // The error does not quote the line: it may be the second line of a secret.
    else
      throw new UnusableSecret(name, 'after its first line only "allow:" and "programs:" follow');
  }
  return secret;
};

/** `raw, remote, host box`. Returns false if there is anything else. */
const readPermissions = (secret: Secret, words: readonly string[]): boolean => {
  const isHost = (at: number) => words[at - 1] === 'host';
  const hosts = words.filter((_, at) => isHost(at));
  if (hosts.length > 0) secret.hosts = hosts;
  const others = words.filter((word, at) => word !== 'host' && !isHost(at));
  if (words.at(-1) === 'host' || !others.every(isPermission)) return false;
  secret.allow = others;
  return true;
};

const isPermission = (word: string): word is SecretPermission =>
  (secretPermissions as readonly string[]).includes(word);
