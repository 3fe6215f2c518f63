/** Sessions, of which those behind one door can open only so many. */
import { TooManySessions } from '../errors.ts';
import type { Result, Sessions } from '../session/sessions.ts';

export const bounded = (sessions: Sessions, limit: number): Sessions => {
  const opened = new Set<string>();
  let opening = 0;
  const within = async <R extends Result>(open: () => Promise<R>): Promise<R> => {
    opening++;
    try {
      const ours = (await sessions.list()).filter(({ session }) => opened.has(session));
      const alive = ours.filter(({ state }) => state !== 'exited');
      if (alive.length + opening > limit)
        throw new TooManySessions(
          limit,
          alive.map(({ session, idleMs }) => ({ name: session, idleMs })),
        );
      const result = await open();
      opened.add(result.session);
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
