/**
 * Why somebody is faster than we are, for the report: only what has been measured or is plain from how
 * a tool is used. Everything else is said to be unexplained, so that somebody looks.
 */
import type { Cell } from './standings.ts';
import type { Task } from './task.ts';

/** They give the bytes as they came, from where the caller stopped to the end. */
const OF_BYTES: readonly string[] = ['pexpect', 'expect'];
/** Its programs are on pipes, which take 64 KB at once; a terminal takes 4 KB. */
const ON_PIPES: readonly string[] = ['Desktop Commander'];

const ENDS: readonly string[] = ['done', 'seq-200', 'vim'];
const MUCH: readonly string[] = ['seq-100000', 'flood'];

/** The first that fits. */
const reasons: readonly { fits(task: Task, cell: Cell): boolean; why: string }[] = [
  { fits: (_, { told }) => told, why: 'told in advance what to look for; we are not' },
  {
    fits: ({ id }, { peer }) => MUCH.includes(id) && OF_BYTES.includes(peer.name),
    why: 'returns the bytes; we also put every line on a screen, to be read and searched later',
  },
  {
    fits: ({ id }, { peer }) => MUCH.includes(id) && ON_PIPES.includes(peer.name),
    why: 'reads from a pipe, without a terminal, and keeps no screen',
  },
  {
    fits: ({ id }, { peer }) => id === 'hundred' && OF_BYTES.includes(peer.name),
    why: 'keeps no screens, and closes without looking for remaining processes, as the row below shows',
  },
  {
    fits: ({ id }) => ENDS.includes(id),
    why: 'waits for the end of the output only; we also ask the kernel, and check the answer against its schema',
  },
];

const UNEXPLAINED = 'not explained yet';

export const reasonFor = (task: Task, cell: Cell): string =>
  reasons.find(({ fits }) => fits(task, cell))?.why ?? UNEXPLAINED;

export const isExplained = (task: Task, cell: Cell): boolean =>
  reasonFor(task, cell) !== UNEXPLAINED;
