import { chmodSync, chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { MakeScene, Scene } from '../scenes.ts';
import { isRoot, run } from './run.ts';
import { freePort, type Server, startServer } from './server.ts';
import { makeUser } from './user.ts';

/**
 * An SSH server on loopback, which serves one user by key: a throw-away one, who also has a
 * password, where we are root, and else ourselves.
 *
 * It runs as that very user, so it needs nothing of the machine's own SSH server.
 */
export const sshd: MakeScene = (folder) => makeSshd(folder);

/** `variables`: of all that runs there. `prepare`: for its home folder, before it is given to that user. */
export const makeSshd = async (
  folder: string,
  {
    variables = {},
    prepare = () => [],
  }: {
    variables?: Readonly<Record<string, string>>;
    /** Returns what becomes that user's own. */
    prepare?: (home: string) => readonly string[];
  } = {},
): Promise<Scene> => {
  const home = join(folder, 'sshd');
  mkdirSync(home);
  for (const key of ['host', 'client']) {
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(home, key)]);
  }
  const user = isRoot ? await makeUser(home) : undefined;
  const own = prepare(home);
  let server: Server | undefined;
  const strike = async () => {
    await server?.stop();
    await user?.remove();
  };
  try {
    if (user) {
      chmodSync(folder, 0o711);
      for (const path of [home, join(home, 'host'), ...own]) chownSync(path, user.uid, 0);
    }
    const port = await freePort();
    writeFileSync(join(home, 'server.conf'), serverConfig(home, port, variables));
    writeFileSync(join(home, 'client.conf'), clientConfig(home, port, user?.name));
    server = await startServer({
      command: ['/usr/sbin/sshd', '-D', '-e', '-f', join(home, 'server.conf')],
      within: withoutTtyGroup(home),
      ...(user && { uid: user.uid }),
      folder: home,
      // Not whether the port accepts: another server may have taken it since it was free.
      isReady: () => readFileSync(join(home, 'server.log'), 'utf8').includes('Server listening on'),
    });
  } catch (error) {
    await strike();
    throw error;
  }
  return { env: { SSH_CONFIG: join(home, 'client.conf') }, strike };
};

/**
 * sshd gives terminals to the group `tty`, if there is one, and only root may do that. So it gets a
 * list of groups without it, in a mount namespace. Others than root must be root of a user
 * namespace to mount it, and themselves again in a second one.
 */
const withoutTtyGroup = (home: string): string[] => {
  const groups = join(home, 'group');
  writeFileSync(groups, readFileSync('/etc/group', 'utf8').replace(/^tty:.*\n/m, ''));
  const { uid, gid } = userInfo();
  const asOurselves = isRoot ? '' : `unshare -U --map-user=${uid} --map-group=${gid}`;
  const mount = `mount -B "$0" /etc/group && exec ${asOurselves} "$@"`;
  return ['unshare', isRoot ? '-m' : '-rm', 'sh', '-c', mount, groups];
};

/** Passwords are for PAM to check, which in a user namespace cannot become the group that may. */
const serverConfig = (home: string, port: number, variables: Readonly<Record<string, string>>) => `
ListenAddress 127.0.0.1:${port}
HostKey ${home}/host
AuthorizedKeysFile ${home}/client.pub
StrictModes no
UsePAM ${isRoot ? 'yes' : 'no'}
KbdInteractiveAuthentication no
PidFile none
PrintMotd no
PrintLastLog no
${
  Object.entries(variables).length > 0
    ? `SetEnv ${Object.entries(variables)
        .map((entry) => entry.join('='))
        .join(' ')}`
    : ''
}
`;

const clientConfig = (home: string, port: number, user = userInfo().username) => `
Host box
  HostName 127.0.0.1
  Port ${port}
  User ${user}
  IdentityFile ${home}/client
  IdentitiesOnly yes
  UserKnownHostsFile ${home}/known_hosts
  GlobalKnownHostsFile /dev/null
`;
