import { closeSync } from 'node:fs';
import { inheritableDescriptors } from '../proc/own-process.ts';

/** Closes the descriptors we inherited: our parent may be waiting until a pipe among them is closed. */
export const closeInheritedDescriptors = (): void => {
  for (const fd of inheritableDescriptors()) closeSync(fd);
};
