/** A secret's file, as the manual shows it, read as the doors read it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { secretsFolder, standardSecrets } from '../../src/session/secrets/secret-sources.ts';
import { at, type Block } from './pages.ts';
import type { World } from './world.ts';

export const isSecretFile = ({ language, text }: Block): boolean =>
  language === '' && /^\S+\nprograms: /.test(text);

export const checkSecretFile = async (block: Block, { env }: World): Promise<void> => {
  mkdirSync(secretsFolder(env), { recursive: true });
  writeFileSync(join(secretsFolder(env), 'db'), block.text, { mode: 0o600 });
  const setting = (name: string) =>
    new RegExp(`^${name}: (.*)$`, 'm').exec(block.text)![1]!.split(', ');
  expect(await standardSecrets(env).find('db'), at(block)).toEqual({
    name: 'db',
    value: block.text.split('\n')[0],
    programs: setting('programs'),
    allow: setting('allow'),
  });
};
