import { closeSync } from 'node:fs';
import { closeOnExec } from '../descriptors.ts';
import { inheritableDescriptors } from '../proc/own-process.ts';

/**
 * Closes the descriptors we inherited: our parent may be waiting until a pipe among them is closed. Those
 * in `kept` are ours, but not our children's.
 */
export const closeInheritedDescriptors = (kept: readonly number[] = []): void => {
  for (const fd of inheritableDescriptors()) {
    if (kept.includes(fd)) closeOnExec(fd);
    else closeSync(fd);
  }
};
