/** All tasks, in the order of the report. */
import type { Task } from './task.ts';
import { amounts } from './tasks/amounts.ts';
import { commands } from './tasks/commands.ts';
import { exchanges } from './tasks/exchanges.ts';
import { screens } from './tasks/screens.ts';
import { turns } from './tasks/turns.ts';

export const tasks: readonly Task[] = [
  ...commands.slice(0, 1),
  ...turns,
  ...exchanges,
  ...commands.slice(1),
  ...screens,
  ...amounts,
];
