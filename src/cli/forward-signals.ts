/** Forwards the signals that `repartee run` gets to the command it runs. */
import type { Sessions } from '../session/sessions.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof signals)[number];

/**
 * The first Ctrl-C interrupts the command, in any session. What else happens depends on the session:
 *
 * - A session made for this command (`session` is undefined): the first signal of any kind goes to
 *   the command, the second closes the session. `onSession` must be called with its name.
 * - A session that existed before: it goes on. We stop waiting, and the signal is returned.
 */
export const forwardSignals = async <T>(
  sessions: Sessions,
  session: string | undefined,
  run: (onSession: (session: string) => void) => Promise<T>,
): Promise<T | Signal> => {
  const [sessionName, onSession] = deferred<string>();
  const [interrupted, interrupt] = deferred<Signal>();
  if (session !== undefined) onSession(session);
  let count = 0;
  const forward = async (signal: Signal): Promise<void> => {
    const isFirst = count++ === 0;
    const isForCommand = session === undefined || (signal === 'SIGINT' && isFirst);
    if (!isForCommand) return interrupt(signal);
    const name = await sessionName;
    if (isFirst) await sessions.signal(name, signal);
    else await sessions.close(name);
  };
  // An error means that the command has just ended by itself: `run` returns its result anyway.
  const onSignal = (signal: Signal) => void forward(signal).catch(() => {});
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await Promise.race([run(onSession), interrupted]);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
};

const deferred = <T>(): [promise: Promise<T>, resolve: (value: T) => void] => {
  let resolve = (_: T) => {};
  const promise = new Promise<T>((resolvePromise) => {
    resolve = resolvePromise;
  });
  return [promise, resolve];
};
