/** What is sent to a command line that runs a command is meant for that command. */
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Link } from '../daemon/link.ts';
import { places } from '../daemon/paths.ts';
import type { Sessions } from '../session/sessions.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
type Signal = (typeof signals)[number];

/** How soon a session that is being opened is looked for again. */
const AGAIN_MS = 20;

/**
 * Ctrl-C interrupts the command, in whatever session it runs. In a session of its own it gets other
 * signals as well, and whoever insists has that closed; any other session goes on.
 */
export const passingOn = async <T>(
  sessions: Sessions,
  run: { session?: string; commandLine: string },
  act: () => Promise<T>,
): Promise<T> => {
  let times = 0;
  let isOver = false;
  const named = async (): Promise<string | undefined> => {
    let session = run.session;
    while (session === undefined && !isOver) {
      session = await sessionOf(run.commandLine);
      if (session === undefined) await delay(AGAIN_MS);
    }
    return session;
  };
  const pass = async (signal: Signal): Promise<void> => {
    const isOwn = run.session === undefined;
    if (!isOwn && (signal !== 'SIGINT' || times > 0)) process.exit(128 + constants.signals[signal]);
    times++;
    const session = await named();
    if (session === undefined) return;
    if (times === 1) await sessions.signal(session, signal);
    else await sessions.close(session);
  };
  // It may have ended by itself meanwhile: either way its result comes, and says how.
  const hear = (signal: Signal) => void pass(signal).catch(() => {});
  for (const signal of signals) process.on(signal, hear);
  try {
    return await act();
  } finally {
    isOver = true;
    for (const signal of signals) process.off(signal, hear);
  }
};

/** Its name is told with its result. Until then it is the latest that was given this command. */
const sessionOf = async (commandLine: string): Promise<string | undefined> => {
  const link = await Link.open(places());
  try {
    const status = await link?.request('status', {});
    return status?.sessions.findLast(({ command }) => command.at(-1) === commandLine)?.name;
  } finally {
    await link?.close();
  }
};
