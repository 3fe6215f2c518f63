/** One task: what is done with every tool, and how its answers are judged. */

import type { Seat } from './peer.ts';
import type { Place } from './place.ts';

export interface Task {
  id: string;
  title: string;
  /** What is done and what must come back, for the report. */
  what: string;
  /** Long or exact: one round says it all. */
  once?: true;
  /** What the number of a finding is; `ms` is time from real readiness to the answer. */
  unit: 'ms' | 'total ms' | 'bytes' | 'tokens' | 'processes' | 'none';
  attempt(seat: Seat, place: Place): Promise<Finding>;
}

export interface Finding {
  right: boolean;
  /** In the unit of the task; absent where there is nothing to measure. */
  value?: number;
  /** What was wrong, or is worth knowing. */
  note?: string;
  /** The tool had to be told what to look for. */
  told?: boolean;
}

/** A task made of what is done and of a pure judgement over what was seen. */
export const task = <Seen>({
  seen,
  judge,
  ...rest
}: Omit<Task, 'attempt'> & {
  seen(seat: Seat, place: Place): Promise<Seen>;
  judge(seen: Seen): Finding;
}): Task => ({
  ...rest,
  attempt: async (seat, place) => judge(await seen(seat, place)),
});

/** The first thing that is wrong, or that all is right. */
export const judged = (
  faults: Readonly<Record<string, boolean>>,
  rest: Omit<Finding, 'right'> = {},
): Finding => {
  const fault = Object.keys(faults).find((name) => faults[name]);
  return fault === undefined ? { ...rest, right: true } : { ...rest, right: false, note: fault };
};
