/** What every part of the page works with. */
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { PageNews, PageParams, PageRequestName, PageResults } from '../page-messages.ts';
import type { ServerLink } from './link/server-link.ts';
import { type PageState, type Store, useStore } from './store.ts';

export type WatchNews = PageNews & { watch: number };

export interface WatchListener {
  onNews(news: WatchNews): void;
  onOutput(bytes: Uint8Array): void;
}

export interface PageContext {
  store: Store;
  link: ServerLink;
  /** Of the one session that is watched. */
  watches: Map<number, WatchListener>;
  /** Tells the person, also those who listen to the page. */
  say(message: string, tone?: 'plain' | 'bad'): void;
}

const Context = createContext<PageContext | undefined>(undefined);

export const PageContextProvider = Context.Provider;

export const usePage = (): PageContext => useContext(Context)!;

export const usePageState = (): PageState => useStore(usePage().store);

/** Asks, and tells the person if that was refused. */
export const useAsk = () => {
  const { link, say } = usePage();
  return async <Name extends PageRequestName>(
    request: Name,
    params: PageParams<Name>,
  ): Promise<PageResults[Name] | undefined> => {
    try {
      return await link.request(request, params);
    } catch (error) {
      say((error as Error).message, 'bad');
      return undefined;
    }
  };
};

/** The time, again and again. */
export const useNow = (everyMs: number): number => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
};
