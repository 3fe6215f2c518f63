/** What the calls of the threads do not show, but something else does. */
import { isOutOfDescriptors } from '../descriptors.ts';
import { ringOf } from '../proc/io-rings.ts';
import type { ProcReader } from '../proc/proc.ts';
import { hasTimers } from '../proc/process-info.ts';
import { findDue } from './find-due.ts';
import type { KernelEvidence, ObservedTerminal } from './kernel-evidence.ts';
import type { ObservedThread } from './observe-thread.ts';

type UnseenEvidence = Pick<KernelEvidence, 'due' | 'hasTimers' | 'mayReadUnseen'>;

/** Of threads that are all blocked. */
export const findUnseen = (
  terminal: ObservedTerminal,
  found: readonly ObservedThread[],
  proc: ProcReader,
): UnseenEvidence => {
  const pids = [...new Set(found.map(({ thread }) => thread.pid))];
  if (!found.some(({ thread }) => thread.terminalWait)) {
    const rings = pids.flatMap((pid) => ringOf(pid, proc) ?? []);
    if (rings.length === 0) return {};
    const mayReadUnseen = rings.some(({ reads }) => reads);
    return { due: 'a request that cannot be seen', ...(mayReadUnseen && { mayReadUnseen }) };
  }
  const due = findDue(terminal, found, proc);
  return {
    ...(due !== undefined && { due }),
    ...(pids.some((pid) => hasTimers(pid, proc)) && { hasTimers: true }),
  };
};

/**
 * The evidence, with what is found by `find` when it is asked for, once. That takes as long as all the
 * rest, and something may move meanwhile.
 */
export const findingLater = (
  evidence: KernelEvidence,
  find: () => UnseenEvidence,
  hasMoved: () => boolean,
): KernelEvidence => {
  let answer: (UnseenEvidence & { hasMoved: boolean }) | undefined;
  const unseen = () => {
    answer ??= { ...orNotKnown(find), hasMoved: hasMoved() };
    return answer;
  };
  return {
    ...evidence,
    get due() {
      return unseen().due;
    },
    get hasTimers() {
      return unseen().hasTimers ?? false;
    },
    // The last one: in a copy ({ ...evidence }) it is told after the others were found.
    get hasMoved() {
      return answer?.hasMoved ?? false;
    },
  };
};

/** The judge cannot do without an answer. */
const orNotKnown = (find: () => UnseenEvidence): UnseenEvidence => {
  try {
    return find();
  } catch (error) {
    if (isOutOfDescriptors(error)) return { due: 'what we have no descriptor to look for' };
    throw error;
  }
};
