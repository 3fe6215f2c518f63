import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MakeScene } from '../scenes.ts';
import { accepts, startServer } from './server.ts';

/** A Redis server on a private socket, which saves nothing. */
export const redis: MakeScene = async (folder) => {
  const home = join(folder, 'redis');
  const socket = join(home, 'socket');
  mkdirSync(home);
  const server = await startServer({
    command: ['redis-server', '--port', '0', '--unixsocket', socket, '--save', '', '--dir', home],
    folder: home,
    isReady: () => accepts(socket),
  });
  return { env: { SOCKET: socket }, strike: server.stop };
};
