/** Which process the kernel kills first when memory runs out. */
import { readFileSync, writeFileSync } from 'node:fs';

/** Ten percent of the memory more than it really uses: enough to come before us. */
const RAISE = 100;
const MAX_SCORE = 1000;

/**
 * Makes the kernel kill this program, and what it starts, before the process that keeps its terminal:
 * with that, every other session would be lost. Any user may raise a score.
 */
export const raiseOomScore = (pid: number): void => {
  try {
    const own = Number(readFileSync('/proc/self/oom_score_adj', 'latin1'));
    const raised = Math.min(MAX_SCORE, own + RAISE);
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(raised));
  } catch {
    // It has ended, became another user's, or the kernel has no such file: nothing depends on it.
  }
};
