/** The command with which a person starts this program in a shell of their own. */
import { realpathSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { shellQuote } from '../shell/typed-marks.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * `repartee` if that is what their shell finds; after `npx` it is not on the PATH. Which daemon it asks is
 * the same, since a person's shell has other variables than a client that an agent has started.
 */
export const ownCommand = (env: Env = process.env, main = process.argv[1] ?? ''): string => {
  const { REPARTEE_SOCKET } = env;
  const socket = REPARTEE_SOCKET ? [`REPARTEE_SOCKET=${word(resolve(REPARTEE_SOCKET))}`] : [];
  return [...socket, ...ownProgramWords(env, main).map(word)].join(' ');
};

/** The same as words, without the socket. */
export const ownProgramWords = (env: Env = process.env, file = process.argv[1] ?? ''): string[] => {
  const main = realPath(file) ?? file;
  if (isFoundAs('repartee', main, env)) return ['repartee'];
  // The cache of npx: the same command finds it again.
  if (/\/_npx\//.test(main)) return ['npx', '-y', 'repartee'];
  const node = isFoundAs('node', realPath(process.execPath), env) ? 'node' : process.execPath;
  return [node, main];
};

const isFoundAs = (name: string, program: string | undefined, { PATH = '' }: Env): boolean => {
  // npm and npx put such folders first for what they run. They are not on a person's PATH.
  const folders = PATH.split(delimiter).filter((folder) => !/node_modules\/\.bin\/?$/.test(folder));
  const first = folders.map((folder) => realPath(join(folder, name))).find(Boolean);
  return first !== undefined && first === program;
};

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : shellQuote(text));
