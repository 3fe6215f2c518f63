/** What is sent to a command line that runs a command is meant for that command. */
import type { Sessions } from '../session/sessions.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof signals)[number];

/**
 * Ctrl-C interrupts the command, in whatever session it runs. In a session of its own it gets other
 * signals as well, and whoever insists has that closed; any other session goes on, and the signal is
 * returned, as the reason for which nobody waits for its result any more.
 *
 * The name of a session of its own is told to `runsIn` when it is known.
 */
export const forwardSignals = async <T>(
  sessions: Sessions,
  session: string | undefined,
  act: (runsIn: (session: string) => void) => Promise<T>,
): Promise<T | Signal> => {
  const [where, runsIn] = promised<string>();
  const [left, leave] = promised<Signal>();
  if (session !== undefined) runsIn(session);
  let times = 0;
  const forward = async (signal: Signal): Promise<void> => {
    const isFirst = times++ === 0;
    const isForCommand = session === undefined || (signal === 'SIGINT' && isFirst);
    if (!isForCommand) return leave(signal);
    const name = await where;
    if (isFirst) await sessions.signal(name, signal);
    else await sessions.close(name);
  };
  // It may have ended by itself meanwhile: either way its result comes, and says how.
  const onSignal = (signal: Signal) => void forward(signal).catch(() => {});
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await Promise.race([act(runsIn), left]);
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
};

const promised = <T>(): [promise: Promise<T>, resolve: (value: T) => void] => {
  let resolve = (_: T) => {};
  const promise = new Promise<T>((keep) => {
    resolve = keep;
  });
  return [promise, resolve];
};
