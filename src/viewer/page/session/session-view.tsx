/** One session: its live terminal, the keyboard, and what happened there. */
import { useEffect, useState } from 'preact/hooks';
import type { ListedSession } from '../../page-messages.ts';
import { Banner } from '../notice.tsx';
import { PortLink } from '../overview/session-card.tsx';
import { useAsk, useNow, usePageState } from '../page-context.ts';
import { hrefOf } from '../route.ts';
import { describeSince, describeState, toneOf } from '../words.ts';
import { SecretField } from './secret-field.tsx';
import { CloseButton, ResizeForm, SignalChoice } from './session-tools.tsx';
import { TerminalSearch } from './terminal-search.tsx';
import { Timeline } from './timeline.tsx';
import { useScreenReader, useTerminal, useTyping } from './use-terminal.ts';

export const SessionView = ({ session: name }: { session: string }) => {
  const { hello, sessions, connection } = usePageState();
  const [session, setSession] = useState(name);
  const [isGone, setGone] = useState(false);
  const [isBehind, setBehind] = useState(false);
  const [isFitted, setFitted] = useState(false);
  const [isSearching, setSearching] = useState(false);
  const [showsTimeline, setShowsTimeline] = useState(innerWidth > 900);
  const pane = useTerminal({ session, connection, setSession, setGone, setBehind });
  const ask = useAsk();
  const [isReadAloud, setReadAloud] = useScreenReader(pane);
  const listed = sessions?.get(session);
  const isReadOnly = hello?.isReadOnly === true;
  const hasKeyboard = listed?.keyboard !== undefined && listed.keyboard === hello?.actor;
  const isExited = listed?.state === 'exited';

  const toggleKeyboard = async () => {
    const done = await ask(hasKeyboard ? 'giveBack' : 'take', { session });
    if (done !== undefined && !hasKeyboard) pane.current?.terminal.focus();
  };
  useTyping({ pane, session, hasKeyboard, isReadOnly, toggleKeyboard, setSearching });

  // The session gets the size of the pane, and its own again when this is left.
  useEffect(() => {
    const shown = pane.current;
    if (!isFitted || shown === undefined) return;
    let sent = '';
    const fit = () => {
      const size = shown.roomySize;
      if (size === undefined || sent === JSON.stringify(size)) return;
      sent = JSON.stringify(size);
      void ask('fit', { session, ...size });
    };
    shown.onRoom = fit;
    shown.setOwnSize(true);
    return () => {
      shown.onRoom = () => {};
      shown.setOwnSize(false);
      void ask('leaveSize', { session });
    };
  }, [isFitted, session, connection, pane.current]);

  return (
    <>
      <header class="session-head">
        <a class="back" href={hrefOf({ view: 'sessions' })} aria-label="All sessions">
          ←
        </a>
        <h1>{session}</h1>
        {listed && <Verdict listed={listed} />}
        <span class="spacer" />
        {!isReadOnly && !isExited && !isGone && (
          <div class="actions">
            <button
              type="button"
              class={hasKeyboard ? 'primary' : ''}
              aria-pressed={hasKeyboard}
              title="Ctrl+Shift+K"
              onClick={() => void toggleKeyboard()}
            >
              {hasKeyboard ? 'Give the keyboard back' : 'Take the keyboard'}
            </button>
            <button
              type="button"
              aria-pressed={isFitted}
              title="The program gets a terminal of the size of this window"
              onClick={() => setFitted(!isFitted)}
            >
              Fit
            </button>
            <SignalChoice session={session} />
            <ResizeForm session={session} />
          </div>
        )}
        {!isReadOnly && !isGone && <CloseButton session={session} />}
        <button
          type="button"
          aria-pressed={isSearching}
          title="Ctrl+Shift+F"
          onClick={() => setSearching(!isSearching)}
        >
          Find
        </button>
        <button
          type="button"
          aria-pressed={isReadAloud}
          title="The terminal's text for a screen reader"
          onClick={() => setReadAloud(!isReadAloud)}
        >
          Screen reader
        </button>
        <button
          type="button"
          aria-pressed={showsTimeline}
          onClick={() => setShowsTimeline(!showsTimeline)}
        >
          Timeline
        </button>
      </header>
      {isGone && (
        <Banner tone="bad">
          This session is closed. What it showed last stays here; its recording is under{' '}
          <a href={hrefOf({ view: 'recordings' })}>Recordings</a>.
        </Banner>
      )}
      {isExited && !isGone && (
        <Banner>
          The program has ended: {describeState(listed)}. Nothing can be typed any more.
        </Banner>
      )}
      {isBehind && (
        <Banner>It prints faster than this page can show. Some of it is left out here.</Banner>
      )}
      {hasKeyboard && (
        <Banner>
          You have the keyboard. Agents that type are told: "A person ({hello?.actor}) has the
          keyboard of session "{session}", so nothing was typed. Read and wait as usual; type when
          it has been given back."
        </Banner>
      )}
      {listed?.keyboard !== undefined && !hasKeyboard && (
        <Banner>{listed.keyboard} has the keyboard.</Banner>
      )}
      {listed?.notice !== undefined && <Banner>{listed.notice}</Banner>}
      {listed?.waitingFor === 'secret' && !isReadOnly && <SecretField session={session} />}
      <div class={`session-body ${showsTimeline ? 'with-timeline' : ''}`}>
        <div class="terminal-column">
          {isSearching && <TerminalSearch pane={pane} onClose={() => setSearching(false)} />}
          <div class="pane" ref={pane.place} />
          <p class="faint hint">
            {isReadOnly
              ? 'This link is one to look only.'
              : hasKeyboard
                ? 'Keys go to the program. Ctrl+Shift+L leaves the terminal, Ctrl+Shift+K gives the keyboard back.'
                : 'You look on. Ctrl+Shift+K takes the keyboard, Ctrl+Shift+F finds text.'}
          </p>
        </div>
        {showsTimeline && <Timeline session={session} />}
      </div>
    </>
  );
};

const Verdict = ({ listed }: { listed: ListedSession }) => {
  const since = describeSince(listed, useNow(1000));
  const { foreground, prompt, because, certainty, listening = [] } = listed;
  return (
    <p class={`verdict ${toneOf(listed)}`} title={`${certainty}: ${because}`}>
      <span class="dot" aria-hidden="true" />
      <span role="status">
        {foreground !== undefined && `${foreground}: `}
        {describeState(listed)}
      </span>
      {prompt !== undefined && prompt.trim() !== '' && <code class="prompt">{prompt}</code>}
      {listed.state !== 'exited' && <span class="faint">for {since}</span>}
      {listening.map((port) => (
        <PortLink key={port} port={port} />
      ))}
    </p>
  );
};
