import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MakeScene } from '../scenes.ts';
import { isRoot } from './run.ts';
import { accepts, startServer } from './server.ts';

/** A MariaDB server on a private socket, with neither users nor tables of its own. */
export const mariadb: MakeScene = async (folder) => {
  const data = join(folder, 'mariadb');
  const socket = join(data, 'socket');
  mkdirSync(data);
  const server = await startServer({
    command: [
      'mariadbd',
      ...['--no-defaults', '--skip-networking', '--skip-grant-tables', '--innodb-fast-shutdown=3'],
      ...[`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${join(data, 'pid')}`],
      ...(isRoot ? ['--user=root'] : []),
    ],
    folder: data,
    isReady: () => accepts(socket),
  });
  return { env: { SOCKET: socket }, strike: server.stop };
};
