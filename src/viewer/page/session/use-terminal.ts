/** The terminal of a session on the page: what it shows, and where what is typed goes. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { usePage } from '../page-context.ts';
import { isReadAloud, setReadAloud } from '../terminal/screen-reader.ts';
import { TerminalPane } from '../terminal/terminal-pane.ts';

let lastWatch = 0;

interface UsedTerminal {
  session: string;
  connection: number;
  setSession(session: string): void;
  setGone(isGone: boolean): void;
  setBehind(isBehind: boolean): void;
}

export interface PaneRef {
  current: TerminalPane | undefined;
  place(element: HTMLElement | null): void;
}

/** Counted up to this before it is told, so that a stream of small pieces is not a stream of messages. */
const TELL_SHOWN_BYTES = 32 * 1024;
const BEHIND_MS = 2000;

export const useTerminal = (used: UsedTerminal): PaneRef => {
  const { link, watches } = usePage();
  const [, setReady] = useState(false);
  const pane = useMemo<PaneRef>(() => {
    const ref: PaneRef = {
      current: undefined,
      place(element) {
        if (element === null || ref.current !== undefined) return;
        ref.current = new TerminalPane(element, `Terminal of ${used.session}`);
        setReady(true);
      },
    };
    return ref;
  }, []);
  useEffect(
    () => () => {
      pane.current?.dispose();
      pane.current = undefined;
    },
    [],
  );
  useEffect(() => {
    const shownPane = pane.current;
    if (shownPane === undefined || used.connection === 0) return;
    const watch = ++lastWatch;
    let notTold = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let behindTimer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      clearTimeout(timer);
      timer = undefined;
      link.request('shown', { watch, bytes: notTold }).catch(() => {});
      notTold = 0;
    };
    const onShown = (bytes: number) => {
      notTold += bytes;
      if (notTold >= TELL_SHOWN_BYTES) tell();
      else timer ??= setTimeout(tell, 50);
    };
    watches.set(watch, {
      onNews(news) {
        if (news.news === 'screen') {
          used.setGone(false);
          shownPane.show(news.dump, news.cols, news.rows, () => onShown(news.dump.length));
          if (!news.isAfterGap) return;
          used.setBehind(true);
          clearTimeout(behindTimer);
          behindTimer = setTimeout(() => used.setBehind(false), BEHIND_MS);
        } else if (news.news === 'resized') shownPane.resize(news.cols, news.rows);
        else if (news.news === 'closed') used.setGone(true);
        else if (news.news === 'renamed') used.setSession(news.to);
      },
      onOutput(bytes) {
        shownPane.terminal.write(bytes, () => onShown(bytes.length));
      },
    });
    link.request('watch', { session: used.session, watch }).catch(() => {});
    return () => {
      watches.delete(watch);
      clearTimeout(timer);
      clearTimeout(behindTimer);
      link.request('leave', {}).catch(() => {});
    };
    // A renamed session is still the one that is watched.
  }, [used.connection, pane.current]);
  return pane;
};

export const useScreenReader = (pane: PaneRef): [boolean, (isOn: boolean) => void] => {
  const [isOn, setOn] = useState(isReadAloud);
  return [
    isOn,
    (chosen) => {
      setReadAloud(chosen);
      pane.current?.setScreenReader(chosen);
      setOn(chosen);
    },
  ];
};

interface Typing {
  pane: PaneRef;
  session: string;
  hasKeyboard: boolean;
  isReadOnly: boolean;
  toggleKeyboard(): void;
  setSearching(isSearching: boolean): void;
}

/** A paste is sent in pieces that the server takes. */
const PIECE_CHARACTERS = 64 * 1024;

export const useTyping = ({ pane, session, hasKeyboard, isReadOnly, ...actions }: Typing): void => {
  const { link, say } = usePage();
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    const terminal = pane.current?.terminal;
    if (terminal === undefined) return;
    terminal.options.disableStdin = !hasKeyboard;
    const send = (text: string, isBinary?: boolean) => {
      for (let at = 0; at < text.length; at += PIECE_CHARACTERS) {
        const piece = text.slice(at, at + PIECE_CHARACTERS);
        link
          .request('type', { session, text: piece, ...(isBinary && { isBinary }) })
          .catch((error: Error) => say(error.message, 'bad'));
      }
    };
    const typed = [
      terminal.onData((text) => send(text)),
      terminal.onBinary((text) => send(text, true)),
    ];
    terminal.attachCustomKeyEventHandler((event) => {
      if (!event.ctrlKey || !event.shiftKey || !'KLF'.includes(event.key.toUpperCase()))
        return true;
      if (event.type === 'keydown' && event.key.toUpperCase() === 'L') terminal.blur();
      // The page's own handler does the rest.
      return false;
    });
    return () => {
      for (const each of typed) each.dispose();
    };
  }, [session, hasKeyboard, pane.current]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.ctrlKey || !event.shiftKey || event.altKey || event.metaKey) return;
      const key = event.key.toUpperCase();
      if (key === 'K' && !isReadOnly) latest.current.toggleKeyboard();
      else if (key === 'F') latest.current.setSearching(true);
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isReadOnly]);
};
