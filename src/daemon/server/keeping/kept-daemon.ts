/** What a daemon has that is started again when it dies: its sessions and its socket are the keeper's too. */
import { KEEPER_DESCRIPTORS } from '../../../keeper/keeper.ts';
import type { KeeperLink } from '../../../keeper/keeper-link.ts';
import { SessionKeeping } from '../../../session/keeping/session-keeping.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { RequestLedger } from './request-ledger.ts';

export interface KeeperOfDaemon {
  link: KeeperLink;
  /** Clients know the daemon by it. It is the same in each of its lives. */
  id: string;
}

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

  /** Goes on with the sessions that the daemon before this one has left. Must be called once, first. */
  async takeOverSessions({ sessions, journal, ledger, log }: TakeOverDeps): Promise<void> {
    for (const received of await this.#link.receiveAll()) {
      try {
        const left = this.keeping.takeOver(received);
        await sessions.takeOver(left);
        ledger.takeOver(left.kept);
        const { name, command } = left.written.session;
        const recording = sessions.recordingOf(name);
        journal.recover({ name, command, ...(recording !== undefined && { recording }) });
      } catch (error) {
        // It is reported as lost. The others must not suffer from it.
        log.write(`a session cannot be gone on with: ${(error as Error).message}`);
        this.keeping.giveUp(received);
      }
    }
  }

  /** The socket to listen on: at first the one that clients may be waiting at already, later a new one. */
  async bind(): Promise<number | undefined> {
    if (this.#isListening) return this.#link.bind();
    this.#isListening = true;
    return KEEPER_DESCRIPTORS.listening;
  }

  /** Everything is restored that could be, and clients are answered. */
  ready(): void {
    this.#link.ready();
  }
}
