/**
 * Regular cleaning in a daemon that may live for months: old recordings and exited sessions.
 *
 * A step that fails is logged and does not stop the others. It is tried again the next time.
 */
import type { Sessions } from '../../session/sessions.ts';
import type { DaemonLog } from './daemon-log.ts';
import { pruneRecordings } from './prune-recordings.ts';
import type { SessionJournal } from './session-journal.ts';

/** How long the output of an exited program can still be read. Its recording is kept longer. */
const EXITED_KEPT_MS = 24 * 3_600_000;

export interface HousekeepingDeps {
  readonly sessions: Sessions;
  readonly journal: Pick<SessionJournal, 'sessions'>;
  readonly log: Pick<DaemonLog, 'write'>;
}

/** Never rejects. */
export const runHousekeeping = async (
  deps: HousekeepingDeps,
  recordings: string,
  exitedKeptMs = EXITED_KEPT_MS,
): Promise<void> => {
  await attempt(deps, 'old recordings', () => prune(deps, recordings));
  await attempt(deps, 'exited sessions', () => closeExited(deps, exitedKeptMs));
};

const prune = ({ journal, log }: HousekeepingDeps, recordings: string): void => {
  const beingWritten = journal.sessions.flatMap(({ recording }) => recording ?? []);
  const onError = (message: string) => log.write(message);
  for (const erased of pruneRecordings(recordings, beingWritten, onError))
    log.write(`erased the recording ${erased}`);
};

/** Without this, sessions whose programs have exited would keep the daemon alive forever. */
const closeExited = async (deps: HousekeepingDeps, exitedKeptMs: number): Promise<void> => {
  for (const { session, state, idleMs } of await deps.sessions.list()) {
    if (state === 'exited' && idleMs > exitedKeptMs)
      // A client may have closed it since it was listed.
      await attempt(deps, `session ${session}`, () => deps.sessions.close(session));
  }
};

const attempt = async (
  { log }: HousekeepingDeps,
  task: string,
  run: () => unknown,
): Promise<void> => {
  try {
    await run();
  } catch (error) {
    log.write(`housekeeping, ${task}: ${error instanceof Error ? error.message : error}`);
  }
};
