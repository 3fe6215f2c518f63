/** The page of the viewer: takes its link out of the address, connects, and shows what it is told. */
import { render } from 'preact';
import { App } from './app.tsx';
import { signStyleElements } from './link/nonce.ts';
import { takeLink } from './link/page-link.ts';
import { ServerLink } from './link/server-link.ts';
import { Notice } from './notice.tsx';
import type { PageContext, WatchListener } from './page-context.ts';
import { goTo } from './route.ts';
import { Store } from './store.ts';

signStyleElements();
const root = document.querySelector('#page')!;
root.replaceChildren();
const { token, session } = takeLink();

if (token === undefined)
  render(
    <Notice title="This page needs its link">
      <p>
        The link has a token in it, and this address has none. Run <code>repartee view</code> in a
        terminal: it prints the link, and opens it in the browser.
      </p>
    </Notice>,
    root,
  );
else {
  const store = new Store();
  const watches = new Map<number, WatchListener>();
  const link = new ServerLink(token, {
    onState: (state) => store.set({ link: state }),
    onNews: (news) => {
      if ('watch' in news && news.news !== 'entry') watches.get(news.watch)?.onNews(news);
      else store.onNews(news);
    },
    onOutput: (watch, bytes) => watches.get(watch)?.onOutput(bytes),
  });
  if (session !== undefined) goTo({ view: 'session', session });
  link.connect();
  const context: Omit<PageContext, 'say'> = { store, link, watches };
  render(<App {...context} />, root);
}
