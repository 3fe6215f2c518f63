/** One who listens to sessions: to all that happens, and to every change of state. */
import type { Verdict } from '../state/verdict.ts';
import { notifyListener } from './notify-listener.ts';
import type { Session } from './session.ts';
import type { SessionEvent } from './sessions.ts';

/** A state that passes sooner is not worth a word, and finding out all there is to say takes time. */
const STATE_PAUSE_MS = 50;

export class Subscription {
  readonly #listener: (event: SessionEvent) => void;
  readonly #only: string | undefined;
  readonly #types: readonly SessionEvent['type'][] | undefined;
  /** By the session's name. */
  readonly #stops = new Map<string, () => void>();

  constructor(
    listener: (event: SessionEvent) => void,
    only?: string,
    types?: readonly SessionEvent['type'][],
  ) {
    this.#listener = listener;
    this.#only = only;
    this.#types = types;
  }

  wants(session: string): boolean {
    return this.#only === undefined || this.#only === session;
  }

  deliver(event: SessionEvent): void {
    if (!this.wants(event.session)) return;
    if (event.type === 'closed') this.#leave(event.session);
    if (!this.#isAskedFor(event.type)) return;
    notifyListener(this.#listener, event);
  }

  /** Not at once: a listener may want to end its subscription, which it has yet to be given. */
  deliverMissing(session: string): () => void {
    let isOver = false;
    queueMicrotask(() => isOver || this.deliver({ session, type: 'closed' }));
    return () => {
      isOver = true;
    };
  }

  /** For who comes late: the screen first, then all that follows. */
  join(session: Session): void {
    if (!this.wants(session.name)) return;
    const { screen, name, command, channel } = session;
    const { cols, rows } = screen.modes;
    this.deliver({ session: name, type: 'opened', command, pid: channel.pid });
    if (this.#isAskedFor('screen')) {
      // Dump and position belong together: nothing can come between them.
      const dump = screen.dump();
      const { unparsed: bytes } = screen;
      const position = screen.position - bytes.length;
      this.deliver({ session: name, type: 'screen', dump, cols, rows, position });
      // Output can end within a sequence, and what comes next is the rest of it.
      if (bytes.length > 0) this.deliver({ session: name, type: 'output', bytes, position });
    }
    this.follow(session);
  }

  follow(session: Session): void {
    if (!this.wants(session.name) || !this.#isAskedFor('state')) return;
    let told = '';
    let latest: Verdict;
    let timer: NodeJS.Timeout | undefined;
    const tell = () => {
      timer = undefined;
      if (wordsOf(latest) === told) return;
      told = wordsOf(latest);
      this.deliver({ session: session.name, type: 'state', situation: session.stateOf(latest) });
    };
    const stopWatching = session.watcher.watch(
      (verdict) => {
        latest = verdict;
        if (wordsOf(verdict) !== told) timer ??= setTimeout(tell, STATE_PAUSE_MS);
      },
      { leisurely: true },
    );
    this.#stops.set(session.name, () => {
      stopWatching();
      clearTimeout(timer);
    });
  }

  end(): void {
    for (const session of [...this.#stops.keys()]) this.#leave(session);
  }

  #isAskedFor(type: SessionEvent['type']): boolean {
    return this.#types?.includes(type) ?? true;
  }

  #leave(session: string): void {
    this.#stops.get(session)?.();
    this.#stops.delete(session);
  }
}

const wordsOf = (verdict: Verdict): string =>
  JSON.stringify([verdict.state, verdict.certainty, verdict.foreground, wantedBy(verdict)]);

const wantedBy = (verdict: Verdict) =>
  verdict.state === 'waiting' ? [verdict.waitingFor, verdict.prompt] : [];
