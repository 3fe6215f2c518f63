/** hosts.json in the configuration folder: `{"box": "ssh://user@box", "dev": "docker://dev"}`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UnusableHost } from '../errors.ts';
import { ownConfigFolder } from '../system/files/user-folders.ts';

type Env = Readonly<Record<string, string | undefined>>;

export const hostsFile = (env: Env = process.env): string =>
  join(ownConfigFolder(env), 'hosts.json');

/** As in the name of a session, which it becomes a part of. */
const VALID_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The addresses of hosts by their names. Empty if there is no such file. */
export const readHosts = (path = hostsFile()): ReadonlyMap<string, string> => {
  const text = readIfThere(path);
  if (text === undefined) return new Map();
  const hosts = parseJson(path, text);
  if (typeof hosts !== 'object' || hosts === null || Array.isArray(hosts))
    throw new UnusableHost(path, 'it is a JSON object of names and addresses');
  return new Map(
    Object.entries(hosts).map(([name, address]) => {
      if (!VALID_NAME.test(name))
        throw new UnusableHost(name, `a name in ${path} has letters, digits, dots and dashes`);
      if (typeof address !== 'string')
        throw new UnusableHost(name, `its address in ${path} is a text`);
      return [name, address];
    }),
  );
};

const readIfThere = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UnusableHost(path, (error as Error).message);
  }
};

const parseJson = (path: string, text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnusableHost(path, (error as Error).message);
  }
};
