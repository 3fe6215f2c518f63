/**
 * Ends waits that a client has given up without saying so: Gemini CLI sends no cancellation on Esc. Such a
 * wait would take the output that the next call is to get.
 */
import { WaitReplaced } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';

interface WaitingCall {
  sessions: readonly string[];
  startedMs: number;
  ending: AbortController;
}

/**
 * Calls that a model makes at once arrive within milliseconds, and none of them is abandoned. A person who
 * gives up a call and asks for something else needs longer. By then the call has typed its input, too.
 */
const SAME_TURN_MS = 1000;

export class AbandonedWaits {
  readonly #waiting = new Set<WaitingCall>();

  /** Makes a call that concerns these sessions, and ends older ones that wait for one of them. */
  async during<T>(
    sessions: readonly string[],
    call: CallOptions,
    make: (call: CallOptions) => Promise<T>,
  ): Promise<T> {
    const startedMs = performance.now();
    for (const older of this.#waiting) {
      const common = sessions.find((name) => older.sessions.includes(name));
      if (common !== undefined && startedMs - older.startedMs >= SAME_TURN_MS)
        older.ending.abort(new WaitReplaced(common));
    }
    const ending = new AbortController();
    const waiting = { sessions, startedMs, ending };
    this.#waiting.add(waiting);
    try {
      const signals = [ending.signal, ...(call.signal ? [call.signal] : [])];
      return await make({ ...call, signal: AbortSignal.any(signals) });
    } finally {
      this.#waiting.delete(waiting);
    }
  }
}
