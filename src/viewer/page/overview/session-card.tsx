/** One session in the overview. */
import { useEffect, useRef } from 'preact/hooks';
import type { ListedSession } from '../../page-messages.ts';
import { memo } from '../memo.ts';
import { hrefOf } from '../route.ts';
import { describeBytes, describeState, toneOf } from '../words.ts';
import { Miniature } from './miniature.tsx';
import type { VisibleSessions } from './overview.tsx';

interface SessionCardProps {
  session: ListedSession;
  since: string;
  observer: VisibleSessions;
}

export const SessionCard = memo(({ session: listed, since, observer }: SessionCardProps) => {
  const { session, foreground, prompt, keyboard, unread, listening = [] } = listed;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => observer.observe(card.current!, session), [session]);
  return (
    <li ref={card} class={`card ${toneOf(listed)}`}>
      <a class="cover" href={hrefOf({ view: 'session', session })}>
        <Miniature session={session} />
        <span class="title">
          <strong>{session}</strong>
          {foreground !== undefined && foreground !== session && (
            <span class="faint">{foreground}</span>
          )}
        </span>
        <span class="verdict">
          <span class="dot" aria-hidden="true" />
          {describeState(listed)}
          <span class="faint">
            {listed.state === 'exited' ? '' : 'for '}
            {since}
            {listed.state === 'exited' ? ' ago' : ''}
          </span>
        </span>
        {prompt !== undefined && prompt.trim() !== '' && <code class="prompt">{prompt}</code>}
      </a>
      <p class="facts">
        {keyboard !== undefined && <span class="chip keyboard">{keyboard} has the keyboard</span>}
        {listening.map((port) => (
          <PortLink key={port} port={port} />
        ))}
        {unread > 0 && (
          <span class="chip" title="Output that the agent has not read">
            {describeBytes(unread)} unread
          </span>
        )}
      </p>
    </li>
  );
});

/** The port is that of the machine on which the page is served. */
export const PortLink = ({ port }: { port: number }) => (
  <a
    class="chip"
    href={`http://${location.hostname}:${port}/`}
    target="_blank"
    rel="noopener noreferrer"
  >
    port {port}
  </a>
);
