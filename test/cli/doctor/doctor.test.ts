import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAIN, ownCli } from '../../helpers/cli/own-cli.ts';

test('doctor says what this machine allows, line by line', async () => {
  const cli = ownCli();
  const { code, json } = await cli.run('doctor', '--json');
  const names = json.findings.map(({ what }: { what: string }) => what);
  expect(names).toEqual(
    expect.arrayContaining(['versions', 'pseudo-terminals', '/proc', 'daemon']),
  );
  for (const finding of json.findings) expect(finding.says).not.toBe('');
  expect(code).toBe(json.ok ? 0 : 1);
  expect((await cli.run('doctor')).stdout.split('\n')).toHaveLength(names.length + 1);
});

test('a problem comes with a remedy, and exit code 1', async () => {
  const cli = ownCli();
  const socket = join(cli.daemon.folder, 'x'.repeat(120));
  const { code, stdout } = await cli.runWith({ REPARTEE_SOCKET: socket }, 'doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ socket .*Let REPARTEE_SOCKET name a shorter one/m);
});

test('a folder that nobody can make, as in /proc, is a problem, also for root', async () => {
  const { code, stdout } = await ownCli().runWith({ XDG_STATE_HOME: '/proc/x' }, 'doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^✗ recordings .*XDG_STATE_HOME/m);
});

test('a disk that takes folders but no more data is a problem', () => {
  const { env, daemon } = ownCli();
  // As on a full disk, a file can be created but not written to.
  const script = 'ulimit -f 0; exec "$0" "$@"';
  const args = ['-c', script, process.execPath, MAIN, 'doctor'];
  const { status, stdout } = spawnSync('/bin/sh', args, { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^✗ recordings .* cannot be written to \(EFBIG\)\. Let XDG_STATE_HOME/m);
  expect(readdirSync(daemon.folder)).toEqual([]);
});
