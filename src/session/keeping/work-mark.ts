/**
 * Finds out of which session the daemon dies. While a session is restored, or its output is delivered, that
 * is marked in its store. If the daemon dies meanwhile, the next one finds the mark and counts: a session
 * with which it has died several times in a row is not touched again.
 *
 * Everything that is marked is done in one turn of the event loop, so no more than one session is marked.
 * What a session causes later, such as by a timer, is not found.
 */
import type { SessionStore } from '../../keeper/session-store.ts';

/** Of the values in the store. */
const work = {
  /** A daemon has taken the session over, and has not touched it. */
  none: 0,
  restoring: 1,
  delivering: 2,
  /** The session lives, and nothing is done with it now. */
  resting: 3,
} as const;

/** A daemon may be killed meanwhile by accident, but hardly three times in a row. */
const MAX_DEATHS = 3;

/**
 * After so many pieces of output the daemon has not died of this session. Without this, one that floods its
 * terminal would be marked whenever the daemon is killed for another reason.
 */
const PROVING_DELIVERIES = 16;

export class WorkMark {
  readonly #store: SessionStore;
  #unproven = PROVING_DELIVERIES;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** Must be called once by a process that takes the session over. */
  countDeath(): void {
    const store = this.#store;
    if (store.work === work.restoring || store.work === work.delivering) store.deaths++;
    else if (store.work === work.resting) store.deaths = 0;
    store.work = work.none;
  }

  get deaths(): number {
    return this.#store.deaths;
  }

  /** It does not even help to leave it alone: the daemon dies when it asks for its name. */
  get isHopeless(): boolean {
    return this.deaths >= 2 * MAX_DEATHS;
  }

  /** Why the session must not be touched. */
  get problem(): string | undefined {
    if (this.deaths < MAX_DEATHS) return undefined;
    return `the daemon has died ${this.deaths} times in a row while it worked on this session`;
  }

  beginRestoring(): void {
    this.#store.work = work.restoring;
  }

  beginDelivery(): void {
    if (this.#unproven > 0) this.#store.work = work.delivering;
  }

  /** Must not be called if that has failed: the daemon may end because of it. */
  endDelivery(): void {
    if (this.#unproven === 0) return;
    this.rest();
    this.#unproven--;
    if (this.#unproven === 0) this.#store.deaths = 0;
  }

  /** The session lives. */
  rest(): void {
    this.#store.work = work.resting;
  }

  /** Nothing more is done with it, and what was counted stays. */
  leave(): void {
    this.#store.work = work.none;
  }
}
