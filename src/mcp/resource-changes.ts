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
type Subscribe = (onEvent: (event: SessionEvent) => void) => () => void;

/** Often enough for a person who watches, rare enough for a client that reads the screen each time. */
const PAUSE_MS = 200;

export class ResourceChanges {
  readonly #ofList: ChangeBatch;
  readonly #ofResources: ChangeBatch;

  constructor(sessions: Sessions) {
    this.#ofList = new ChangeBatch(
      (onEvent) => whenListChanges(sessions, onEvent),
      () => [{ kind: 'list' }],
    );
    this.#ofResources = new ChangeBatch(
      (onEvent) => sessions.subscribe(onEvent, undefined, ['output', 'resized', 'state', 'exited']),
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
  const changed = resourceKinds.filter((kind) => eventsOfKind[kind].includes(type));
  return changed.map((kind) => ({ kind: 'resource', uri: uriOf(session, kind) }));
};

const eventsOfKind: Record<(typeof resourceKinds)[number], readonly SessionEvent['type'][]> = {
  screen: ['output', 'resized'],
  text: ['output'],
  state: ['state', 'exited'],
};

/**
 * A subscriber is told once of every session that is there already: at once, or some time later,
 * where they are in the daemon. Those are no news.
 */
const whenListChanges = (
  sessions: Sessions,
  onEvent: (event: SessionEvent) => void,
): (() => void) => {
  const early: SessionEvent[] = [];
  let take = (event: SessionEvent): void => void early.push(event);
  const unsubscribe = sessions.subscribe((event) => take(event), undefined, ['opened', 'closed']);
  const compareWith = (there: readonly SessionSummary[]) => {
    const expected = new Set(there.map(({ session }) => session));
    take = (event) => {
      if (event.type === 'opened' && expected.delete(event.session)) return;
      onEvent(event);
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
