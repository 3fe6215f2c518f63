import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MakeScene } from '../scenes.ts';
import { accepts, startServer } from './server.ts';

/** A shell on a terminal of its own behind a Unix socket, as a container's engine offers it. */
export const container: MakeScene = async (folder) => {
  const home = join(folder, 'container');
  const socket = join(home, 'socket');
  mkdirSync(home);
  const shell = `EXEC:"sh -c 'stty rows 30 cols 100; exec bash --norc -i'"`;
  const server = await startServer({
    command: ['socat', `UNIX-LISTEN:${socket},fork`, `${shell},pty,setsid,ctty,stderr`],
    folder: home,
    env: { PS1: 'inside$ ', TERM: 'xterm-256color' },
    isReady: () => accepts(socket),
  });
  return { env: { SOCKET: socket }, strike: server.stop };
};
