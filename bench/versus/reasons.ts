/** Why somebody is faster than we are, for the report. */
import type { Cell } from './standings.ts';
import type { Task } from './task.ts';

/** The first that fits. */
const reasons: readonly { fits(task: Task, cell: Cell): boolean; why: string }[] = [
  {
    fits: (_, { told }) => told,
    why: 'was told what to look for, and answers as soon as these characters have come, whoever printed them; we are told nothing, and look whether the program waits',
  },
  {
    fits: ({ id }, { peer }) => id === 'flood' && peer.name === 'Desktop Commander',
    why: 'gives the program a pipe, which is faster than a terminal',
  },
  {
    fits: ({ id }) => ['done', 'seq-200', 'seq-100000', 'flood'].includes(id),
    why: 'starts the command alone and waits for its end; we run it in a shell, for its exact output, exit code and folder',
  },
  {
    fits: ({ id }) => id === 'hundred',
    why: 'does less for each: no look at the processes, and for some no screen',
  },
  { fits: () => true, why: 'does less' },
];

export const reasonFor = (task: Task, cell: Cell): string =>
  reasons.find(({ fits }) => fits(task, cell))!.why;
