/** Checks data that claims to be a session before anything is made of it. */
import { SnapshotUnusable } from '../../errors.ts';
import type { SessionSnapshot } from './session-snapshot.ts';

export const checkSnapshot = async (written: unknown): Promise<SessionSnapshot> => {
  // Loaded only here: the checker takes longer to load than everything else of a session.
  const { sessionSnapshot } = await import('./session-snapshot.ts');
  const { success, data, error } = sessionSnapshot.safeParse(written);
  if (success) return data;
  const [{ path, message }] = error.issues as [(typeof error.issues)[number]];
  throw new SnapshotUnusable(path.join('.'), message);
};
