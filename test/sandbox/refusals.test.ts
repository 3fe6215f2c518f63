import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sandboxedEnvironment } from '../../src/sandbox/environment.ts';
import { coverSockets } from '../../src/sandbox/hidden-paths.ts';
import { limitingCommand } from '../../src/sandbox/limits.ts';
import { makeSandbox } from '../../src/sandbox/sandbox.ts';
import { guardedPaths } from '../../src/sandbox/workspace.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const makeHome = () => {
  const home = folderWith();
  for (const folder of [
    '.ssh',
    '.config/repartee/sandbox',
    'shop/.git/hooks',
    '.local/state/repartee',
  ])
    mkdirSync(join(home, folder), { recursive: true });
  symlinkSync(join(home, '.ssh'), join(home, 'link'));
  return { home, env: { HOME: home } };
};

describe('a workspace', () => {
  test.each([
    ['the home folder', '.', 'the home folder is in it'],
    ['what is above it', '..', 'the home folder is in it'],
    ['a folder of keys', '.ssh', 'which is hidden'],
    ['a link to it', 'link', 'which is hidden'],
    ['what holds our configuration', '.config', 'which is hidden'],
    ['our own configuration', '.config/repartee/sandbox', 'which is hidden'],
    ['nothing', 'missing', 'it does not exist'],
    ['the whole system', '/', 'the home folder is in it'],
    ['a folder of the system', '/etc', 'belongs to the system'],
  ])('cannot be %s', (_what, path, reason) => {
    const { home, env } = makeHome();
    const make = () => makeSandbox('workspace', join(path.startsWith('/') ? '' : home, path), env);
    expect(make).toThrow(reason);
    expect(make).toThrow(expect.objectContaining({ code: 'WORKSPACE_REFUSED' }));
  });

  test('must be named where a profile needs it', () => {
    expect(() => makeSandbox('workspace', undefined, makeHome().env)).toThrow('none was named');
    expect(makeSandbox('read-only', undefined, makeHome().env)).not.toHaveProperty('workspace');
  });

  test('keeps what others obey, and the folders that hold it in their place', () => {
    const { home } = makeHome();
    const shop = join(home, 'shop');
    writeFileSync(join(shop, '.mcp.json'), '');
    expect(guardedPaths(shop)).toEqual({
      folders: [join(shop, '.git')],
      files: [join(shop, '.git/hooks'), join(shop, '.mcp.json')],
    });
  });
});

test('a profile may not let be written what is hidden, nor name what is not there', () => {
  const { home, env } = makeHome();
  const write = (profile: object) =>
    writeFileSync(join(home, '.config/repartee/sandbox/own.json'), JSON.stringify(profile));
  const make = () => makeSandbox('own', join(home, 'shop'), env);
  write({ write: ['workspace', '~/.ssh'] });
  expect(make).toThrow('which is hidden');
  write({ write: ['~/missing'] });
  expect(make).toThrow('there is no');
  write({ hide: ['~/shop/.git'] });
  expect(make().hide).toContain(join(home, 'shop/.git'));
  expect(() => makeSandbox('../own', home, env)).toThrow('There is no sandbox profile');
});

test('variables that look like secrets are left out unless the profile names them', () => {
  const env = {
    HOME: '/home/ada',
    TMPDIR: '/home/ada/tmp',
    GITHUB_TOKEN: 'x',
    OPENAI_API_KEY: 'x',
    DB_PASSWORD: 'x',
    NPM_TOKEN: 'kept',
    SSH_AUTH_SOCK: 'x',
    KEYBOARD: 'us',
    TOKENIZERS_PARALLELISM: 'no',
  };
  expect(sandboxedEnvironment(env, { env: ['NPM_TOKEN'], network: 'none' })).toEqual({
    HOME: '/home/ada',
    TMPDIR: '/tmp',
    NPM_TOKEN: 'kept',
    KEYBOARD: 'us',
    TOKENIZERS_PARALLELISM: 'no',
  });
});

test('as root a limit on processes is refused, since it would not hold', () => {
  const refused = expect.objectContaining({ code: 'SANDBOX_UNAVAILABLE' });
  expect(() => limitingCommand({ processes: 5 }, { isRoot: true, hasPrlimit: true })).toThrow(
    refused,
  );
  expect(() => limitingCommand({ cpuSeconds: 5 }, { isRoot: false, hasPrlimit: false })).toThrow(
    refused,
  );
  expect(
    limitingCommand({ processes: 5, cpuSeconds: 9 }, { isRoot: false, hasPrlimit: true }),
  ).toEqual(['/usr/bin/prlimit', '--nproc=5', '--cpu=9', '--']);
  expect(limitingCommand({ seconds: 5 }, { isRoot: true, hasPrlimit: true })).toEqual([]);
});

test('a socket that is no more does not cover its folder', () => {
  const { home, env } = makeHome();
  const covered = coverSockets(env, { needed: [], shown: [] }, [join(home, 'shop/gone')]);
  expect(covered.folders).not.toContain(join(home, 'shop'));
  expect(covered.files).toEqual([]);
});

testWith('bwrap')('a folder that is hidden cannot be started in', async () => {
  const workspace = folderWith();
  const hidden = folderWith();
  const sessions = new LocalSessions({ sandbox: { profile: 'workspace', workspace } });
  await expect(sessions.open({ command: ['cat'], cwd: hidden })).rejects.toMatchObject({
    code: 'HIDDEN_IN_SANDBOX',
  });
  await expect(
    sessions.open({ command: ['nothing-like-it'], cwd: workspace }),
  ).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
});
