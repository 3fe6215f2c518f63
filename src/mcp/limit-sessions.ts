/** Sessions, of which those behind one door can open only so many. */
import { TooManySessions } from '../errors.ts';
import type { SessionResult, SessionSummary, Sessions } from '../session/sessions.ts';

/** Ages are told in whole milliseconds. */
const ROUNDING_MS = 1;

export const limitSessions = (sessions: Sessions, limit: number): Sessions => {
  /** When each was known to be open. One of its name that is younger was opened by somebody else. */
  const opened = new Map<string, number>();
  let opening = 0;
  const ours = async (): Promise<SessionSummary[]> => {
    const askedMs = performance.now();
    const alive = (await sessions.list()).filter(({ session, state, ageMs }) => {
      const knownMs = opened.get(session) ?? Number.NEGATIVE_INFINITY;
      return state !== 'exited' && askedMs - ageMs <= knownMs + ROUNDING_MS;
    });
    const names = new Set(alive.map(({ session }) => session));
    for (const [name, knownMs] of opened)
      if (knownMs < askedMs && !names.has(name)) opened.delete(name);
    return alive;
  };
  const within = async <R extends SessionResult>(open: () => Promise<R>): Promise<R> => {
    opening++;
    try {
      const alive = await ours();
      if (alive.length + opening > limit)
        throw new TooManySessions(
          limit,
          alive.map(({ session, idleMs }) => ({ name: session, idleMs })),
        );
      const result = await open();
      if (result.state !== 'exited') opened.set(result.session, performance.now());
      return result;
    } finally {
      opening--;
    }
  };
  const own: Pick<Sessions, 'open' | 'run'> = {
    open: (...args) => within(() => sessions.open(...args)),
    run: (command, options, call) =>
      options?.session === undefined
        ? within(() => sessions.run(command, options, call))
        : sessions.run(command, options, call),
  };
  return new Proxy(sessions, {
    get(target, name) {
      const value: unknown = Reflect.get(name in own ? own : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
