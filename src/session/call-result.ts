/** Builds the result of a call: the session's state, and its new output. */
import { AGENT, defaults, type ReadOptions } from './options/options.ts';
import type { CallOptions, SessionResult } from './sessions.ts';
import type { WaitOutcome } from './wait/wait-for.ts';

export const sessionResult = async (
  { session, verdict, timedOut, matched }: WaitOutcome,
  { view = defaults.view, from, advance, search, maxTokens = defaults.maxTokens }: ReadOptions,
  { reader = AGENT }: CallOptions,
  startedMs: number,
): Promise<SessionResult> => {
  if (verdict.state === 'exited') session.isExitReported = true;
  const request = {
    view,
    maxTokens,
    ...(from !== undefined && { from }),
    ...(advance && { advance }),
    ...(search !== undefined && { search }),
  };
  return {
    ...session.stateOf(verdict),
    ...(await session.read(reader, request, verdict)),
    elapsedMs: Math.round(performance.now() - startedMs),
    ...(timedOut && { timedOut }),
    ...(matched !== undefined && { matched: session.masked(matched) }),
  };
};
