/**
 * Finds out who has connected: what the kernel knows of the peer, and what the peer says of itself.
 *
 * The peer's process is looked at as soon as it has connected, since it may end at any time. Which session
 * that makes it an agent of is decided at its hello: a program can connect before the session that has
 * started it is complete.
 */
import type { Socket } from 'node:net';
import { NotAPerson } from '../../../errors.ts';
import { plainText } from '../../../plain-text.ts';
import {
  type Caller,
  type CallerClaim,
  type ClientProgram,
  doors,
  userName,
} from '../../../session/caller.ts';
import { type PeerCredentials, peerCredentials } from '../../../system/peer-credentials.ts';
import { isDescriptorTerminal } from '../../../system/proc/descriptor-info.ts';
import { realProc } from '../../../system/proc/proc.ts';
import { type ProcessStat, readProcessStat } from '../../../system/proc/process-stat.ts';
import { type Lineage, lineageOf } from '../../../system/process/lineage.ts';
import type { Terminal } from '../../../system/terminal/terminal.ts';

/** What the kernel knows of a peer. */
export interface Peer extends Partial<PeerCredentials> {
  lineage: Lineage;
  /** Its controlling terminal; 0 if it has none or has ended. */
  terminal: number;
  /** Its input and output are that terminal: somebody has started it there. */
  isOnTerminal: boolean;
}

export interface SessionTerminal {
  name: string;
  terminal: Pick<Terminal, 'pid' | 'startTime' | 'mark' | 'device'>;
}

const noLineage: Lineage = { processes: [], isOurs: false, sessionTokens: [] };

/** One that the kernel knows nothing of, such as one in this process. */
export const unseenPeer: Peer = { lineage: noLineage, terminal: 0, isOnTerminal: false };

export const examinePeer = (socket: Socket): Peer => {
  const credentials = peerCredentials(socket);
  const { pid = 0 } = credentials ?? {};
  const lineage = pid > 0 ? lineageOf(pid) : noLineage;
  const [stat] = lineage.processes;
  const isTerminal = (fd: number) =>
    stat !== undefined &&
    isDescriptorTerminal(stat, fd, { device: stat.terminal, session: stat.session }, realProc);
  return {
    ...credentials,
    lineage,
    terminal: stat?.terminal ?? 0,
    isOnTerminal: stat !== undefined && stat.terminal !== 0 && isTerminal(0) && isTerminal(1),
  };
};

/** Throws if the peer says that it is a person, and is not at a terminal outside our sessions. */
export const identifyCaller = (
  { pid, uid = -1, lineage, terminal, isOnTerminal }: Peer,
  claim: Partial<CallerClaim>,
  sessions: readonly SessionTerminal[],
): Caller => {
  const session = findSession(lineage, sessions);
  const isInside = session !== undefined || lineage.isOurs;
  const isOurTerminal = sessions.some((each) => each.terminal.device === terminal);
  const isAtOwnTerminal = terminal !== 0 && !isOurTerminal && !isInside;
  if (claim.person && !isAtOwnTerminal) throw new NotAPerson(session);
  const door = doors.find((each) => each === claim.door) ?? 'unknown';
  // Other commands do not say it: they work for both, and need not be refused inside a session.
  const isPerson = claim.person || (door === 'cli' && isAtOwnTerminal && isOnTerminal);
  return {
    door,
    ...(claim.client && { client: plainClient(claim.client) }),
    user: userName(uid),
    uid,
    kind: isPerson ? 'person' : 'agent',
    ...(pid !== undefined && pid > 0 && { pid }),
    ...(isInside && { inside: session === undefined ? {} : { session } }),
  };
};

/** The kernel's word comes first. The environment can be copied, and then names another session. */
const findSession = (
  { processes, sessionTokens }: Lineage,
  sessions: readonly SessionTerminal[],
): string | undefined => {
  for (const stat of processes) {
    const found = sessions.find(({ terminal }) => isMember(stat, terminal));
    if (found !== undefined) return found.name;
  }
  for (const token of sessionTokens) {
    const found = sessions.find(({ terminal }) => terminal.mark === token);
    if (found !== undefined) return found.name;
  }
  return undefined;
};

/** The kernel gives the leader's number away again only when the leader and its whole session have ended. */
const isMember = (stat: ProcessStat, { pid, startTime }: SessionTerminal['terminal']): boolean => {
  if (stat.session !== pid || stat.startTime < startTime) return false;
  return (readProcessStat(pid)?.startTime ?? startTime) === startTime;
};

const MAX_TEXT_LENGTH = 100;

/** It is printed on terminals, so it must have neither escape sequences nor line feeds. */
export const plainClient = ({ name, version }: ClientProgram): ClientProgram => ({
  name: plainText(name, MAX_TEXT_LENGTH),
  ...(version !== undefined && { version: plainText(version, MAX_TEXT_LENGTH) }),
});
