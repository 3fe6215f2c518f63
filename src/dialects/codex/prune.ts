/** Which session is ended when there are too many. */

export interface PruneCandidate {
  lastUsedMs: number;
  hasExited: boolean;
  isBusy: boolean;
}

/**
 * The least recently used session that has exited or, if none has, the least recently used one. The
 * most recently used ones are protected. A session with a call in progress is skipped: the call may
 * be about to report an exit.
 */
export const chooseSessionToPrune = <C extends PruneCandidate>(
  sessions: readonly C[],
  protectedCount: number,
): C | undefined => {
  const oldestFirst = [...sessions].sort((a, b) => a.lastUsedMs - b.lastUsedMs);
  const unprotected = oldestFirst.slice(0, Math.max(0, oldestFirst.length - protectedCount));
  const exited = unprotected.filter(({ hasExited }) => hasExited);
  return (exited.length > 0 ? exited : unprotected).find(({ isBusy }) => !isBusy);
};
