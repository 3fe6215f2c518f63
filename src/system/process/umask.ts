/**
 * The umask: which permissions new files do not get. A program inherits it from the process that
 * starts it, which may be a daemon. The mask belongs to a process as a whole, so programs with
 * different masks are started one after the other.
 */
interface Waiting {
  mask: number;
  go: () => void;
}

const queue: Waiting[] = [];
let underWay = 0;
let current = 0;
/** The mask while nothing is being started. */
let usual = 0;

/** Meanwhile files that this process makes itself must be given their mode explicitly. */
export const runWithUmask = async <T>(
  mask: number | undefined,
  call: () => Promise<T>,
): Promise<T> => {
  if (mask === undefined) return call();
  await enter(mask & 0o777);
  try {
    return await call();
  } finally {
    leave();
  }
};

const enter = (mask: number): Promise<void> | void => {
  // Behind those that wait already, or they would never get their turn.
  if (underWay > 0 && (queue.length > 0 || mask !== current))
    return new Promise((go) => queue.push({ mask, go }));
  begin(mask);
};

const begin = (mask: number): void => {
  if (underWay++ > 0) return;
  usual = process.umask(mask);
  current = mask;
};

const leave = (): void => {
  if (--underWay > 0) return;
  process.umask(usual);
  while (queue.length > 0 && (underWay === 0 || queue[0]!.mask === current)) {
    const { mask, go } = queue.shift()!;
    begin(mask);
    go();
  }
};
