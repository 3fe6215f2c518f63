/**
 * Which resources have changed, told at most a few times a second.
 *
 * Looks at the sessions only while somebody listens. Output is told of as it comes; a state can also
 * change in silence (a program begins to read), so while one is working it is asked for again.
 */
import type { SessionEvent, Sessions, Summary } from '../session/sessions.ts';
import { log } from './log.ts';
import { type Kind, uriOf } from './resources.ts';

export type Change = { kind: 'list' } | { kind: 'resource'; uri: string };

/** Often enough for a person who watches, rare enough for a client that reads the screen each time. */
const PAUSE_MS = 200;

export class Changes {
  readonly #sessions: Sessions;
  readonly #listeners = new Set<(change: Change) => void>();
  readonly #dirty = new Map<string, Set<Kind>>();
  readonly #states = new Map<string, string>();
  #listChanged = false;
  /** Something happened since the last look. */
  #isAwake = false;
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  listen(listener: (change: Change) => void): () => void {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#subscribe();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  /** The sessions that are there already are told of at once, and are not news. */
  #subscribe(): () => void {
    let isNews = false;
    const unsubscribe = this.#sessions.subscribe((event) => {
      if (isNews) this.#note(event);
    });
    isNews = true;
    // To know the states from which the first change will be one.
    this.#wake();
    return unsubscribe;
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#dirty.clear();
    this.#states.clear();
    this.#listChanged = false;
  }

  #note(event: SessionEvent): void {
    if (event.type === 'opened' || event.type === 'closed') this.#listChanged = true;
    if (event.type === 'closed') {
      this.#dirty.delete(event.session);
      this.#states.delete(event.session);
    } else if (event.type === 'output' || event.type === 'resized') {
      const kinds = this.#dirty.get(event.session) ?? new Set();
      this.#dirty.set(event.session, kinds.add('screen'));
      if (event.type === 'output') kinds.add('text');
    }
    this.#wake();
  }

  #wake(): void {
    this.#isAwake = true;
    this.#timer ??= setTimeout(() => void this.#look(), PAUSE_MS);
  }

  async #look(): Promise<void> {
    this.#isAwake = false;
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    if (this.#listChanged) this.#tell({ kind: 'list' });
    this.#listChanged = false;
    for (const [session, kinds] of dirty)
      for (const kind of kinds) this.#tell({ kind: 'resource', uri: uriOf(session, kind) });
    try {
      const summaries = await this.#sessions.list();
      this.#timer = undefined;
      if (this.#unsubscribe === undefined) return;
      for (const summary of summaries) this.#compareState(summary);
      if (this.#isAwake || summaries.some(({ state }) => state === 'working')) this.#wake();
    } catch (error) {
      this.#timer = undefined;
      log('the sessions could not be listed:', error);
    }
  }

  #compareState({ idleMs: _, ageMs: __, unread: ___, ...situation }: Summary): void {
    const now = JSON.stringify(situation);
    const before = this.#states.get(situation.session);
    this.#states.set(situation.session, now);
    if (before !== undefined && before !== now)
      this.#tell({ kind: 'resource', uri: uriOf(situation.session, 'state') });
  }

  #tell(change: Change): void {
    for (const listener of this.#listeners) listener(change);
  }
}
