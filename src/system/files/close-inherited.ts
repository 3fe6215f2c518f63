/** Descriptors that came from whoever started us, who may wait for the end of a pipe we know nothing of. */
import { closeSync } from 'node:fs';
import { inheritable } from '../descriptors.ts';

export const closeInherited = (): void => {
  for (const fd of inheritable()) closeSync(fd);
};
