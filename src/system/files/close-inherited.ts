import { closeSync } from 'node:fs';
import { inheritableDescriptors } from '../proc/own-process.ts';

/** Closes descriptors that came from our parent, which may wait for the end of a pipe among them. */
export const closeInheritedDescriptors = (): void => {
  for (const fd of inheritableDescriptors()) closeSync(fd);
};
