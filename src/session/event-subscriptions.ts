/** All subscriptions to the sessions of this process: passes each event on to those that want it. */

import type { EventSubscription } from './event-subscription.ts';
import type { Session } from './session.ts';
import type { SessionEvent, SessionEventBody } from './sessions.ts';

export class EventSubscriptions {
  readonly #subscriptions = new Set<EventSubscription>();

  /** `open`: the sessions that are open now. Returns how to unsubscribe. */
  add(subscription: EventSubscription, open: readonly Session[]): () => void {
    for (const session of open) subscription.catchUp(session);
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      subscription.end();
    };
  }

  /** For a session that was open before, and that this process goes on with only now. */
  catchUp(session: Session): void {
    for (const subscription of this.#subscriptions) subscription.catchUp(session);
  }

  /** Reports the state of a newly opened session. */
  watchState(session: Session): void {
    for (const subscription of this.#subscriptions) subscription.watchState(session);
  }

  emit(session: string, event: SessionEventBody): void {
    const interested = [...this.#subscriptions].filter((each) => each.wants(session));
    if (interested.length === 0) return;
    // The bytes of output are valid only during the call, and a listener may keep them.
    const kept = event.type === 'output' ? { ...event, bytes: Buffer.from(event.bytes) } : event;
    for (const subscription of interested)
      subscription.deliver({ ...kept, session } as SessionEvent);
    if (event.type === 'renamed')
      for (const subscription of interested) subscription.rename(session, event.to);
  }
}
