/** The recordings of this process's sessions, by the session's name. */
import type { RecordingOptions } from '../options/options.ts';
import type { OpenRequest } from '../options/requests.ts';
import { type RecordedSession, Recording } from './recording.ts';

/** Of a session that is recorded, or of one that another process has recorded before. */
export type RecordedRequest = Pick<OpenRequest, 'record' | 'command' | 'cols' | 'rows' | 'env'>;

export class SessionRecordings {
  readonly #options: RecordingOptions;
  readonly #recordings = new Map<string, Recording>();

  constructor(options: RecordingOptions) {
    this.#options = options;
  }

  /** Undefined if this session is not to be recorded. */
  start(
    session: string,
    { record, command, cols, rows, env }: RecordedRequest,
    others: Pick<RecordedSession, 'openedBy' | 'dump' | 'onTrouble'>,
  ): Recording | undefined {
    if (!(record ?? this.#options.always)) return undefined;
    const recorded = { session, command, cols, rows, term: env.TERM, ...others };
    const recording = new Recording(recorded, this.#options);
    this.#recordings.set(session, recording);
    return recording;
  }

  pathOf(session: string): string | undefined {
    return this.#recordings.get(session)?.path;
  }

  /** The files keep the name under which the recording was begun. */
  rename(from: string, to: string): void {
    const recording = this.#recordings.get(from);
    if (recording === undefined) return;
    this.#recordings.delete(from);
    this.#recordings.set(to, recording);
  }

  delete(session: string): void {
    this.#recordings.delete(session);
  }
}
