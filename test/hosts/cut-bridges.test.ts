/** Bridges that are cut in the middle of work. `CUTS=100` cuts more often, `SEED=5` at other moments. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HostBridge } from '../../src/hosts/host-bridge.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { bridgeTo, byShell, connectHost, endBridges } from '../helpers/hosts/own-host.ts';
import { seeded } from '../helpers/seeded.ts';
import { folderWith } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const CUTS = Number(process.env.CUTS ?? 8);
const { below } = seeded(Number(process.env.SEED ?? 1));

test('what is typed through a bridge that is cut is typed once, and no output is lost', {
  timeout: 60_000 + CUTS * 5000,
}, async () => {
  const daemon = ownDaemon();
  await daemon.start();
  const file = join(folderWith(), 'lines');
  writeFileSync(file, '');
  const command = byShell(bridgeTo(daemon));
  // Each lasts for as long as it is needed, and counts as a good one.
  const bridge = new HostBridge({ host: 'box', command, firstPauseMs: 1, stableMs: 0 });
  const { sessions } = connectHost('box', '', undefined, bridge);
  await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
  const written = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const expected: string[] = [];
  for (let cut = 0; cut < CUTS; cut++) {
    const line = `line-${cut}`;
    expected.push(line);
    const call = sessions.run(`echo ${line} >> ${file}; echo said-${line}`, { session: 'sh' });
    call.catch(() => {});
    // Before it is sent, while it is done, or when it has been done.
    if (below(3) > 0) await until('it is done', () => written().includes(line));
    await endBridges(daemon);
    expect(await call).toMatchObject({ output: `said-${line}`, exitCode: 0 });
  }
  expect(written()).toEqual(expected);
  expect(bridge.started).toBeGreaterThanOrEqual(CUTS);
  await sessions.closeAll();
});

test('a far daemon and its sessions live on when nobody is connected', async () => {
  const daemon = ownDaemon();
  await daemon.start();
  const first = connectHost('box', bridgeTo(daemon)).sessions;
  await first.open({ command: ['cat'] });
  await endBridges(daemon);
  const second = connectHost('box', bridgeTo(daemon)).sessions;
  expect(await second.send('cat', { text: 'still' })).toMatchObject({
    output: 'still',
  });
  await second.closeAll();
});
