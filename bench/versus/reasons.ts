/**
 * Why somebody is faster than we are, for the report: only what has been measured or is plain from how
 * a tool is used. Everything else is said to be unexplained, so that somebody looks.
 */
import type { Cell } from './standings.ts';
import type { Task } from './task.ts';

/** The first that fits. */
const reasons: readonly { fits(task: Task, cell: Cell): boolean; why: string }[] = [
  { fits: (_, { told }) => told, why: 'told in advance what to look for, as we are not' },
  { fits: () => true, why: 'not explained yet' },
];

export const reasonFor = (task: Task, cell: Cell): string =>
  reasons.find(({ fits }) => fits(task, cell))!.why;
