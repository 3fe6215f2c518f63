import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN, ownCli } from '../../helpers/cli/own-cli.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

/** The type and mode of everything in the folder, as in `file 600`. */
const modesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const stat = lstatSync(join(folder, name));
    return `${stat.isDirectory() ? 'folder' : 'file'} ${(stat.mode & 0o7777).toString(8)}`;
  });

test('the daemon and its sessions work under a umask that keeps even the owner out', () => {
  const cli = ownCli();
  const env = { ...cli.env, TMPDIR: folderWith() };
  const underMask = (...args: string[]) => {
    const words = ['-c', 'umask 0777; exec "$0" "$@"', process.execPath, MAIN, ...args];
    return spawnSync('/bin/sh', words, { env, encoding: 'utf8' });
  };
  const opened = underMask('open', '--name', 'bash');
  expect(opened.stderr).toMatch(/^\[bash: /);
  expect(opened.status).toBe(0);
  expect(underMask('run', 'bash', '--', 'umask').stdout).toBe('0777\n');
  const modes = modesIn(cli.daemon.folder);
  expect(new Set(modes)).toEqual(new Set(['folder 700', 'file 600']));
  // Two sockets, lock, log, journal, audit, recording.
  expect(modes.filter((mode) => mode === 'file 600')).toHaveLength(7);
});
