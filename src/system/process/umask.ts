/**
 * Starts programs with a given umask: the permissions that new files do not get. A program inherits
 * it from the process that starts it, which may be a daemon. A process has only one umask, so
 * programs with different umasks are started one after the other.
 */
interface QueuedCall {
  mask: number;
  start: () => void;
}

const queue: QueuedCall[] = [];
let running = 0;
let current = 0;
/** The umask while no program is being started. */
let ownMask = 0;

/** During the call, this process must set the mode of the files it creates explicitly. */
export const runWithUmask = async <T>(
  mask: number | undefined,
  call: () => Promise<T>,
): Promise<T> => {
  if (mask === undefined) return call();
  await acquire(mask & 0o777);
  try {
    return await call();
  } finally {
    release();
  }
};

/** For a program that takes our place while another is being started. */
export const restoreOwnUmask = (): void => {
  if (running > 0) process.umask(ownMask);
};

const acquire = (mask: number): Promise<void> | void => {
  // If other calls wait, a call with the current umask waits too. Otherwise they might wait for ever.
  if (running > 0 && (queue.length > 0 || mask !== current))
    return new Promise((start) => queue.push({ mask, start }));
  begin(mask);
};

const begin = (mask: number): void => {
  if (running++ > 0) return;
  ownMask = process.umask(mask);
  current = mask;
};

const release = (): void => {
  if (--running > 0) return;
  process.umask(ownMask);
  while (queue.length > 0 && (running === 0 || queue[0]!.mask === current)) {
    const { mask, start } = queue.shift()!;
    begin(mask);
    start();
  }
};
