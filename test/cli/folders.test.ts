/** A folder that cannot be used is an error that says which one, why, and what to set. */
import { spawnSync } from 'node:child_process';
import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { printIgnoredRuntimeDir } from '../../src/cli/with-daemon.ts';
import { type CliResult, MAIN, ownCli } from '../helpers/cli/own-cli.ts';
import { asRoot } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const NOBODY = 65534;

const expectUnusableFolder = ({ code, json }: CliResult, path: string, remedy: string) => {
  expect(code).toBe(1);
  expect(json.error).toMatchObject({
    code: 'UNUSABLE_FOLDER',
    details: { path },
    message: expect.stringContaining(remedy),
  });
};

test('a path where no folder can be made, for the state and for the socket', async () => {
  const cli = ownCli();
  const open = (env: NodeJS.ProcessEnv) => cli.runWith(env, 'open', '--json', '--', 'cat');
  expectUnusableFolder(
    await open({ XDG_STATE_HOME: '/proc/x' }),
    '/proc/x/repartee',
    'XDG_STATE_HOME',
  );
  expectUnusableFolder(
    await open({ REPARTEE_SOCKET: '/proc/x/a.sock' }),
    '/proc/x',
    'REPARTEE_SOCKET',
  );
  const noHome = { XDG_STATE_HOME: '', HOME: '/proc/x' };
  expectUnusableFolder(await open(noHome), '/proc/x/.local/state/repartee', 'HOME');
});

test('a file where a folder should be', async () => {
  const cli = ownCli();
  const file = join(folderWith({ file: '' }), 'file');
  const open = (env: NodeJS.ProcessEnv) => cli.runWith(env, 'open', '--json', '--', 'cat');
  expectUnusableFolder(await open({ XDG_STATE_HOME: file }), `${file}/repartee`, 'XDG_STATE_HOME');
  expectUnusableFolder(
    await open({ XDG_RUNTIME_DIR: file }),
    `${file}/repartee`,
    'XDG_RUNTIME_DIR',
  );
});

asRoot(test)("after su, the other user's runtime folder is named as one that is not used", () => {
  const theirs = folderWith();
  chownSync(theirs, NOBODY, NOBODY);
  vi.stubEnv('XDG_RUNTIME_DIR', theirs);
  vi.stubEnv('REPARTEE_SOCKET', '');
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    write.mockRestore();
  });
  printIgnoredRuntimeDir();
  expect(write.mock.calls.flat().join('')).toContain(
    `[XDG_RUNTIME_DIR is ${theirs}, which is another user's or cannot be entered: sessions were looked for in /tmp/repartee-0]`,
  );
  vi.stubEnv('XDG_RUNTIME_DIR', join(theirs, 'gone'));
  printIgnoredRuntimeDir();
  expect(write.mock.lastCall?.[0]).toContain('gone, which is not there: sessions were looked for');
  vi.stubEnv('XDG_RUNTIME_DIR', folderWith());
  write.mockClear();
  printIgnoredRuntimeDir();
  expect(write).not.toHaveBeenCalled();
});

test('a folder of the caller that somebody has removed', async () => {
  const cli = ownCli();
  const folder = folderWith();
  const script = `cd ${folder} && export PWD && rmdir ${folder} && exec ${process.execPath} ${MAIN} run -- pwd`;
  const { status, stderr } = spawnSync('sh', ['-c', script], { env: cli.env, encoding: 'utf8' });
  expect(status).toBe(125);
  expect(stderr).toContain(`There is no folder "${folder}" to start in.`);
});

test('sessions go on where their log and their list can no longer be written', async () => {
  const cli = ownCli();
  await cli.run('open', '--name', 'first', '--', 'cat');
  const { stateFolder } = cli.daemon.paths;
  // Retries, because the daemon may be writing there just now.
  rmSync(stateFolder, { recursive: true, maxRetries: 10 });
  writeFileSync(stateFolder, '');
  expect((await cli.run('open', '--name', 'second', '--', 'cat')).code).toBe(0);
  expect((await cli.run('send', 'first', 'hello')).stdout).toBe('hello\n');
  expect((await cli.run('daemon', 'stop')).stdout).toContain('2 sessions (first, second)');
});
