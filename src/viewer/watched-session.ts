/**
 * The screen of one session for one page, at the speed at which the page shows it.
 *
 * The page says how much it has shown. A page that is too far behind gets no more output; when it has
 * shown everything, it gets the current screen, and goes on from there. Meanwhile nothing is subscribed,
 * so a flood that nobody can follow costs the daemon nothing.
 */
import { DrawingFilter } from '../screen/sequences/drawing-filter.ts';
import type { SessionEvent } from '../session/sessions.ts';
import type { ScreenNow, ViewerSessions } from './viewer-sessions.ts';

/** A quarter of what the terminal in the page takes in a second: it is behind by less than a blink. */
const MAX_NOT_SHOWN_BYTES = 512 * 1024;
/** So that a flood is a few screens in a second, and not all that the page could take. */
const PAUSE_MS = 100;

export interface WatchSink {
  /** `dump` draws the screen, and nothing else. */
  sendScreen(screen: ScreenNow, dump: string, isAfterGap: boolean): void;
  sendOutput(bytes: Uint8Array): void;
  /** Other events: `resized`, `renamed`, `closed`. */
  sendChange(event: SessionEvent): void;
}

export class WatchedSession {
  readonly #sessions: ViewerSessions;
  readonly #sink: WatchSink;
  readonly #stopChanges: () => void;
  #session: string;
  /** A program's queries are answered by the session's own screen: a page's answer would be typed. */
  #filter = new DrawingFilter();
  #stopScreen: (() => void) | undefined;
  #notShown = 0;
  #isAfterGap = false;
  #isOver = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(sessions: ViewerSessions, session: string, sink: WatchSink) {
    this.#sessions = sessions;
    this.#session = session;
    this.#sink = sink;
    const types = ['resized', 'renamed', 'closed', 'opened'] as const;
    this.#stopChanges = sessions.subscribe((event) => this.#onChange(event), session, types);
    this.#watchScreen();
  }

  get session(): string {
    return this.#session;
  }

  shown(bytes: number): void {
    this.#notShown = Math.max(0, this.#notShown - bytes);
    if (this.#stopScreen !== undefined || this.#notShown > 0 || this.#isOver) return;
    this.#timer ??= setTimeout(() => this.#watchScreen(), PAUSE_MS);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#stopChanges();
    this.#stopScreen?.();
  }

  #watchScreen(): void {
    this.#timer = undefined;
    let isCurrent = true;
    const onEvent = (event: SessionEvent) => {
      if (isCurrent && !this.#isOver) this.#onScreen(event);
    };
    // Known before `subscribe` returns: the first events can come earlier.
    this.#stopScreen = () => {
      isCurrent = false;
    };
    const stop = this.#sessions.subscribe(onEvent, this.#session, ['screen', 'output']);
    if (!isCurrent) {
      stop();
      return;
    }
    this.#stopScreen = () => {
      isCurrent = false;
      stop();
    };
  }

  #onScreen(event: SessionEvent): void {
    if (event.type === 'screen') {
      this.#filter = new DrawingFilter();
      const dump = this.#filter.filter(event.dump).toString();
      this.#notShown += dump.length;
      this.#sink.sendScreen(event, dump, this.#isAfterGap);
      this.#isAfterGap = false;
    } else if (event.type === 'output') {
      const bytes = this.#filter.filter(event.bytes);
      this.#notShown += bytes.length;
      this.#sink.sendOutput(bytes);
      if (this.#notShown <= MAX_NOT_SHOWN_BYTES) return;
      this.#stopScreen?.();
      this.#stopScreen = undefined;
      this.#isAfterGap = true;
    }
  }

  #onChange(event: SessionEvent): void {
    if (this.#isOver) return;
    if (event.type === 'renamed') this.#session = event.to;
    this.#sink.sendChange(event);
  }
}
