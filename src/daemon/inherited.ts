/** Descriptors that came from whoever started us, who may wait for the end of a pipe we know nothing of. */
import { closeSync, readdirSync, readFileSync } from 'node:fs';
import { O_CLOEXEC } from '../pty/libc.ts';

/** Node opens its own so that no other program gets them: what is not so is inherited. */
export const closeInherited = (): void => {
  for (const fd of readdirSync('/proc/self/fd').map(Number)) {
    if (fd > 2 && isInherited(fd)) closeSync(fd);
  }
};

const isInherited = (fd: number): boolean => {
  try {
    const [, flags] =
      /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')) ?? [];
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0;
  } catch {
    // The one that was open for the listing.
    return false;
  }
};
