/**
 * Events for one subscriber at its own pace.
 *
 * Whoever does not read as fast as programs write misses output, never an opening or an end, and
 * gets the screen as it is by then once it has read all that was under way. So a stopped terminal
 * costs the daemon a bounded amount of memory, and nobody any time.
 */
import type { SessionEvent, Sessions } from '../../session/sessions.ts';

export interface EventSink {
  isFull(): boolean;
  send(event: SessionEvent): void;
}

/** What it wants to hear of. */
export interface SubscriptionFilter {
  session?: string;
  types?: readonly SessionEvent['type'][];
}

/** What a fresh screen makes up for, or what the next of its kind does. */
const mayBeMissed: readonly SessionEvent['type'][] = [
  'screen',
  'output',
  'input',
  'resized',
  'state',
];

export class SubscriberQueue {
  readonly #sessions: Sessions;
  readonly #outlet: EventSink;
  readonly #types: SubscriptionFilter['types'];
  readonly #unsubscribe: () => void;
  /** The sessions of which something was left out, each with its latest state. */
  readonly #missed = new Map<string, SessionEvent | undefined>();

  constructor(sessions: Sessions, outlet: EventSink, { session, types }: SubscriptionFilter) {
    this.#sessions = sessions;
    this.#outlet = outlet;
    this.#types = types;
    this.#unsubscribe = sessions.subscribe((event) => this.#receive(event), session, types);
  }

  /** To be called when the subscriber has read all that was sent. */
  catchUp(): void {
    for (const [name, state] of this.#missed) {
      if (this.#outlet.isFull()) return;
      this.#missed.delete(name);
      for (const event of screenOf(this.#sessions, name))
        if (this.#types?.includes(event.type) ?? true) this.#outlet.send(event);
      if (state !== undefined) this.#outlet.send(state);
    }
  }

  end(): void {
    this.#unsubscribe();
  }

  #receive(event: SessionEvent): void {
    const { session, type } = event;
    const isBehind = this.#missed.has(session) || this.#outlet.isFull();
    if (isBehind && mayBeMissed.includes(type)) {
      this.#missed.set(session, type === 'state' ? event : this.#missed.get(session));
      return;
    }
    if (type === 'closed') this.#missed.delete(session);
    this.#outlet.send(event);
  }
}

/** A new subscriber gets the screen at once, and that is all that is wanted of it. */
const screenOf = (sessions: Sessions, name: string): SessionEvent[] => {
  const events: SessionEvent[] = [];
  sessions.subscribe((event) => events.push(event), name, ['screen', 'output'])();
  return events;
};
