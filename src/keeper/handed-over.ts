/**
 * What a program passes to the one that it executes in its own place, in an argument: the numbers of the
 * descriptors that stay open. So nothing is sent, and nothing is held by nobody meanwhile.
 */

/** Another shape of `HandedOver` gets another number: a program of another version may have to read it. */
export const HAND_OVER_FORMAT = 1;

export interface HandedOver {
  /** As the keeper holds them: the second is null once it was let go. The daemon's own store is alone. */
  sessions: [session: number, store: number, main: number | null, second: number | null][];
  /** The sockets at which clients connect. */
  listening: { runtime: number; state?: number };
  /** The lock file. Only a keeper gets it. */
  lock?: number;
  /** By which its stand-in is told to leave. Only a keeper gets it. */
  standIn?: number;
}

export const descriptorsIn = ({ sessions, listening, lock, standIn }: HandedOver): number[] => [
  ...sessions.flatMap(([, ...descriptors]) => descriptors.filter((fd) => fd !== null)),
  ...Object.values(listening),
  ...[lock, standIn].filter((fd) => fd !== undefined),
];

/** The same for a process in which the descriptors have other numbers. */
export const renumber = (
  { sessions, listening, standIn }: HandedOver,
  numberOf: (fd: number) => number,
): HandedOver => ({
  sessions: sessions.map(([session, store, main, second]) => [
    session,
    numberOf(store),
    main === null ? null : numberOf(main),
    second === null ? null : numberOf(second),
  ]),
  listening: {
    runtime: numberOf(listening.runtime),
    ...(listening.state !== undefined && { state: numberOf(listening.state) }),
  },
  ...(standIn !== undefined && { standIn: numberOf(standIn) }),
});
