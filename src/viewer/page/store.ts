/** What the page knows, and which of its parts are drawn anew when that changes. */
import { useEffect, useState } from 'preact/hooks';
import type { ApprovalRequest } from '../../session/input/approval.ts';
import type { ListedSession, Miniature, PageNews, TimelineEntry } from '../page-messages.ts';
import type { LinkState } from './link/server-link.ts';

type Hello = PageNews & { news: 'hello' };

export interface PageState {
  link: LinkState;
  hello: Hello | undefined;
  /** Counts the connections: what was asked of one must be asked again of the next. */
  connection: number;
  /** Undefined until they are known. */
  sessions: ReadonlyMap<string, ListedSession> | undefined;
  approvals: readonly ApprovalRequest[];
  /** Why the sessions cannot be reached. */
  trouble: string | undefined;
}

const initial: PageState = {
  link: { kind: 'connecting' },
  hello: undefined,
  connection: 0,
  sessions: undefined,
  approvals: [],
  trouble: undefined,
};

export class Store {
  #state = initial;
  readonly #listeners = new Set<() => void>();
  readonly miniatures = new Map<string, Miniature>();
  readonly #entryListeners = new Set<(entry: TimelineEntry) => void>();
  readonly #miniatureListeners = new Map<string, () => void>();

  get state(): PageState {
    return this.#state;
  }

  set(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of [...this.#listeners]) listener();
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Of one session: its card alone is drawn anew. */
  onMiniature(session: string, listener: () => void): () => void {
    this.#miniatureListeners.set(session, listener);
    return () => {
      if (this.#miniatureListeners.get(session) === listener)
        this.#miniatureListeners.delete(session);
    };
  }

  /** Of the session that is watched. */
  onEntry(listener: (entry: TimelineEntry) => void): () => void {
    this.#entryListeners.add(listener);
    return () => this.#entryListeners.delete(listener);
  }

  onNews(news: PageNews): void {
    const { sessions } = this.#state;
    if (news.news === 'hello') this.set({ hello: news, connection: this.#state.connection + 1 });
    else if (news.news === 'sessions')
      this.set({ sessions: new Map(news.all.map((each) => [each.session, each])) });
    else if (news.news === 'entry')
      for (const listener of this.#entryListeners) listener(news.entry);
    else if (news.news === 'changed') {
      const all = new Map(sessions);
      for (const name of news.gone) {
        all.delete(name);
        this.miniatures.delete(name);
      }
      for (const each of news.changed) all.set(each.session, each);
      this.set({ sessions: all });
    } else if (news.news === 'approvals') this.set({ approvals: news.waiting });
    else if (news.news === 'trouble') this.set({ trouble: news.message });
    else if (news.news === 'well') this.set({ trouble: undefined });
    else if (news.news === 'miniatures')
      for (const miniature of news.miniatures) {
        this.miniatures.set(miniature.session, miniature);
        this.#miniatureListeners.get(miniature.session)?.();
      }
  }
}

export const useStore = (store: Store): PageState => {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    setState(store.state);
    return store.listen(() => setState(store.state));
  }, [store]);
  return state;
};
