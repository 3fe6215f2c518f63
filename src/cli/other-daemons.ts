/** Says where a user has more than one daemon: one of them may have the session that is looked for. */
import { DaemonConnection } from '../daemon/client/daemon-connection.ts';
import { otherSockets } from '../daemon/client/find-daemon.ts';
import { daemonPaths } from '../daemon/protocol/daemon-paths.ts';
import type { DaemonStatus } from '../daemon/protocol/protocol.ts';
import { printRemark } from './output/print-result.ts';

interface OtherDaemon extends DaemonStatus {
  socket: string;
}

/** Those that run beside the one that is used, whose process is `usedPid`. */
const findOtherDaemons = async (usedPid: number): Promise<OtherDaemon[]> => {
  const found = await Promise.all(otherSockets(daemonPaths()).map(statusAt));
  const others = found.filter((each) => each !== undefined && each.pid !== usedPid);
  // One daemon may be found at both of its sockets.
  return [...new Map((others as OtherDaemon[]).map((each) => [each.pid, each])).values()];
};

const statusAt = async (socket: string): Promise<OtherDaemon | undefined> => {
  const paths = daemonPaths({ ...process.env, REPARTEE_SOCKET: socket });
  const connection = await DaemonConnection.open(paths).catch(() => undefined);
  if (connection === undefined) return undefined;
  try {
    return { ...(await connection.request('status', {})), socket };
  } catch {
    // It ends, or is stuck: nobody can be sent there.
    return undefined;
  } finally {
    await connection.close();
  }
};

/** A sentence for each of them. */
export const describeOtherDaemons = async (usedPid: number): Promise<string[]> =>
  (await findOtherDaemons(usedPid)).map(({ pid, socket, sessions }) => {
    const names = sessions.map(({ name }) => name).join(', ') || 'none';
    return `another daemon of yours runs: process ${pid}, sessions: ${names}. REPARTEE_SOCKET=${socket} reaches it`;
  });

export const printOtherDaemons = async (usedPid: number): Promise<void> => {
  for (const remark of await describeOtherDaemons(usedPid)) printRemark(`[${remark}]`);
};
