/** What a daemon has that is started again when it dies: its sessions and its socket are the keeper's too. */
import { setTimeout as delay } from 'node:timers/promises';
import { KEEPER_DESCRIPTORS } from '../../../keeper/keeper.ts';
import type { KeeperLink, ReceivedSession } from '../../../keeper/keeper-link.ts';
import type { LeftSession } from '../../../session/keeping/left-session.ts';
import { SessionKeeping } from '../../../session/keeping/session-keeping.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import { isTrusted, loadSnapshotCheck } from '../../../session/snapshot/check-snapshot.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { RequestLedger } from './request-ledger.ts';

export interface KeeperOfDaemon {
  link: KeeperLink;
  /** Clients know the daemon by it. It is the same in each of its lives. */
  id: string;
}

/** Clients that have waited for the daemon come first. */
const RESTORE_PAUSE_MS = 20;

export interface TakeOverDeps {
  readonly sessions: LocalSessions;
  readonly journal: SessionJournal;
  readonly ledger: RequestLedger;
  readonly log: { write(line: string): void };
}

export class KeptDaemon {
  readonly id: string;
  readonly keeping: SessionKeeping;
  readonly #link: KeeperLink;
  #isListening = false;

  constructor({ link, id }: KeeperOfDaemon) {
    this.id = id;
    this.#link = link;
    this.keeping = new SessionKeeping(link);
  }

  /**
   * Takes the sessions over that the daemon before this one has left. Must be called once, first. Each is
   * gone on with when it is asked for, or by `goOnWithAll`.
   */
  async takeOverSessions(deps: TakeOverDeps): Promise<void> {
    const received = await this.#link.receiveAll();
    const left = received.flatMap((each) => this.#takeOver(each, deps) ?? []);
    if (!left.every(({ label }) => isTrusted(label.version))) await loadSnapshotCheck();
  }

  /** Never rejects. */
  async goOnWithAll({ left }: LocalSessions): Promise<void> {
    await delay(RESTORE_PAUSE_MS);
    await left.restoreAll();
  }

  #takeOver(
    received: ReceivedSession,
    { sessions, journal, ledger, log }: TakeOverDeps,
  ): LeftSession | undefined {
    try {
      const left = this.keeping.takeOver(received);
      const { name, command } = left.label;
      ledger.takeOver(left.kept);
      journal.recover({ name, command });
      sessions.takeOver(left, (_left, problem) => {
        log.write(`session ${name} is set aside: ${problem}`);
        journal.lose(name, problem);
      });
      return left;
    } catch (error) {
      // It is reported as lost. The others must not suffer from it.
      const problem = (error as Error).message;
      log.write(`a session cannot be gone on with: ${problem}`);
      journal.explainLost(problem);
      this.keeping.giveUp(received);
      return undefined;
    }
  }

  /** The socket to listen on: at first the one that clients may be waiting at already, later a new one. */
  async bind(): Promise<number | undefined> {
    if (this.#isListening) return this.#link.bind();
    this.#isListening = true;
    return KEEPER_DESCRIPTORS.listening;
  }

  /** Clients are answered. */
  ready(): void {
    this.#link.ready();
  }
}
