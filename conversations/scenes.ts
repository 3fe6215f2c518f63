/**
 * What a conversation needs around it: a server, a repository, a program that was built.
 *
 * A scene is made in a folder of its own, listens only on private sockets or free loopback ports,
 * and leaves nothing behind when it is struck.
 */

import { container } from './scenes/container.ts';
import { debconf } from './scenes/debconf.ts';
import { mariadb } from './scenes/mariadb.ts';
import { namespace } from './scenes/namespace.ts';
import { ordinary } from './scenes/ordinary.ts';
import { packages } from './scenes/packages.ts';
import { postgres } from './scenes/postgres.ts';
import { redis } from './scenes/redis.ts';
import { repository } from './scenes/repository.ts';
import { slowServer } from './scenes/slow-server.ts';
import { sshd } from './scenes/sshd.ts';
import { directSudoer, relayedSudoer } from './scenes/sudoer.ts';
import { website } from './scenes/website.ts';

export interface Scene {
  /** Added to the environment of the program; how its command line finds what was made. */
  env: Readonly<Record<string, string>>;
  strike(): Promise<void>;
}

export type MakeScene = (folder: string) => Promise<Scene>;

export const scenes: Readonly<Record<string, MakeScene>> = {
  postgres,
  mariadb,
  redis,
  sshd,
  container,
  namespace,
  'ordinary user': ordinary,
  'sudoer, relayed': relayedSudoer,
  'sudoer, direct': directSudoer,
  packages,
  debconf,
  repository,
  website,
  'slow server': slowServer,
};
