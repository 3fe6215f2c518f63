/**
 * The daemon's program, started by `start-daemon.ts`. Its argument has the paths, because the daemon's own
 * environment might lead to others than the client's. A keeper adds the id by which clients know us.
 */
import { uptime } from 'node:os';
import { TerminalError } from '../../errors.ts';
import { descriptorsIn, type HandedOver } from '../../keeper/handed-over.ts';
import { KEEPER_DESCRIPTORS, STAND_IN } from '../../keeper/keeper.ts';
import { KeeperLink } from '../../keeper/keeper-link.ts';
import { type Formats, findUnreadable } from '../../session/keeping/formats.ts';
import { closeInheritedDescriptors } from '../../system/files/close-inherited.ts';
import { giveFreeMemoryBack } from '../../system/free-memory.ts';
import { hideProcess } from '../../system/process/hide-process.ts';
import { addKeeperProcess } from '../../system/process/own-processes.ts';
import { knowSessionsOnlySince } from '../../system/process/possible-starters.ts';
import { isExitAwaited } from '../../system/process/reaper.ts';
import { leaveMarkedSession } from '../../system/process/session-mark.ts';
import { becomeSubreaper } from '../../system/process/subreaper.ts';
import { DAEMON_NAME, type DaemonPaths } from '../protocol/daemon-paths.ts';
import type { DaemonOptions } from './daemon.ts';
import { serveDaemon } from './serve.ts';

interface DaemonArgument {
  paths: DaemonPaths;
  idleMs?: number;
  /** By the daemon that has executed us in its place. */
  handedOver?: HandedOver;
  /** Nothing is done: a daemon that is to be restarted asks whether we can read what it has written. */
  reads?: Partial<Formats>;
}

/** In one second, for /proc: on every Linux. */
const CLOCK_TICKS = 100;

process.title = DAEMON_NAME;
try {
  const argument: DaemonArgument = JSON.parse(process.argv[2] ?? '');
  const problem = argument.reads && findUnreadable(argument.reads);
  if (problem !== undefined) throw new Error(problem);
  if (argument.reads === undefined) await main(argument, process.argv[3]);
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error instanceof TerminalError ? `Error: ${error.message}` : error);
  process.exitCode = 1;
}
// Something may still keep this process alive, such as the terminal of a program that cannot be
// killed. The next daemon gets the lock only when this process has ended.
process.exit();

/** `keptAs`: clients know a daemon with a keeper by this. */
async function main({ handedOver, ...argument }: DaemonArgument, keptAs?: string): Promise<void> {
  const { paths, idleMs } = argument;
  const keeper = keptAs === undefined ? undefined : joinKeeper(keptAs, argument, handedOver);
  if (keeper === undefined) closeInheritedDescriptors();
  becomeSubreaper({ isAwaited: (pid) => isExitAwaited(pid) || keeper?.link.isLeft(pid) === true });
  giveFreeMemoryBack();
  // The daemon before us in this process has left it.
  if (handedOver === undefined) leaveMarkedSession();
  else knowSessionsOnlySince(uptime() * CLOCK_TICKS);
  await serveDaemon(paths, {
    ...(idleMs !== undefined && { idleMs }),
    ...(keeper && { keeper }),
  });
}

function joinKeeper(
  id: string,
  argument: object,
  handedOver?: HandedOver,
): NonNullable<DaemonOptions['keeper']> {
  // What it holds for the sessions has secrets in it.
  hideProcess();
  const { bell, messages, listening, listeningInState, standIn } = KEEPER_DESCRIPTORS;
  const hasStandIn = handedOver === undefined && process.argv.at(-1) === STAND_IN;
  const inherited = handedOver ? descriptorsIn(handedOver) : [listening, listeningInState];
  if (hasStandIn) inherited.push(standIn);
  closeInheritedDescriptors([bell, messages, ...inherited]);
  addKeeperProcess(process.ppid);
  const link = new KeeperLink(handedOver, { hasStandIn });
  const isRestarted = handedOver !== undefined;
  return { link, id, program: process.argv[1] ?? '', argument, isRestarted };
}
