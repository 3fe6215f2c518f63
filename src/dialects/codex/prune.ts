/** Which session goes when there are too many. */

export interface PruneCandidate {
  usedMs: number;
  hasExited: boolean;
  isBusy: boolean;
}

/**
 * Not one of those used last. The longest unused of those that have exited; only where none has,
 * the longest unused. None in which a call is in progress: it may be about to report an exit.
 */
export const toPrune = <C extends PruneCandidate>(
  sessions: readonly C[],
  protectedCount: number,
): C | undefined => {
  const byUse = [...sessions].sort((a, b) => a.usedMs - b.usedMs);
  const open = byUse.slice(0, Math.max(0, byUse.length - protectedCount));
  const exited = open.filter(({ hasExited }) => hasExited);
  return (exited.length > 0 ? exited : open).find(({ isBusy }) => !isBusy);
};
