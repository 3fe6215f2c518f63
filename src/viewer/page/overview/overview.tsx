/** All sessions at a glance: first those that want a person, then each client's, by folder. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ListedSession } from '../../page-messages.ts';
import { useNow, usePage, usePageState } from '../page-context.ts';
import { describeSince, shortFolder, wantsPerson } from '../words.ts';
import { SessionCard } from './session-card.tsx';

interface Group {
  client: string;
  folders: { folder: string; sessions: ListedSession[] }[];
}

export const groupSessions = (sessions: Iterable<ListedSession>): Group[] => {
  const clients = new Map<string, Map<string, ListedSession[]>>();
  for (const session of sessions) {
    const folders = clients.get(session.openedBy) ?? new Map<string, ListedSession[]>();
    clients.set(session.openedBy, folders);
    folders.set(session.folder, [...(folders.get(session.folder) ?? []), session]);
  }
  return [...clients]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([client, folders]) => ({
      client,
      folders: [...folders]
        // Those that have ended are in none.
        .sort(([one], [other]) => (one && other ? one.localeCompare(other) : other ? 1 : -1))
        .map(([folder, all]) => ({ folder, sessions: all })),
    }));
};

const matches = (
  { session, openedBy, folder, foreground, prompt }: ListedSession,
  search: string,
) =>
  [session, openedBy, folder, foreground, prompt].some((text) =>
    text?.toLowerCase().includes(search),
  );

export const Overview = () => {
  const { sessions } = usePageState();
  const [search, setSearch] = useState('');
  const now = useNow(1000);
  const visible = useVisibleSessions();
  const found = useMemo(() => {
    const wanted = search.trim().toLowerCase();
    return [...(sessions?.values() ?? [])].filter((each) => matches(each, wanted));
  }, [sessions, search]);
  const wanting = found.filter(wantsPerson);
  const groups = useMemo(() => groupSessions(found.filter((each) => !wantsPerson(each))), [found]);
  if (sessions === undefined) return <p class="empty">Asking for the sessions…</p>;
  if (sessions.size === 0)
    return (
      <div class="empty">
        <h1>No sessions</h1>
        <p>
          As soon as an agent opens one, it is here. To open one yourself:{' '}
          <code>repartee open --name try bash</code>
        </p>
      </div>
    );
  const cards = (all: readonly ListedSession[]) => (
    <ul class="cards">
      {all.map((session) => (
        <SessionCard
          key={`${session.session}/${session.pid}`}
          session={session}
          since={describeSince(session, now)}
          observer={visible}
        />
      ))}
    </ul>
  );
  return (
    <>
      <div class="tools">
        <h1 class="hidden">Sessions</h1>
        <input
          type="search"
          aria-label="Filter the sessions"
          placeholder="Filter by name, client, folder, program"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
        <Summary sessions={found} />
      </div>
      {found.length === 0 && <p class="empty">No session matches "{search}".</p>}
      {wanting.length > 0 && (
        <section class="wanting">
          <h2>
            Wants a person <span class="count">{wanting.length}</span>
          </h2>
          {cards(wanting)}
        </section>
      )}
      {groups.map(({ client, folders }) => (
        <section key={client}>
          <h2>{client}</h2>
          {folders.map(({ folder, sessions: all }) => (
            <div key={folder}>
              <h3 title={folder}>
                {folder === '' ? 'in no folder any more' : shortFolder(folder)}{' '}
                <span class="count">{all.length}</span>
              </h3>
              {cards(all)}
            </div>
          ))}
        </section>
      ))}
    </>
  );
};

const Summary = ({ sessions }: { sessions: readonly ListedSession[] }) => {
  const count = (state: ListedSession['state']) =>
    sessions.filter((session) => session.state === state).length;
  return (
    <p class="faint summary">
      {count('working')} working · {count('waiting')} waiting · {count('exited')} exited
    </p>
  );
};

export interface VisibleSessions {
  observe(element: HTMLElement, session: string): () => void;
}

/** So that the page is not asked about each step of the scrolling. */
const TELL_MS = 100;

/** Tells the server which miniatures can be seen, and only those are drawn. */
const useVisibleSessions = (): VisibleSessions => {
  const { link } = usePage();
  const { connection } = usePageState();
  const shown = useRef(new Map<Element, string>());
  const all = useRef(new Map<Element, string>());
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const tell = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const miniatures = [...new Set(shown.current.values())];
      // Refused while the connection is away: the next one is told anew.
      link.request('overview', { miniatures }).catch(() => {});
    }, TELL_MS);
  };
  const observer = useMemo(
    () =>
      new IntersectionObserver(
        (entries) => {
          for (const { target, isIntersecting } of entries) {
            const session = all.current.get(target);
            if (isIntersecting && session !== undefined) shown.current.set(target, session);
            else shown.current.delete(target);
          }
          tell();
        },
        { rootMargin: '200px' },
      ),
    [],
  );
  useEffect(tell, [connection]);
  useEffect(
    () => () => {
      observer.disconnect();
      clearTimeout(timer.current);
      link.request('leaveOverview', {}).catch(() => {});
    },
    [],
  );
  return useMemo(
    () => ({
      observe(element, session) {
        all.current.set(element, session);
        observer.observe(element);
        return () => {
          observer.unobserve(element);
          all.current.delete(element);
          shown.current.delete(element);
          tell();
        };
      },
    }),
    [],
  );
};
