/** Builds the result of a call: the session's state, and its new output. */
import { callDefaults, DEFAULT_ACTOR, type ReadOptions } from './options/options.ts';
import type { CallOptions, SessionResult } from './sessions.ts';
import type { WaitOutcome } from './wait/wait-for-sessions.ts';

export const makeSessionResult = async (
  { session, verdict, timedOut, matched }: WaitOutcome,
  {
    view = callDefaults.view,
    from,
    advance,
    search,
    maxTokens = callDefaults.maxTokens,
  }: ReadOptions,
  { reader = DEFAULT_ACTOR, untilHeard }: CallOptions,
  startedMs: number,
): Promise<SessionResult> => {
  await untilHeard?.();
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
