import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MakeScene } from '../scenes.ts';
import { run } from './run.ts';

const lines = Array.from({ length: 60 }, (_, at) => `line ${at + 1}`);
const poem = (changes: Readonly<Record<number, string>> = {}) =>
  `${lines.map((line, at) => changes[at + 1] ?? line).join('\n')}\n`;

/**
 * A Git repository in the folder itself: three commits on `main`, and a branch `rival` that has
 * changed line 30 in another way.
 */
export const repository: MakeScene = async (folder) => {
  const git = (...args: string[]) => run('git', args, { cwd: folder, env: { HOME: folder } });
  const commit = async (subject: string, changes: Readonly<Record<number, string>>) => {
    writeFileSync(join(folder, 'poem.txt'), poem(changes));
    await git('add', 'poem.txt');
    await git('commit', '-q', '-m', subject);
  };
  await git('init', '-q', '-b', 'main');
  await git('config', 'user.name', 'Ada');
  await git('config', 'user.email', 'ada@example.org');
  await commit('Write a poem', {});
  await git('checkout', '-q', '-b', 'rival');
  await commit('Claim line 30', { 30: 'the rival line' });
  await git('checkout', '-q', 'main');
  await commit('Improve line 30', { 30: 'a better line' });
  await commit('Improve line 50', { 30: 'a better line', 50: 'a fine line' });
  return { env: {}, strike: async () => {} };
};
