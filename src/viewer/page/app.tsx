/** The frame around every view: where one is, what is the matter, and who waits for an answer. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { ApprovalsPanel } from './approvals.tsx';
import { Banner, Notice } from './notice.tsx';
import { OnlyPage } from './only-page.tsx';
import { Overview } from './overview/overview.tsx';
import { type PageContext, PageContextProvider } from './page-context.ts';
import { RecordingList } from './recordings/recording-list.tsx';
import { RecordingView } from './recordings/recording-view.tsx';
import { hrefOf, useRoute } from './route.ts';
import { SessionView } from './session/session-view.tsx';
import { useStore } from './store.ts';
import { wantsPerson } from './words.ts';

interface Said {
  message: string;
  tone: 'plain' | 'bad';
  number: number;
}

/** Long enough to read two lines. */
const SAID_MS = 8000;

export const App = (parts: Omit<PageContext, 'say'>) => {
  const [said, setSaid] = useState<Said>();
  const context = useMemo<PageContext>(() => {
    let number = 0;
    const say: PageContext['say'] = (message, tone = 'plain') =>
      setSaid({ message, tone, number: ++number });
    return { ...parts, say };
  }, [parts.link]);
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <PageContextProvider value={context}>
      <Frame context={context} />
      <div class="said" role="alert">
        {said && (
          <Banner tone={said.tone}>
            <span>{said.message}</span>
            <button type="button" class="quiet" onClick={() => setSaid(undefined)}>
              Dismiss
            </button>
          </Banner>
        )}
      </div>
    </PageContextProvider>
  );
};

const Frame = ({ context: { store } }: { context: PageContext }) => {
  const { link, hello, sessions, approvals, trouble } = useStore(store);
  const route = useRoute();
  const wanting = [...(sessions?.values() ?? [])].filter(wantsPerson).length + approvals.length;
  useEffect(() => {
    const where = route.view === 'session' ? `${route.session} · ` : '';
    document.title = `${wanting > 0 ? `(${wanting}) ` : ''}${where}Repartee`;
  }, [wanting, route]);
  if (link.kind === 'refused')
    return (
      <Notice title="This link opens nothing">
        <p>{link.message}</p>
      </Notice>
    );
  if (hello?.only !== undefined) return <OnlyPage only={hello.only} />;
  const isOn = (views: readonly string[]) => (views.includes(route.view) ? 'page' : undefined);
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <span class="brand">Repartee</span>
        <nav aria-label="Views">
          <a href={hrefOf({ view: 'sessions' })} aria-current={isOn(['sessions', 'session'])}>
            Sessions{sessions && <span class="count">{sessions.size}</span>}
          </a>
          {hello?.hasRecordings !== false && (
            <a
              href={hrefOf({ view: 'recordings' })}
              aria-current={isOn(['recordings', 'recording'])}
            >
              Recordings
            </a>
          )}
        </nav>
        <span class="spacer" />
        {hello?.isReadOnly && <span class="chip">view only</span>}
        <span class={`link-state ${link.kind}`} role="status">
          {link.kind === 'connected' ? (trouble ? 'daemon away' : 'live') : 'connecting'}
        </span>
      </header>
      {link.kind === 'lost' && (
        <Banner tone="bad">
          The viewer has ended or cannot be reached. What is shown is old; this page goes on by
          itself when it is back. If it was ended, run <code>repartee view</code> again.
        </Banner>
      )}
      {trouble !== undefined && (
        <Banner tone="bad">The sessions cannot be reached now; trying again. {trouble}</Banner>
      )}
      {approvals.length > 0 && <ApprovalsPanel approvals={approvals} />}
      <main id="content" tabIndex={-1} class={route.view}>
        {route.view === 'sessions' && <Overview />}
        {route.view === 'session' && <SessionView key={route.session} session={route.session} />}
        {route.view === 'recordings' && <RecordingList />}
        {route.view === 'recording' && (
          <RecordingView key={`${route.recording}/${route.at}`} {...route} />
        )}
      </main>
    </>
  );
};
