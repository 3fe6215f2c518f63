/** Times in a snapshot, which is read in a process with another start of its clock. */

/** From the clock of this process to milliseconds since 1970. */
export const toEpochMs = (ms: number): number => performance.timeOrigin + ms;

/** From milliseconds since 1970 to the clock of this process. */
export const fromEpochMs = (epochMs: number): number => epochMs - performance.timeOrigin;
