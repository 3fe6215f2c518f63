/** Looks at a program before it is executed in the daemon's place: after that there is no way back. */
import { execFile } from 'node:child_process';
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { RestartRefused } from '../../../errors.ts';
import { writtenFormats } from '../../../session/keeping/formats.ts';
import { KEEPER_PROGRAM } from './kept-daemon.ts';

/** Node takes 100 ms to start the daemon's program on an idle machine, and seconds on a busy one. */
const CHECK_TIMEOUT_MS = 20_000;

const WRITABLE_BY_ALL = 0o002;
const WRITABLE_BY_GROUP = 0o020;
const STICKY = 0o1000;

/** Throws if another user could have written it. */
export const assertTrustedProgram = (program: string): void => {
  if (!existsSync(program)) throw new RestartRefused(`there is no ${program}`);
  let path = realpathSync(program);
  const problem = whyUntrusted(statSync(path));
  if (problem !== undefined) throw new RestartRefused(`${path} ${problem}`);
  while (dirname(path) !== path) {
    path = dirname(path);
    const stat = statSync(path);
    // In a folder such as /tmp everybody can write, but nobody can replace what is ours.
    const isShared = (stat.mode & STICKY) !== 0 && stat.uid === 0;
    const above = isShared ? undefined : whyUntrusted(stat);
    if (above !== undefined) throw new RestartRefused(`${program} is in ${path}, which ${above}`);
  }
};

const whyUntrusted = ({ uid, gid, mode }: Stats): string | undefined => {
  if (uid !== 0 && uid !== process.getuid?.()) return `belongs to user ${uid}`;
  // Many systems give each user a group of his own, and let it write.
  const isOwnGroup = gid === process.getgid?.();
  const others = isOwnGroup ? WRITABLE_BY_ALL : WRITABLE_BY_ALL | WRITABLE_BY_GROUP;
  return (mode & others) === 0 ? undefined : 'can be written to by others';
};

/** Throws if the daemon's program does not start, or cannot read what we have written. */
export const assertReadsOurSessions = async (program: string): Promise<void> => {
  const argument = JSON.stringify({ reads: writtenFormats });
  try {
    await promisify(execFile)(process.execPath, [program, argument], { timeout: CHECK_TIMEOUT_MS });
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const [reason = message] = /^Error: .+$/m.exec(stderr) ?? [];
    throw new RestartRefused(`${program} cannot go on with its sessions (${reason})`);
  }
};

/** The same for the keeper, which is part of the same package as our own program. */
export const assertKeeperUsable = async (program: string): Promise<void> => {
  if (!existsSync(KEEPER_PROGRAM)) throw new RestartRefused(`there is no ${KEEPER_PROGRAM}`);
  await assertReadsOurSessions(program);
};
