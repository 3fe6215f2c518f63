import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import { SocketFileWatcher } from '../../../src/daemon/server/socket-file-watcher.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

test('a folder that cannot be watched is checked at intervals until it can be', async () => {
  const runtimeFolder = join(folderWith(), 'runtime');
  const socket = join(runtimeFolder, 'daemon.sock');
  let rebinds = 0;
  const socketWatch = new SocketFileWatcher(
    { ...daemonPaths(), runtimeFolder, socket },
    async () => {
      mkdirSync(runtimeFolder, { recursive: true });
      writeFileSync(socket, '');
      rebinds++;
      return true;
    },
  );
  onTestFinished(() => socketWatch.stop());
  expect(() => socketWatch.start()).not.toThrow();
  await until('the socket is created', () => rebinds === 1);
  rmSync(socket);
  await until('it is created again', () => rebinds === 2);
});
