import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import { SocketWatch } from '../../../src/daemon/server/socket-watch.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

test('a folder that cannot be watched is looked at by the clock until it can', async () => {
  const runtimeFolder = join(folderWith(), 'runtime');
  const socket = join(runtimeFolder, 'daemon.sock');
  let times = 0;
  const presence = new SocketWatch({ ...daemonPaths(), runtimeFolder, socket }, async () => {
    mkdirSync(runtimeFolder, { recursive: true });
    writeFileSync(socket, '');
    times++;
    return true;
  });
  onTestFinished(() => presence.stop());
  expect(() => presence.start()).not.toThrow();
  await until('it has appeared', () => times === 1);
  rmSync(socket);
  await until('it has appeared again', () => times === 2);
});
