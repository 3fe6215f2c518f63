import { readFileSync } from 'node:fs';
import type { MakeScene } from '../scenes.ts';
import { startServer } from './server.ts';

/** A process in user, mount and process namespaces of its own; INSIDE is its pid. */
export const namespace: MakeScene = async (folder) => {
  let pid = '';
  const server = await startServer({
    command: ['unshare', '-Urpf', '--kill-child', '--mount-proc', 'sleep', 'infinity'],
    folder,
    isReady: (outside) => {
      [pid = ''] = readFileSync(`/proc/${outside}/task/${outside}/children`, 'utf8').split(' ');
      return pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sleep\n';
    },
  });
  return { env: { INSIDE: pid }, strike: server.stop };
};
