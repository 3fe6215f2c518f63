/**
 * Which resources have changed, told at most a few times a second.
 *
 * Looks at the sessions only while somebody listens: at their output and states only for one who
 * may have subscribed to them, since that takes effort, and a way through the daemon's socket.
 */
import type { SessionEvent, Sessions } from '../session/sessions.ts';
import { kinds, uriOf } from './resources.ts';

export type Change = { kind: 'list' } | { kind: 'resource'; uri: string };

type Listener = (change: Change) => void;

/** Often enough for a person who watches, rare enough for a client that reads the screen each time. */
const PAUSE_MS = 200;

export class Changes {
  readonly #ofList: Gathering;
  readonly #ofResources: Gathering;

  constructor(sessions: Sessions) {
    this.#ofList = new Gathering(sessions, ['opened', 'closed'], () => [{ kind: 'list' }]);
    this.#ofResources = new Gathering(sessions, ['output', 'resized', 'state', 'exited'], updated);
  }

  /** Sessions that come and go. */
  listenToList(listener: Listener): () => void {
    return this.#ofList.listen(listener);
  }

  /** Sessions that change. */
  listenToResources(listener: Listener): () => void {
    return this.#ofResources.listen(listener);
  }
}

const updated = ({ type, session }: SessionEvent): Change[] => {
  const changed = kinds.filter((kind) => told[kind].includes(type));
  return changed.map((kind) => ({ kind: 'resource', uri: uriOf(session, kind) }));
};

const told: Record<(typeof kinds)[number], readonly SessionEvent['type'][]> = {
  screen: ['output', 'resized'],
  text: ['output'],
  state: ['state', 'exited'],
};

/** Changes of one kind, gathered for a moment so that each is told once. */
class Gathering {
  readonly #sessions: Sessions;
  readonly #types: readonly SessionEvent['type'][];
  readonly #changesOf: (event: SessionEvent) => Change[];
  readonly #listeners = new Set<Listener>();
  readonly #pending = new Map<string, Change>();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(
    sessions: Sessions,
    types: readonly SessionEvent['type'][],
    changesOf: (event: SessionEvent) => Change[],
  ) {
    this.#sessions = sessions;
    this.#types = types;
    this.#changesOf = changesOf;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#subscribe();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #subscribe(): () => void {
    let isNews = false;
    const hear = (event: SessionEvent) => {
      if (isNews) this.#note(event);
    };
    const unsubscribe = this.#sessions.subscribe(hear, undefined, this.#types);
    // What was told while we subscribed has been so before.
    isNews = true;
    return unsubscribe;
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #note(event: SessionEvent): void {
    for (const change of this.#changesOf(event))
      this.#pending.set('uri' in change ? change.uri : '', change);
    this.#timer ??= setTimeout(() => this.#tell(), PAUSE_MS);
  }

  #tell(): void {
    this.#timer = undefined;
    const changes = [...this.#pending.values()];
    this.#pending.clear();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }
}
