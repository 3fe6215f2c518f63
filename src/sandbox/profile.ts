/**
 * A profile: what the programs of a session may write, read and reach, as data. Three are built in. Others
 * are files of the user, in the folder `sandbox` of our configuration.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ProfileUnusable, UnknownProfile } from '../errors.ts';
import { ownConfigFolder } from '../system/files/user-folders.ts';
import { isHostRule } from './network/host-rules.ts';

export interface SandboxProfile {
  /** Paths that may be written, or `all` that the user may write. */
  write: 'all' | readonly string[];
  /** Paths that may be read besides the system's own, or `all` but what is hidden. */
  read: 'all' | readonly string[];
  /** Paths that look empty, besides those that always do. */
  hide: readonly string[];
  /** Or the hosts that can be reached: `name:port`, `*.name`, `address:port`. */
  network: 'none' | 'all' | readonly string[];
  /** Variables that are passed on although they look like secrets. */
  env: readonly string[];
  limits: SandboxLimits;
}

export interface SandboxLimits {
  /** Of each process. */
  memoryBytes?: number;
  /** Of the whole sandbox. */
  processes?: number;
  /** Of each process. */
  cpuSeconds?: number;
  /** Of each file. */
  fileBytes?: number;
  /** After this time the session is closed. */
  seconds?: number;
}

/** In a list of paths: the folder that the door was started for. */
export const WORKSPACE = 'workspace';

const nothingElse = { hide: [], env: [], limits: {} } as const;

export const builtInProfiles: Readonly<Record<string, SandboxProfile>> = {
  workspace: { write: [WORKSPACE], read: 'all', network: 'none', ...nothingElse },
  'read-only': { write: [], read: 'all', network: 'none', ...nothingElse },
  offline: { write: 'all', read: 'all', network: 'none', ...nothingElse },
};

type Env = Readonly<Record<string, string | undefined>>;

export const profilesFolder = (env: Env): string => join(ownConfigFolder(env), 'sandbox');

/** The names of all profiles: those built in, then the user's. */
export const profileNames = (env: Env): string[] => [
  ...Object.keys(builtInProfiles),
  ...filesIn(profilesFolder(env)).flatMap((file) => PROFILE_FILE.exec(file)?.[1] ?? []),
];

const PROFILE_FILE = /^([\w-]+)\.json$/;

const filesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

export const findProfile = (name: string, env: Env): SandboxProfile => {
  if (Object.hasOwn(builtInProfiles, name)) return builtInProfiles[name]!;
  if (!PROFILE_FILE.test(`${name}.json`)) throw new UnknownProfile(name, profileNames(env));
  const path = join(profilesFolder(env), `${name}.json`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new UnknownProfile(name, profileNames(env));
    throw new ProfileUnusable(path, `it cannot be read (${code})`);
  }
  return parseProfile(text, path);
};

/** `path`: of the file, for errors. */
export const parseProfile = (text: string, path: string): SandboxProfile => {
  const refuse = (problem: string): never => {
    throw new ProfileUnusable(path, problem);
  };
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    refuse(`it is not JSON: ${(error as Error).message}`);
  }
  if (!isObject(written)) return refuse('it is not an object');
  const unknown = Object.keys(written).find((key) => !Object.hasOwn(fields, key));
  if (unknown !== undefined)
    refuse(`it has "${unknown}", and may have ${Object.keys(fields).join(', ')}`);
  const problem = Object.entries(written).flatMap(
    ([key, value]) => fields[key as keyof SandboxProfile](value) ?? [],
  )[0];
  if (problem !== undefined) refuse(problem);
  return { write: [WORKSPACE], read: 'all', network: 'none', ...nothingElse, ...written };
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isPath = (value: unknown): boolean =>
  typeof value === 'string' && (value === WORKSPACE || /^(\/|~\/|~$)/.test(value));

const paths = (key: string) => (value: unknown) =>
  Array.isArray(value) && value.every(isPath)
    ? undefined
    : `"${key}" must be a list of paths that begin with / or ~/, or are "${WORKSPACE}"`;

const allOr = (key: string) => (value: unknown) =>
  value === 'all' ? undefined : paths(key)(value) && `${paths(key)(value)}; or it is "all"`;

/** Each returns what is wrong with a value. */
const fields: Record<keyof SandboxProfile, (value: unknown) => string | undefined> = {
  write: allOr('write'),
  read: allOr('read'),
  hide: paths('hide'),
  network: (value) => {
    if (value === 'none' || value === 'all') return undefined;
    if (!Array.isArray(value) || value.length === 0)
      return '"network" must be "none", "all" or a list of hosts';
    const wrong = value.find((host) => !isHostRule(host));
    return wrong === undefined
      ? undefined
      : `"network" has ${JSON.stringify(wrong)}: a host is a name such as "registry.npmjs.org", "*.example.org" or "example.org:8080", or an address such as "192.0.2.7:443" or "[2001:db8::7]:443"`;
  },
  env: (value) =>
    Array.isArray(value) && value.every((name) => typeof name === 'string')
      ? undefined
      : '"env" must be a list of names of variables',
  limits: (value) => {
    if (!isObject(value)) return '"limits" must be an object';
    const wrong = Object.entries(value).find(
      ([name, limit]) =>
        !limitNames.includes(name) || !(Number.isInteger(limit) && Number(limit) > 0),
    );
    return (
      wrong &&
      `"limits" has "${wrong[0]}": it may have ${limitNames.join(', ')}, each a whole number from 1`
    );
  },
};

const limitNames: readonly string[] = [
  'memoryBytes',
  'processes',
  'cpuSeconds',
  'fileBytes',
  'seconds',
] satisfies (keyof SandboxLimits)[];
