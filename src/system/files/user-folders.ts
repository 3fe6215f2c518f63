/** The user's folders, named by the XDG base directory specification, and a way to make them. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UnusableFolder } from '../../errors.ts';
import { makePrivateFolder } from './private-files.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Our folder for state. */
export const stateFolder = (env: Env): string =>
  join(base(env, 'XDG_STATE_HOME', '.local/state'), 'repartee');

/** The default folder of recordings. */
export const recordingsFolder = (env: Env): string => join(stateFolder(env), 'recordings');

/** The user's configuration folder. */
export const userConfigFolder = (env: Env): string => base(env, 'XDG_CONFIG_HOME', '.config');

/** Our folder in it. */
export const ownConfigFolder = (env: Env): string => join(userConfigFolder(env), 'repartee');

/** The specification says that relative paths must be ignored. */
const base = (env: Env, variable: string, defaultPath: string): string => {
  const path = env[variable];
  return path && isAbsolute(path) ? path : join(homeOf(env, variable), defaultPath);
};

const homeOf = ({ HOME }: Env, variable: string): string => {
  if (HOME && isAbsolute(HOME)) return HOME;
  try {
    return userInfo().homedir;
  } catch {
    // In a container, the user id may be missing from /etc/passwd.
    const uid = process.getuid?.();
    throw new UnusableFolder(
      '~',
      `HOME is not set, and user ${uid} is not in the system's list`,
      `Let HOME or ${variable} name a folder of yours`,
    );
  }
};

/**
 * Makes a folder and its missing parents, accessible only to this user. Node's own `recursive` option
 * loops for ever if the kernel answers ENOENT although the parent exists, as it does under /proc.
 */
export const makePrivateFolders = (path: string): void => {
  try {
    makePrivateFolder(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    makePrivateFolders(parent);
    makePrivateFolders(path);
  }
};
