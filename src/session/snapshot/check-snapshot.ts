/** Checks data that claims to be a session before anything is made of it. */
import { SnapshotUnusable } from '../../errors.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import type { SessionSnapshot } from './session-snapshot.ts';

type Check = (written: unknown) => SessionSnapshot;

let check: Check | undefined;

/** Loaded only when it is needed: the checker takes longer to load than everything else of a session. */
export const loadSnapshotCheck = async (): Promise<Check> => {
  const { sessionSnapshot } = await import('./session-snapshot.ts');
  check = (written) => {
    const { success, data, error } = sessionSnapshot.safeParse(written);
    if (success) return data;
    const [{ path, message }] = error.issues as [(typeof error.issues)[number]];
    throw new SnapshotUnusable(path.join('.'), message);
  };
  return check;
};

export const checkSnapshot = async (written: unknown): Promise<SessionSnapshot> =>
  (await loadSnapshotCheck())(written);

/** Whether it need not be checked: this same program has written it, and a checksum says that it is whole. */
export const isTrusted = (version: string): boolean => version === PACKAGE_VERSION;

/** `version`: of the program that has written it. If it is another one, the check must be loaded. */
export const trustedSnapshot = (written: unknown, version: string): SessionSnapshot => {
  if (isTrusted(version)) return written as SessionSnapshot;
  if (check === undefined) throw new Error(`the check for version ${version} is not loaded`);
  return check(written);
};
