/** What all pages look at together, through one connection: the overview, timelines and approvals. */

import { PACKAGE_VERSION } from '../package-version.ts';
import type { ApprovalRequest } from '../session/input/approval.ts';
import { Miniatures } from './miniatures.ts';
import { RecordingLibrary } from './recording-library.ts';
import { SessionBoard } from './session-board.ts';
import { SessionTimelines } from './session-timelines.ts';
import type { ViewerSessions } from './viewer-sessions.ts';

/** After the daemon could not be asked. */
const RETRY_MS = 1000;

type OnApprovals = (waiting: ApprovalRequest[]) => void;

export class SharedView {
  readonly version = PACKAGE_VERSION;
  readonly board: SessionBoard;
  readonly miniatures: Miniatures;
  readonly timelines: SessionTimelines;
  readonly recordings: RecordingLibrary | undefined;
  #approvals: ApprovalRequest[] = [];
  readonly #onApprovals = new Set<OnApprovals>();
  readonly #unsubscribe: () => void;
  #isClosed = false;

  constructor(sessions: ViewerSessions, recordings: string | undefined) {
    this.recordings = recordings === undefined ? undefined : new RecordingLibrary(recordings);
    this.board = new SessionBoard(sessions);
    this.miniatures = new Miniatures(sessions);
    this.timelines = new SessionTimelines(sessions, this.recordings);
    this.#unsubscribe = sessions.subscribe(
      ({ session, type }) => {
        if (type === 'printed' || type === 'resized') this.miniatures.outdate(session);
        else this.miniatures.forget(session);
      },
      undefined,
      ['printed', 'resized', 'closed', 'renamed'],
    );
    void this.#followApprovals(sessions);
  }

  get approvals(): readonly ApprovalRequest[] {
    return this.#approvals;
  }

  /** Told at once, and when others wait than before. */
  onApprovals(listener: OnApprovals): () => void {
    this.#onApprovals.add(listener);
    listener(this.#approvals);
    return () => this.#onApprovals.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    this.#unsubscribe();
    this.board.close();
    this.timelines.close();
  }

  async #followApprovals(sessions: ViewerSessions): Promise<void> {
    let after: number | undefined;
    while (!this.#isClosed && sessions.approvals !== undefined) {
      try {
        const { version, waiting } = await sessions.approvals(after);
        after = version;
        this.#setApprovals(waiting);
      } catch {
        // The board says what is wrong. A new daemon counts from 0.
        after = undefined;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref());
      }
    }
  }

  #setApprovals(waiting: ApprovalRequest[]): void {
    const before = new Set(this.#approvals.map(({ id }) => id));
    this.#approvals = waiting;
    for (const { id, session, who, act, what } of waiting)
      if (!before.has(id))
        this.timelines.note(session, 'approval', `${who} asks to ${act} ${what}`);
    for (const listener of this.#onApprovals) listener(waiting);
  }
}
