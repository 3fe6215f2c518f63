/** Limits how many sessions one MCP server can open. */
import { TooManySessions } from '../errors.ts';
import type { SessionResult, SessionSummary, Sessions } from '../session/sessions.ts';

/** `ageMs` is rounded, so a start computed from it may be up to this much too late. */
const ROUNDING_MS = 1;

export const limitSessions = (sessions: Sessions, limit: number): Sessions => {
  /** When we knew each to be open. A younger session of that name was opened by somebody else. */
  const openedMs = new Map<string, number>();
  let opening = 0;
  const listOwn = async (): Promise<SessionSummary[]> => {
    const listedMs = performance.now();
    const alive = (await sessions.list()).filter(({ session, state, ageMs }) => {
      const openMs = openedMs.get(session) ?? Number.NEGATIVE_INFINITY;
      return state !== 'exited' && listedMs - ageMs <= openMs + ROUNDING_MS;
    });
    const names = new Set(alive.map(({ session }) => session));
    for (const [name, openMs] of openedMs)
      if (openMs < listedMs && !names.has(name)) openedMs.delete(name);
    return alive;
  };
  const openWithinLimit = async <R extends SessionResult>(open: () => Promise<R>): Promise<R> => {
    opening++;
    try {
      const alive = await listOwn();
      if (alive.length + opening > limit)
        throw new TooManySessions(
          limit,
          alive.map(({ session, idleMs }) => ({ name: session, idleMs })),
        );
      const result = await open();
      if (result.state !== 'exited') openedMs.set(result.session, performance.now());
      return result;
    } finally {
      opening--;
    }
  };
  const limited: Pick<Sessions, 'open' | 'run'> = {
    open: (...args) => openWithinLimit(() => sessions.open(...args)),
    run: (command, options, call) =>
      options?.session === undefined
        ? openWithinLimit(() => sessions.run(command, options, call))
        : sessions.run(command, options, call),
  };
  return new Proxy(sessions, {
    get(target, name) {
      const value: unknown = Reflect.get(name in limited ? limited : target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
};
