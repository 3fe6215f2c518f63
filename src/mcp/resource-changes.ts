/**
 * Notifies listeners which resources have changed, a few times a second at most.
 *
 * Subscribes to the sessions only while there are listeners. Output and states are followed only for
 * clients that may have subscribed to them: these events are many, and from a daemon they all come
 * through its socket.
 */
import type { SessionEvent, SessionSummary, Sessions } from '../session/sessions.ts';
import { type ResourceKind, resourceKinds, resourceUri } from './resources.ts';

export type ResourceChange = { kind: 'list' } | { kind: 'resource'; uri: string };

type Listener = (change: ResourceChange) => void;
type EventListener = (event: SessionEvent) => void;
type Subscribe = (onEvent: EventListener) => () => void;

/** Often enough for a person who watches, rare enough for a client that reads the screen each time. */
const BATCH_MS = 200;

export class ResourceChanges {
  readonly #listBatch: ChangeBatch;
  readonly #resourceBatch: ChangeBatch;

  constructor(sessions: Sessions) {
    this.#listBatch = new ChangeBatch(
      (onEvent) => subscribeToList(sessions, onEvent),
      () => [{ kind: 'list' }],
    );
    this.#resourceBatch = new ChangeBatch(
      (onEvent) => sessions.subscribe(onEvent, undefined, ['output', 'resized', 'state', 'exited']),
      changedResources,
    );
  }

  /** Calls the listener when sessions are opened, renamed and closed. */
  listenToList(listener: Listener): () => void {
    return this.#listBatch.listen(listener);
  }

  /** Calls the listener when the screen, text or state of a session changes. */
  listenToResources(listener: Listener): () => void {
    return this.#resourceBatch.listen(listener);
  }
}

const changedResources = ({ type, session }: SessionEvent): ResourceChange[] => {
  const kinds = resourceKinds.filter((kind) => eventsOfKind[kind].includes(type));
  return kinds.map((kind) => ({ kind: 'resource', uri: resourceUri(session, kind) }));
};

const eventsOfKind: Record<ResourceKind, readonly SessionEvent['type'][]> = {
  screen: ['output', 'resized'],
  text: ['output'],
  state: ['state', 'exited'],
};

/**
 * A new subscriber gets one `opened` event for every session that already exists: at once or, from a
 * daemon, some time later. Those are not changes and are left out.
 */
const subscribeToList = (sessions: Sessions, onEvent: EventListener): (() => void) => {
  const buffered: SessionEvent[] = [];
  let handle: EventListener = (event) => void buffered.push(event);
  const types = ['opened', 'renamed', 'closed'] as const;
  const unsubscribe = sessions.subscribe((event) => handle(event), undefined, types);
  const leaveOut = (existing: readonly SessionSummary[]) => {
    const expected = new Set(existing.map(({ session }) => session));
    handle = (event) => {
      if (event.type === 'opened' && expected.delete(event.session)) return;
      onEvent(event);
    };
    for (const event of buffered) handle(event);
  };
  let isStopped = false;
  // If the daemon is gone, there are no sessions.
  const listed = sessions.list().catch(() => []);
  void listed.then((existing) => isStopped || leaveOut(existing));
  return () => {
    isStopped = true;
    unsubscribe();
  };
};

/** Collects changes for a moment, so that listeners get each of them once. */
class ChangeBatch {
  readonly #subscribe: Subscribe;
  readonly #changesOf: (event: SessionEvent) => ResourceChange[];
  readonly #listeners = new Set<Listener>();
  readonly #pending = new Map<string, ResourceChange>();
  #timer: NodeJS.Timeout | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(subscribe: Subscribe, changesOf: (event: SessionEvent) => ResourceChange[]) {
    this.#subscribe = subscribe;
    this.#changesOf = changesOf;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#subscribe((event) => this.#collect(event));
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#stop();
    };
  }

  #stop(): void {
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#pending.clear();
  }

  #collect(event: SessionEvent): void {
    for (const change of this.#changesOf(event))
      this.#pending.set('uri' in change ? change.uri : '', change);
    this.#timer ??= setTimeout(() => this.#notify(), BATCH_MS);
  }

  #notify(): void {
    this.#timer = undefined;
    const changes = [...this.#pending.values()];
    this.#pending.clear();
    for (const change of changes) for (const listener of this.#listeners) listener(change);
  }
}
