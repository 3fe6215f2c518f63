/** What the overview shows of all sessions, and who is told when that changes. */
import { describeCaller } from '../session/caller.ts';
import type { SessionEvent, SessionState, SessionSummary } from '../session/sessions.ts';
import { type Throttled, throttle } from '../session/wait/throttle.ts';
import type { ListedSession } from './page-messages.ts';
import type { ViewerSessions } from './viewer-sessions.ts';

export interface BoardListener {
  onChanged(changed: ListedSession[], gone: string[]): void;
  onTrouble(message: string | undefined): void;
}

/** Changes are told together: twenty sessions that work are two hundred states in a second. */
const TELL_PAUSE_MS = 100;
const LIST_PAUSE_MS = 200;
/** Unread output, ports and folders have no events. To list a session costs half a millisecond. */
const LIST_EVERY_MS = 5000;
/** While the sessions cannot be reached. */
const RETRY_MS = 1000;

export class SessionBoard {
  readonly #sessions: ViewerSessions;
  readonly #listed = new Map<string, ListedSession>();
  readonly #recordings = new Map<string, string>();
  readonly #listeners = new Set<BoardListener>();
  readonly #changed = new Set<string>();
  readonly #gone = new Set<string>();
  readonly #tell: Throttled = throttle(TELL_PAUSE_MS, () => this.#tellChanges());
  readonly #list: Throttled = throttle(LIST_PAUSE_MS, () => void this.refresh());
  readonly #unsubscribe: () => void;
  readonly #timer: NodeJS.Timeout;
  #retry: NodeJS.Timeout | undefined;
  #trouble: string | undefined;
  #isFirst = true;
  /** Changes while a list is on its way make that list old. */
  #changes = 0;

  constructor(sessions: ViewerSessions) {
    this.#sessions = sessions;
    const types = ['opened', 'renamed', 'closed', 'exited', 'state', 'keyboard'] as const;
    this.#unsubscribe = sessions.subscribe((event) => this.#onEvent(event), undefined, types);
    this.#timer = setInterval(() => {
      if (this.#listeners.size > 0) this.#list.trigger();
    }, LIST_EVERY_MS);
  }

  get all(): ListedSession[] {
    return [...this.#listed.values()];
  }

  get trouble(): string | undefined {
    return this.#trouble;
  }

  find(session: string): ListedSession | undefined {
    return this.#listed.get(session);
  }

  /** The file that its recording is written to. */
  recordingOf(session: string): string | undefined {
    return this.#recordings.get(session);
  }

  get openRecordings(): string[] {
    return [...this.#recordings.values()];
  }

  listen(listener: BoardListener): () => void {
    this.#listeners.add(listener);
    this.#list.trigger();
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#unsubscribe();
    clearInterval(this.#timer);
    clearTimeout(this.#retry);
    this.#tell.cancel();
    this.#list.cancel();
  }

  async refresh(): Promise<void> {
    const changes = this.#changes;
    let summaries: SessionSummary[];
    try {
      summaries = await this.#sessions.list();
    } catch (error) {
      this.#setTrouble((error as Error).message);
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#list.trigger(), RETRY_MS);
      return;
    }
    this.#setTrouble(undefined);
    const names = new Set(summaries.map(({ session }) => session));
    for (const summary of summaries) this.#put(summary);
    // One that was opened meanwhile is not in the list.
    if (changes === this.#changes) for (const name of this.#listed.keys()) this.#keep(name, names);
    else this.#list.trigger();
    this.#isFirst = false;
  }

  #keep(name: string, names: ReadonlySet<string>): void {
    if (!names.has(name)) this.#remove(name);
  }

  #put(summary: SessionSummary): void {
    const { session, openedBy, cwd, pid, unread, ageMs, recording } = summary;
    const { idleMs, inputBy, sandbox, isExitReported, ...state } = summary;
    if (recording !== undefined) this.#recordings.set(session, recording);
    const before = this.#listed.get(session);
    const isSame = before?.pid === pid;
    this.#set({
      ...stateOnly(state),
      openedBy: describeCaller(openedBy),
      folder: cwd ?? (isSame ? before.folder : ''),
      pid,
      unread,
      isRecorded: recording !== undefined,
      ...(isSame && stateKey(before) === stateKey(summary)
        ? sinceOf(before)
        : {
            since: Date.now(),
            ...(this.#isFirst && ageMs > 0 && { isSinceBefore: true as const }),
          }),
    });
  }

  #onEvent(event: SessionEvent): void {
    const { session } = event;
    const listed = this.#listed.get(session);
    this.#changes++;
    if (event.type === 'opened' || event.type === 'exited') this.#list.trigger();
    else if (event.type === 'closed') {
      this.#remove(session);
      // The daemon may have been started again, and has it still.
      this.#list.trigger();
    } else if (event.type === 'renamed') {
      this.#remove(session);
      this.#list.trigger();
    } else if (listed === undefined) return;
    else if (event.type === 'state') {
      const { openedBy, folder, pid, unread, isRecorded } = listed;
      const since =
        stateKey(listed) === stateKey(event.situation) ? sinceOf(listed) : { since: Date.now() };
      this.#set({ ...event.situation, openedBy, folder, pid, unread, isRecorded, ...since });
    } else if (event.type === 'keyboard') {
      const { keyboard, ...rest } = listed;
      this.#set(event.holder === undefined ? rest : { ...rest, keyboard: event.holder });
    }
  }

  #set(listed: ListedSession): void {
    const { session } = listed;
    if (JSON.stringify(this.#listed.get(session)) === JSON.stringify(listed)) return;
    this.#listed.set(session, listed);
    this.#gone.delete(session);
    this.#changed.add(session);
    this.#tell.trigger();
  }

  #remove(session: string): void {
    this.#recordings.delete(session);
    if (!this.#listed.delete(session)) return;
    this.#changed.delete(session);
    this.#gone.add(session);
    this.#tell.trigger();
  }

  #tellChanges(): void {
    const changed = [...this.#changed].flatMap((name) => this.#listed.get(name) ?? []);
    const gone = [...this.#gone];
    this.#changed.clear();
    this.#gone.clear();
    for (const listener of this.#listeners) listener.onChanged(changed, gone);
  }

  #setTrouble(message: string | undefined): void {
    if (this.#trouble === message) return;
    this.#trouble = message;
    for (const listener of this.#listeners) listener.onTrouble(message);
  }
}

const sinceOf = ({ since, isSinceBefore }: ListedSession) => ({
  since,
  ...(isSinceBefore && { isSinceBefore }),
});

/** Equal while nothing has changed that a person would call another state. */
const stateKey = ({ state, waitingFor, prompt, foreground }: SessionState): string =>
  JSON.stringify([state, waitingFor, prompt, foreground]);

/** A summary without what only a list has. */
const stateOnly = (summary: SessionState): SessionState => {
  const { session, state, waitingFor, prompt, certainty, because, foreground } = summary;
  const { listening, exitCode, signal, secrets, keyboard, notice } = summary;
  return {
    ...{ session, state, certainty, because },
    ...(waitingFor !== undefined && { waitingFor }),
    ...(prompt !== undefined && { prompt }),
    ...(foreground !== undefined && { foreground }),
    ...(listening !== undefined && { listening }),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
    ...(secrets !== undefined && { secrets }),
    ...(keyboard !== undefined && { keyboard }),
    ...(notice !== undefined && { notice }),
  };
};
