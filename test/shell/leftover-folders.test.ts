import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const LONG_AGO = new Date(Date.now() - 3_600_000);

testWith('bash')(
  'folders left by killed processes are removed when the next shell is opened',
  async () => {
    const TMPDIR = folderWith();
    vi.stubEnv('TMPDIR', TMPDIR);
    onTestFinished(() => void vi.unstubAllEnvs());
    const make = (name: string) => {
      const path = join(TMPDIR, name);
      mkdirSync(join(path, 'zsh'), { recursive: true });
      utimesSync(path, LONG_AGO, LONG_AGO);
      return path;
    };
    const { pid: dead } = spawnSync('true');
    const stat = readFileSync(`/proc/${process.ppid}/stat`, 'utf8');
    const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const ofDead = make(`repartee-shell-${dead}-1-abcdef`);
    // Another process has this pid now.
    const ofReusedPid = make(`repartee-shell-${process.ppid}-1-abcdef`);
    const ofLiving = make(`repartee-shell-${process.ppid}-${start}-abcdef`);
    const young = make(`repartee-shell-${dead}-1-ghijkl`);
    utimesSync(young, new Date(), new Date());
    const unrelated = make('repartee-shells');
    const link = join(TMPDIR, `repartee-shell-${dead}-1-mnopqr`);
    symlinkSync(unrelated, link);

    const sessions = new LocalSessions();
    onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
    await sessions.open({ shell: '/bin/bash', clean: true });
    expect([ofDead, ofReusedPid].filter(existsSync)).toEqual([]);
    expect([ofLiving, young, unrelated, link].filter((path) => !existsSync(path))).toEqual([]);
  },
);

testWith('bash')('a temporary folder that cannot be used is named', async () => {
  vi.stubEnv('TMPDIR', '/no/such/folder');
  onTestFinished(() => void vi.unstubAllEnvs());
  await expect(new LocalSessions().open({ shell: '/bin/bash' })).rejects.toMatchObject({
    code: 'UNUSABLE_FOLDER',
    details: { path: '/no/such/folder' },
  });
});
