/**
 * Which resources have changed, told at most a few times a second.
 *
 * Looks at the sessions only while somebody listens: at their output and states only for one who
 * may have subscribed to them, since that takes effort, and a way through the daemon's socket.
 */
import type { SessionEvent, SessionSummary, Sessions } from '../session/sessions.ts';
import { resourceKinds, uriOf } from './resources.ts';

export type ResourceChange = { kind: 'list' } | { kind: 'resource'; uri: string };

type Listener = (change: ResourceChange) => void;
type Subscribe = (hear: (event: SessionEvent) => void) => () => void;

/** Often enough for a person who watches, rare enough for a client that reads the screen each time. */
const PAUSE_MS = 200;

export class ResourceChanges {
  readonly #ofList: Gathering;
  readonly #ofResources: Gathering;

  constructor(sessions: Sessions) {
    this.#ofList = new Gathering(
      (hear) => whenListChanges(sessions, hear),
      () => [{ kind: 'list' }],
    );
    this.#ofResources = new Gathering(
      (hear) => sessions.subscribe(hear, undefined, ['output', 'resized', 'state', 'exited']),
      updated,
    );
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

const updated = ({ type, session }: SessionEvent): ResourceChange[] => {
  const changed = resourceKinds.filter((kind) => told[kind].includes(type));
  return changed.map((kind) => ({ kind: 'resource', uri: uriOf(session, kind) }));
};

const told: Record<(typeof resourceKinds)[number], readonly SessionEvent['type'][]> = {
  screen: ['output', 'resized'],
  text: ['output'],
  state: ['state', 'exited'],
};

/**
 * A subscriber is told once of every session that is there already: at once, or some time later,
 * where they are in the daemon. Those are no news.
 */
const whenListChanges = (sessions: Sessions, hear: (event: SessionEvent) => void): (() => void) => {
  const early: SessionEvent[] = [];
  let take = (event: SessionEvent): void => void early.push(event);
  const unsubscribe = sessions.subscribe((event) => take(event), undefined, ['opened', 'closed']);
  const compareWith = (there: readonly SessionSummary[]) => {
    const expected = new Set(there.map(({ session }) => session));
    take = (event) => {
      if (event.type === 'opened' && expected.delete(event.session)) return;
      hear(event);
    };
    for (const event of early) take(event);
  };
  let isOver = false;
  // Where there is no daemon any more, no session is there.
  const listed = sessions.list().catch(() => []);
  void listed.then((there) => isOver || compareWith(there));
  return () => {
    isOver = true;
    unsubscribe();
  };
};

/** Changes of one kind, gathered for a moment so that each is told once. */
class Gathering {
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
    this.#unsubscribe ??= this.#subscribe((event) => this.#note(event));
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
