/** What a daemon has that is started again when it dies: its sessions and its socket are the keeper's too. */
import { fstatSync } from 'node:fs';
import { KEEPER_DESCRIPTORS } from '../../../keeper/keeper.ts';
import type { KeeperLink } from '../../../keeper/keeper-link.ts';
import type { SocketPlace } from '../../../keeper/keeper-messages.ts';
import { SessionStore } from '../../../keeper/session-store.ts';
import { SessionKeeping } from '../../../session/keeping/session-keeping.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { ClientHoldings } from './client-holdings.ts';
import { DaemonMemory } from './daemon-memory.ts';
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
  readonly holdings: ClientHoldings;
}

export interface KeptDaemonOptions {
  /** Where memory is made as files, if the kernel gives none. */
  folder: string;
  log: { write(line: string): void };
}

export class KeptDaemon {
  readonly id: string;
  readonly keeping: SessionKeeping;
  readonly #link: KeeperLink;
  readonly #options: KeptDaemonOptions;
  /** What belongs to no session. Absent before `takeOver`, and if there is no memory for it. */
  memory: DaemonMemory | undefined;
  /** The sockets that this process was started with. */
  readonly #inherited: { [P in SocketPlace]?: number } = {
    runtime: KEEPER_DESCRIPTORS.listening,
    state: KEEPER_DESCRIPTORS.listeningInState,
  };

  constructor({ link, id }: KeeperOfDaemon, options: KeptDaemonOptions) {
    this.id = id;
    this.#link = link;
    this.#options = options;
    this.keeping = new SessionKeeping(link, { folder: options.folder });
  }

  /** Goes on with what the daemon before this one has left. Must be called once, first. */
  async takeOver(deps: TakeOverDeps): Promise<void> {
    const { sessions, journal, ledger, holdings } = deps;
    const left = await this.#link.receiveAll();
    this.memory = this.#takeMemoryOver();
    ledger.memory = this.memory;
    ledger.takeOver(this.memory?.entries ?? new Map());
    this.keeping.onRelease = (attachments) => ledger.keepNotes(attachments);
    for (const received of left) {
      try {
        const session = this.keeping.takeOver(received);
        await sessions.takeOver(session);
        ledger.takeOver(session.kept.attachments);
        const { name, command } = session.written.session;
        holdings.takeOver(name, session.kept.attachments);
        const recording = sessions.recordingOf(name);
        journal.recover({ name, command, ...(recording !== undefined && { recording }) });
      } catch (error) {
        // It is reported as lost. The others must not suffer from it.
        this.#options.log.write(`a session cannot be gone on with: ${(error as Error).message}`);
        this.keeping.giveUp(received);
      }
    }
    this.#takeLostOver(journal);
  }

  /** The socket to listen on: at first the one that clients may be waiting at already, later a new one. */
  async bind(place: SocketPlace): Promise<number | undefined> {
    const inherited = this.#inherited[place];
    delete this.#inherited[place];
    return inherited !== undefined && isSocket(inherited) ? inherited : this.#link.bind(place);
  }

  /** Everything is restored that could be, and clients are answered. */
  ready(): void {
    this.#link.ready();
  }

  #takeMemoryOver(): DaemonMemory | undefined {
    const { log, folder } = this.#options;
    const onTrouble = (message: string) => log.write(message);
    const { daemonStore } = this.#link;
    try {
      if (daemonStore !== undefined) {
        const { store, contents } = SessionStore.open(daemonStore);
        return new DaemonMemory(store, onTrouble, contents);
      }
    } catch (error) {
      log.write(`what belongs to no session is lost: ${(error as Error).message}`);
    }
    try {
      const store = SessionStore.create({ folder });
      this.#link.holdDaemonStore(store.fd);
      return new DaemonMemory(store, onTrouble);
    } catch (error) {
      log.write(`what belongs to no session is not kept: ${(error as Error).message}`);
      return undefined;
    }
  }

  /** Callers are told of lost sessions until there is another one of the same name. */
  #takeLostOver(journal: SessionJournal): void {
    const { memory } = this;
    journal.addLost((memory?.get(LOST) as typeof journal.lost | undefined) ?? []);
    memory?.set(LOST, journal.lost);
    journal.onLost = (lost) => memory?.set(LOST, lost);
  }
}

const LOST = 'lost';

const isSocket = (fd: number): boolean => fstatSync(fd).isSocket();
