/**
 * Sends events to one subscriber at the speed at which it reads.
 *
 * A subscriber that reads more slowly than programs write misses output, but never an `opened` or a
 * `closed`. Once it has read everything that was sent, it gets the current screen. So a stopped client
 * costs the daemon a limited amount of memory, and slows nobody down.
 */
import type { SessionEvent, Sessions } from '../../../session/sessions.ts';
import type { SubscriptionFilter } from '../../protocol/protocol.ts';

export interface SubscriberConnection {
  isFull(): boolean;
  send(event: SessionEvent): void;
}

/** Events that a new screen, or the next event of the same type, makes unnecessary. */
const droppable: readonly SessionEvent['type'][] = [
  'screen',
  'output',
  'input',
  'resized',
  'state',
];

export class SubscriberQueue {
  readonly #sessions: Sessions;
  readonly #sink: SubscriberConnection;
  readonly #types: SubscriptionFilter['types'];
  readonly #unsubscribe: () => void;
  /** The sessions with dropped events, each with its latest state if that was dropped. */
  readonly #dropped = new Map<string, SessionEvent | undefined>();

  constructor(
    sessions: Sessions,
    sink: SubscriberConnection,
    { session, types }: SubscriptionFilter,
  ) {
    this.#sessions = sessions;
    this.#sink = sink;
    this.#types = types;
    // Its client must know the new name, to subscribe to it again after a lost connection.
    const delivered = types && [...types, 'renamed' as const];
    this.#unsubscribe = sessions.subscribe((event) => this.#receive(event), session, delivered);
  }

  /** Called when the subscriber has read everything that was sent. */
  catchUp(): void {
    for (const [name, state] of this.#dropped) {
      if (this.#sink.isFull()) return;
      this.#dropped.delete(name);
      for (const event of currentScreen(this.#sessions, name))
        if (this.#types?.includes(event.type) ?? true) this.#sink.send(event);
      if (state !== undefined) this.#sink.send(state);
    }
  }

  end(): void {
    this.#unsubscribe();
  }

  #receive(event: SessionEvent): void {
    const { session, type } = event;
    if (type === 'renamed' && this.#dropped.has(session)) {
      this.#dropped.set(event.to, this.#dropped.get(session));
      this.#dropped.delete(session);
    }
    const isBehind = this.#dropped.has(session) || this.#sink.isFull();
    if (isBehind && droppable.includes(type)) {
      this.#dropped.set(session, type === 'state' ? event : this.#dropped.get(session));
      return;
    }
    if (type === 'closed') this.#dropped.delete(session);
    this.#sink.send(event);
  }
}

/** Subscribes for a moment: a new subscriber gets the current screen at once. */
const currentScreen = (sessions: Sessions, name: string): SessionEvent[] => {
  const events: SessionEvent[] = [];
  sessions.subscribe((event) => events.push(event), name, ['screen', 'output'])();
  return events;
};
