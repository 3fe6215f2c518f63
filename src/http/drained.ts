import type { ServerResponse } from 'node:http';

/** Resolves when more can be written, or nobody reads any more. */
export const drained = (target: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      target.off('drain', done);
      target.off('close', done);
      resolve();
    };
    target.once('drain', done);
    target.once('close', done);
  });
