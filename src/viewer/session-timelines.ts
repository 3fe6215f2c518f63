/** What happened in each session since the viewer was started, and before, as its recording has it. */
import type { SessionEvent } from '../session/sessions.ts';
import type { SessionTimeline, TimelineEntry } from './page-messages.ts';
import { nameOfRecording, type RecordingLibrary } from './recording-library.ts';
import { TimelineBuilder } from './timeline-builder.ts';
import type { ViewerSessions } from './viewer-sessions.ts';

export type OnEntry = (session: string, entry: TimelineEntry) => void;

/** Entries of the recording are numbered from 0. */
const FIRST_LIVE_NUMBER = 1_000_000;

interface LiveTimeline {
  builder: TimelineBuilder;
  /** When it began to be followed, in milliseconds since 1970. */
  since: number;
}

export class SessionTimelines {
  readonly #recordings: RecordingLibrary | undefined;
  readonly #timelines = new Map<string, LiveTimeline>();
  readonly #listeners = new Set<OnEntry>();
  readonly #unsubscribe: () => void;

  constructor(sessions: ViewerSessions, recordings: RecordingLibrary | undefined) {
    this.#recordings = recordings;
    this.#unsubscribe = sessions.subscribe((event) => this.#onEvent(event), undefined, [
      ...(['opened', 'renamed', 'closed', 'input', 'mark'] as const),
      ...(['state', 'keyboard', 'trouble', 'exited'] as const),
    ]);
  }

  listen(listener: OnEntry): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  note(session: string, kind: 'approval' | 'trouble', text: string): void {
    this.#timelines.get(session)?.builder.add(Date.now(), { kind, text });
  }

  /** `file`: of its recording. */
  async of(session: string, file: string | undefined): Promise<SessionTimeline> {
    const live = this.#timelines.get(session);
    const name = file === undefined ? undefined : nameOfRecording(file);
    const before =
      name === undefined ? [] : ((await this.#recordings?.entriesOf(name, live?.since)) ?? []);
    return {
      entries: [...before, ...(live?.builder.entries ?? [])],
      ...(name !== undefined && this.#recordings && { recording: name }),
    };
  }

  close(): void {
    this.#unsubscribe();
  }

  #onEvent(event: SessionEvent): void {
    const { session, type } = event;
    const now = Date.now();
    if (type === 'renamed') {
      const live = this.#timelines.get(session);
      this.#timelines.delete(session);
      if (live === undefined) return;
      live.builder.onEntry = this.#tell(event.to);
      this.#timelines.set(event.to, live);
      return;
    }
    if (type === 'closed') {
      this.#timelines.delete(session);
      return;
    }
    let live = this.#timelines.get(session);
    if (live === undefined) {
      live = { builder: new TimelineBuilder(this.#tell(session), FIRST_LIVE_NUMBER), since: now };
      this.#timelines.set(session, live);
    }
    const { builder } = live;
    if (type === 'state') builder.state(now, event.situation);
    else if (type === 'mark' && event.mark === 'output') builder.commandBegins(now);
    else if (type === 'mark' && event.mark === 'done') builder.commandEnds(now, event.exitCode);
    else if (type === 'input' && event.hidden) builder.hiddenInput(now, event.actor, event.secret);
    else if (type === 'input') builder.input(now, event.actor, Buffer.from(event.bytes).toString());
    else if (type === 'trouble') builder.add(now, { kind: 'trouble', text: event.message });
    else if (type === 'keyboard')
      builder.add(now, {
        kind: 'keyboard',
        actor: event.holder ?? '',
        isTaken: event.holder !== undefined,
      });
    else if (type === 'exited') {
      const { exitCode, signal } = event;
      builder.add(now, {
        kind: 'exit',
        ...(exitCode !== undefined && { exitCode }),
        ...(signal !== undefined && { signal }),
      });
    }
  }

  #tell(session: string): (entry: TimelineEntry) => void {
    return (entry) => {
      for (const listener of this.#listeners) listener(session, entry);
    };
  }
}
