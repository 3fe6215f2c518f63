/** Builds the line of a session in a list: its state, and what does not change with its output. */
import { plainText } from '../plain-text.ts';
import { workingFolderOf } from '../system/proc/process-info.ts';
import { ifDefined } from './options/if-defined.ts';
import { DEFAULT_ACTOR } from './options/options.ts';
import type { Session } from './session.ts';
import type { SessionSummary } from './sessions.ts';
import { currentVerdict } from './wait/current-verdict.ts';

export const makeSessionSummary = async (
  session: Session,
  recording: string | undefined,
): Promise<SessionSummary> => {
  const nowMs = performance.now();
  const cwd = workingFolderOf(session.terminal.pid);
  return {
    ...session.stateOf(await currentVerdict(session)),
    idleMs: Math.round(nowMs - session.usedMs),
    ageMs: Math.round(nowMs - session.openedMs),
    unread: session.screen.position - session.readers.get(DEFAULT_ACTOR).position,
    pid: session.terminal.pid,
    ...(cwd !== undefined && { cwd: session.masked(plainText(cwd)) }),
    openedBy: session.openedBy,
    ...ifDefined('sandbox', session.sandbox?.profile),
    ...ifDefined('inputBy', session.input.lastCaller),
    ...ifDefined('recording', recording),
    ...(session.isExitReported && { isExitReported: true as const }),
  };
};
