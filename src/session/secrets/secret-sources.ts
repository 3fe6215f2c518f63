/**
 * Where the doors find secrets: in the environment of the door's own process, and in files of the
 * configuration folder.
 *
 * A file's first line is the value. Lines after it may say `allow: raw, remote` and
 * `programs: psql, pg_dump`.
 */
import { closeSync, constants, fstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SecretFileExposed, UnusableSecret } from '../../errors.ts';
import { configHome } from '../../system/files/user-folders.ts';
import {
  type Secret,
  type SecretPermission,
  type SecretSource,
  secretPermissions,
  secretsFrom,
} from './secrets.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export const SECRET_VARIABLE = /^REPARTEE_SECRET_(.+)$/;

/** What the doors use: the environment first, then the files. */
export const standardSecrets = (env: Environment = process.env): SecretSource =>
  secretsFrom(environmentSecrets(env), fileSecrets(secretsFolder(env)));

/** `REPARTEE_SECRET_MY_DB` is called `my_db`, and `my-db` as well. */
export const environmentSecrets = (env: Environment = process.env): SecretSource => ({
  find: (name) => {
    const value = env[`REPARTEE_SECRET_${name.toUpperCase().replaceAll(/[.-]/g, '_')}`];
    return value === undefined || value === '' ? undefined : { name, value };
  },
  names: () =>
    Object.keys(env).flatMap((variable) => {
      const name = SECRET_VARIABLE.exec(variable)?.[1];
      return name === undefined || !env[variable] ? [] : name.toLowerCase();
    }),
});

export const secretsFolder = (env: Environment = process.env): string =>
  join(configHome(env), 'repartee', 'secrets');

export const fileSecrets = (folder: string): SecretSource => ({
  find: (name) => {
    const lines = nameShape.test(name) ? readSecretFile(join(folder, name)) : undefined;
    return lines && parse(name, lines);
  },
  names: (program) =>
    filesIn(folder).filter((name) => {
      try {
        const { programs } = parse(name, readSecretFile(join(folder, name)) ?? []);
        return program === undefined || !programs || programs.includes(program);
      } catch {
        // Offered all the same: whoever asks for it is told what is wrong with it.
        return true;
      }
    }),
});

/** A name is the name of a file in that folder, and nothing else. */
const nameShape = /^[A-Za-z0-9][\w.-]{0,63}$/;

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory() && nameShape.test(entry.name))
      .map(({ name }) => name)
      .sort();
  } catch {
    // Not there, or not ours to read: then there is nothing to offer. `find` says what is wrong.
    return [];
  }
};

const MOST_BYTES = 64 * 1024;

/** Its lines; undefined where there is no such file. */
const readSecretFile = (path: string): string[] | undefined => {
  let fd: number;
  try {
    // Nonblocking: a named pipe would keep us for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    // Of what was opened, whatever happens to the name meanwhile.
    const { mode, uid, size } = fstatSync(fd);
    const file = { path, mode: mode & 0o777, owner: uid };
    if (uid !== process.getuid?.() || (mode & 0o077) !== 0) throw new SecretFileExposed(file);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG || size > MOST_BYTES)
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
    else if (key === 'allow' && words.every(isLeave)) secret.allow = words;
    // The line is not quoted: it may be the second line of a secret.
    else
      throw new UnusableSecret(name, 'after its first line only "allow:" and "programs:" follow');
  }
  return secret;
};

const isLeave = (word: string): word is SecretPermission =>
  (secretPermissions as readonly string[]).includes(word);
