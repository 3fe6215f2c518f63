import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MakeScene } from '../scenes.ts';
import { isRoot, run } from './run.ts';
import { startServer, succeeds } from './server.ts';

/** PostgreSQL refuses to be run by root, so there it is nobody's. */
const NOBODY = 65534;
const asNobody = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'];

/** Debian keeps the servers of several versions apart, outside of the PATH. */
const VERSIONS = '/usr/lib/postgresql';

/** A PostgreSQL server on a private socket, with nothing in it. */
export const postgres: MakeScene = async (folder) => {
  const [version] = readdirSync(VERSIONS);
  const bin = join(VERSIONS, version!, 'bin');
  const home = join(folder, 'postgres');
  const data = join(home, 'data');
  mkdirSync(home);
  if (isRoot) {
    chmodSync(folder, 0o711);
    chownSync(home, NOBODY, NOBODY);
  }
  const [program = '', ...args] = [
    ...(isRoot ? asNobody : []),
    ...[join(bin, 'initdb'), '-D', data, '-U', 'ada', '--auth=trust', '--no-sync'],
    ...['--locale=C', '--encoding=UTF8'],
  ];
  await run(program, args);
  const server = await startServer({
    command: [
      join(bin, 'postgres'),
      ...['-D', data, '-k', home, '-c', 'listen_addresses=', '-c', 'fsync=off'],
    ],
    ...(isRoot && { uid: NOBODY }),
    folder: home,
    isReady: () => succeeds(join(bin, 'pg_isready'), ['-q', '-h', home]),
    // Killed, it would leave a segment of shared memory behind.
    endedBy: 'SIGQUIT',
  });
  const env = { PGHOST: home, PGUSER: 'ada', PGDATABASE: 'postgres' };
  return { env, strike: server.stop };
};
