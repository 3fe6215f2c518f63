/** One subscriber to sessions: gets their events, and a `state` event when a state changes. */
import type { Verdict } from '../state/verdict.ts';
import { notifyListener } from './notify-listener.ts';
import type { Session } from './session.ts';
import type { SessionEvent } from './sessions.ts';
import { type Throttled, throttle } from './wait/throttle.ts';

/** A state that lasts shorter is not worth reporting, and collecting all facts about it takes time. */
const STATE_PAUSE_MS = 50;

/** For a glance at many sessions. */
const PRINTED_PAUSE_MS = 250;

export class EventSubscription {
  readonly #listener: (event: SessionEvent) => void;
  /** The name of the only session it wants, if it does not want all. */
  #only: string | undefined;
  readonly #types: readonly SessionEvent['type'][] | undefined;
  /** How each session's output is told of without its bytes. */
  readonly #printed = new Map<string, { position: number; throttled: Throttled }>();
  /** How to stop watching each session's state, by the session's name. */
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
    if (event.type === 'closed') this.#stopWatching(event.session);
    if (event.type === 'output')
      this.#notePrinted(event.session, event.position + event.bytes.length);
    if (!this.#wantsType(event.type)) return;
    notifyListener(this.#listener, event);
  }

  /**
   * For a session that does not exist: delivers `closed`, and returns how to unsubscribe. Not at once:
   * a listener may want to unsubscribe, and gets the function for that only when this returns.
   */
  deliverClosed(session: string): () => void {
    let isOver = false;
    queueMicrotask(() => isOver || this.deliver({ session, type: 'closed' }));
    return () => {
      isOver = true;
    };
  }

  /** For a session that was open before the subscription: its screen first, then all that follows. */
  catchUp(session: Session): void {
    if (!this.wants(session.name)) return;
    const { screen, name, command, terminal, openedBy } = session;
    const { cols, rows } = screen.modes;
    this.deliver({ session: name, type: 'opened', command, pid: terminal.pid, openedBy });
    if (this.#wantsType('screen')) {
      // Dump and position are taken in one turn of the event loop, so they belong together.
      const dump = screen.dump();
      const { unparsed: bytes } = screen;
      const position = screen.position - bytes.length;
      this.deliver({ session: name, type: 'screen', dump, cols, rows, position });
      // Output can end within an escape sequence, and the next output is the rest of it.
      if (bytes.length > 0) this.deliver({ session: name, type: 'output', bytes, position });
    }
    this.watchState(session);
  }

  watchState(session: Session): void {
    if (!this.wants(session.name) || !this.#wantsType('state')) return;
    let reported = '';
    let latest: Verdict;
    let timer: NodeJS.Timeout | undefined;
    const report = () => {
      timer = undefined;
      if (stateKey(latest) === reported) return;
      reported = stateKey(latest);
      this.deliver({ session: session.name, type: 'state', situation: session.stateOf(latest) });
    };
    const stopWatching = session.watcher.watch(
      (verdict) => {
        latest = verdict;
        if (stateKey(verdict) !== reported) timer ??= setTimeout(report, STATE_PAUSE_MS);
      },
      { leisurely: true },
    );
    this.#stops.set(session.name, () => {
      stopWatching();
      clearTimeout(timer);
    });
  }

  /** Called after the `renamed` event. */
  rename(from: string, to: string): void {
    if (this.#only === from) this.#only = to;
    this.#printed.get(from)?.throttled.cancel();
    this.#printed.delete(from);
    const stop = this.#stops.get(from);
    if (stop === undefined) return;
    this.#stops.delete(from);
    this.#stops.set(to, stop);
  }

  end(): void {
    for (const session of [...this.#stops.keys(), ...this.#printed.keys()])
      this.#stopWatching(session);
  }

  #wantsType(type: SessionEvent['type']): boolean {
    return this.#types?.includes(type) ?? type !== 'printed';
  }

  #notePrinted(session: string, position: number): void {
    if (!this.#wantsType('printed')) return;
    const known = this.#printed.get(session);
    if (known !== undefined) {
      known.position = position;
      known.throttled.trigger();
      return;
    }
    const printed = {
      position,
      throttled: throttle(PRINTED_PAUSE_MS, () =>
        this.deliver({ session, type: 'printed', position: printed.position }),
      ),
    };
    this.#printed.set(session, printed);
    printed.throttled.trigger();
  }

  #stopWatching(session: string): void {
    this.#stops.get(session)?.();
    this.#stops.delete(session);
    this.#printed.get(session)?.throttled.cancel();
    this.#printed.delete(session);
  }
}

/** Equal for verdicts that need no new `state` event. */
const stateKey = (verdict: Verdict): string => {
  const { state, certainty, foreground } = verdict;
  const wanted = verdict.state === 'waiting' ? [verdict.waitingFor, verdict.prompt] : [];
  return JSON.stringify([state, certainty, foreground, wanted]);
};
