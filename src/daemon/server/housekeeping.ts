/**
 * What nobody else looks after in a daemon that may live for months. It runs by itself: what cannot
 * be done is logged, keeps nothing else from being done, and is tried again the next time.
 */
import type { Sessions } from '../../session/sessions.ts';
import type { DaemonLog } from './daemon-log.ts';
import { pruneRecordings } from './prune-recordings.ts';
import type { SessionJournal } from './session-journal.ts';

/** What an exited program has said may still be read for so long; then its recording is left. */
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

/** Erases what is too old or too much of the recordings. */
const prune = ({ journal, log }: HousekeepingDeps, recordings: string): void => {
  const beingWritten = journal.sessions.flatMap(({ recording }) => recording ?? []);
  const trouble = (message: string) => log.write(message);
  for (const gone of pruneRecordings(recordings, beingWritten, trouble))
    log.write(`erased the recording ${gone}`);
};

/** Sessions whose programs have exited would keep the daemon for ever. */
const closeExited = async (deps: HousekeepingDeps, exitedKeptMs: number): Promise<void> => {
  for (const { session, state, idleMs } of await deps.sessions.list()) {
    if (state === 'exited' && idleMs > exitedKeptMs)
      // Somebody else may have closed it since it was listed.
      await attempt(deps, `session ${session}`, () => deps.sessions.close(session));
  }
};

const attempt = async (
  { log }: HousekeepingDeps,
  what: string,
  act: () => unknown,
): Promise<void> => {
  try {
    await act();
  } catch (error) {
    log.write(`housekeeping, ${what}: ${error instanceof Error ? error.message : error}`);
  }
};
