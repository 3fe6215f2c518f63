/** The user's own folders, as the XDG base directory specification has them, and how they are made. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { UnusableFolder } from '../../errors.ts';
import { makePrivateFolder } from './private-files.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Our folder for state. The specification says to ignore relative paths. */
export const stateFolder = (env: Env): string =>
  join(base(env, 'XDG_STATE_HOME', '.local/state'), 'repartee');

/** The default folder of recordings. */
export const recordingsFolder = (env: Env): string => join(stateFolder(env), 'recordings');

/** The user's configuration folder. */
export const userConfigFolder = (env: Env): string => base(env, 'XDG_CONFIG_HOME', '.config');

const base = (env: Env, variable: string, otherwise: string): string => {
  const given = env[variable];
  return given && isAbsolute(given) ? given : join(homeOf(env, variable), otherwise);
};

const homeOf = ({ HOME }: Env, variable: string): string => {
  if (HOME && isAbsolute(HOME)) return HOME;
  try {
    return userInfo().homedir;
  } catch {
    // In a container the user may be a number that no list has a name for.
    const uid = process.getuid?.();
    throw new UnusableFolder(
      '~',
      `HOME is not set, and user ${uid} is not in the system's list`,
      `Let HOME or ${variable} name a folder of yours`,
    );
  }
};

/**
 * Makes it, and those above it that are missing, for this user alone. Node's own `recursive` spins for
 * ever where the kernel answers ENOENT though the folder above is there, as it does under /proc.
 */
export const makePrivateFolders = (path: string): void => {
  try {
    makePrivateFolder(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const above = dirname(path);
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makePrivateFolders(above);
    makePrivateFolders(path);
  }
};
