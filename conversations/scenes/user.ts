/** An ordinary user of this machine, for as long as a scene lasts. Only root can make one. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { allProcesses } from '../../src/system/process/process-tree.ts';
import { run, until } from './run.ts';

export interface User {
  name: string;
  uid: number;
  password: string;
  /** A command that runs another one as this user. */
  become: string;
  remove(): Promise<void>;
}

const password = 'correct horse';
/** Of `password`; few rounds, since nothing is protected by it. */
const hash =
  '$6$rounds=1000$repartee$USii1qZNxgup/CBfbvVP5q2Y5lZQ5BF2W67t/KstTXQedqJZoahJZzX21DfjmA5Q5WipZdCLN71H0z/TPYC7f/';

let made = 0;

export const makeUser = async (home: string): Promise<User> => {
  await removeLeftOver();
  const name = `${PREFIX}${process.pid}-${made++}`;
  const options = ['-l', '-M', '-N', '-g', 'nogroup', '-d', home, '-s', '/bin/bash', '-p', hash];
  await patiently('useradd', [...options, name]);
  const uid = Number(await run('id', ['-u', name]));
  return {
    name,
    uid,
    password,
    become: `setpriv --reuid=${uid} --regid=nogroup --clear-groups`,
    remove: () => remove(name, uid),
  };
};

/** What the user may do as root; goes with the user. */
export const sudoRules = (name: string) => `/etc/sudoers.d/${name}`;

const PREFIX = 'repartee-';

const remove = async (name: string, uid: number): Promise<void> => {
  await until(`the end of what ${name} runs`, async () => {
    const theirs = (await allProcesses()).filter(
      ({ pid, state }) => state !== 'Z' && ownerOf(pid) === uid,
    );
    for (const { pid } of theirs) tryKill(pid);
    return theirs.length === 0;
  });
  for (const path of [sudoRules(name), `${sudoRules(name)}.new`, `/run/sudo/ts/${name}`]) {
    rmSync(path, { force: true });
  }
  await patiently('userdel', ['-f', name]);
};

/** Another useradd or userdel may hold the lock on /etc/passwd. */
const patiently = (program: string, args: readonly string[]) =>
  until(`${program} has the lock`, async () => {
    try {
      await run(program, args);
      return true;
    } catch (error) {
      if (/cannot lock|try again/.test(String(error))) return false;
      // Left over, and removed by another test process just now.
      if (/does not exist/.test(String(error))) return true;
      throw error;
    }
  });

/** Users of test processes that were killed. */
const removeLeftOver = async () => {
  const alive = new Set(readdirSync('/proc'));
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name = '', , uid] = line.split(':');
    const maker = name.startsWith(PREFIX) ? name.slice(PREFIX.length).split('-')[0]! : undefined;
    if (maker !== undefined && !alive.has(maker)) await remove(name, Number(uid));
  }
};

const ownerOf = (pid: number): number | undefined => {
  try {
    const uids = /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return uids ? Number(uids[1]) : undefined;
  } catch {
    return undefined;
  }
};

const tryKill = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Gone meanwhile.
  }
};
