/** What a daemon has that is started again when it dies: its sessions and its socket are the keeper's too. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { descriptorsIn } from '../../../keeper/handed-over.ts';
import { KEEPER_DESCRIPTORS } from '../../../keeper/keeper.ts';
import type { KeeperLink, ReceivedSession } from '../../../keeper/keeper-link.ts';
import type { SocketPlace } from '../../../keeper/keeper-messages.ts';
import { SessionStore } from '../../../keeper/session-store.ts';
import { type StandIn, startStandIn } from '../../../keeper/stand-in.ts';
import type { LeftSession } from '../../../session/keeping/left-session.ts';
import { SessionKeeping } from '../../../session/keeping/session-keeping.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import { isTrusted, loadSnapshotCheck } from '../../../session/snapshot/check-snapshot.ts';
import { becomeProgram } from '../../../system/become-program.ts';
import { lockDescriptor, takeFileLock } from '../../../system/files/file-lock.ts';
import type { DaemonPaths } from '../../protocol/daemon-paths.ts';
import type { SessionJournal } from '../session-journal.ts';
import type { ClientHoldings } from './client-holdings.ts';
import { DaemonMemory } from './daemon-memory.ts';
import type { RequestLedger } from './request-ledger.ts';

/** Of this version. */
export const KEEPER_PROGRAM = fileURLToPath(new URL('../../../keeper/main.js', import.meta.url));

export interface KeeperOfDaemon {
  link: KeeperLink;
  /** Clients know the daemon by it. It is the same in each of its lives. */
  id: string;
  /** Our own program. */
  program: string;
  /** With which it was started. The next life gets it too. */
  argument: object;
  /** Another daemon was in this process before us. */
  isRestarted: boolean;
}

/** Clients that have waited for the daemon come first. */
const RESTORE_PAUSE_MS = 20;

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
  readonly program: string;
  readonly keeping: SessionKeeping;
  readonly #keeper: KeeperOfDaemon;
  readonly #link: KeeperLink;
  readonly #options: KeptDaemonOptions;
  /** What belongs to no session. Absent before `takeOver`, and if there is no memory for it. */
  memory: DaemonMemory | undefined;
  /** The sockets that were listened on once. */
  readonly #bound = new Set<SocketPlace>();
  #standIn: StandIn | undefined;
  /** It does not hold what there is now, and is replaced in the next turn. */
  #isStandInOld = false;

  constructor(keeper: KeeperOfDaemon, options: KeptDaemonOptions) {
    this.#keeper = keeper;
    this.id = keeper.id;
    this.program = keeper.program;
    this.#link = keeper.link;
    this.#options = options;
    this.keeping = new SessionKeeping(keeper.link, { folder: options.folder });
  }

  /**
   * Takes over what the daemon before this one has left. Must be called once, first. Each session is gone on
   * with when it is asked for, or by `goOnWithAll`.
   */
  async takeOver(deps: TakeOverDeps): Promise<void> {
    const { journal, ledger, holdings } = deps;
    const received = await this.#link.receiveAll();
    this.memory = this.#takeMemoryOver();
    ledger.memory = this.memory;
    ledger.takeOver(this.memory?.entries ?? new Map());
    this.keeping.onRelease = (attachments) => ledger.keepNotes(attachments);
    const left = received.flatMap((each) => this.#takeSessionOver(each, deps) ?? []);
    if (!left.every(({ label }) => isTrusted(label.version))) await loadSnapshotCheck();
    for (const { name, kept } of left) holdings.expect(name, kept.attachments);
    this.#takeLostOver(journal);
  }

  /** Never rejects. */
  async goOnWithAll({ left }: LocalSessions): Promise<void> {
    await delay(RESTORE_PAUSE_MS);
    await left.restoreAll();
    this.#link.forgetLeftPrograms();
  }

  #takeSessionOver(
    received: ReceivedSession,
    { sessions, journal, ledger, holdings }: TakeOverDeps,
  ): LeftSession | undefined {
    const { log } = this.#options;
    try {
      const left = this.keeping.takeOver(received);
      if (left === undefined) return undefined;
      const { name, command } = left.label;
      ledger.takeOver(left.kept.attachments, left.kept);
      journal.recover({ name, command });
      sessions.takeOver(left, {
        onRestored: () => holdings.takeOver(name, left.kept.attachments),
        onLost: (_left, problem) => {
          log.write(`session ${name} is set aside: ${problem}`);
          journal.lose(name, problem);
        },
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
  async bind(place: SocketPlace): Promise<number | undefined> {
    const isNew = this.#bound.has(place) || !this.#link.hasSocket(place);
    if (isNew && !(await this.#link.bind(place))) return undefined;
    this.#bound.add(place);
    return this.#link.listening(place);
  }

  /** The socket that there is, to listen on it again. */
  socket(place: SocketPlace): number | undefined {
    return this.#link.listening(place);
  }

  /** Clients are answered. */
  ready(): void {
    const { isRestarted, program, argument } = this.#keeper;
    // The keeper knows how the first daemon was started, which may have been another version.
    this.#link.ready(isRestarted ? [...commandOf(program, argument), this.id] : undefined);
  }

  onKeeperGone(callback: () => void): void {
    this.#link.onKeeperGone(callback);
  }

  /** Executes this program in our place, which goes on with everything. Returns only why it could not. */
  becomeDaemon(program: string): string {
    const handedOver = this.#link.handOver;
    if (handedOver === undefined) return 'the socket is being created again';
    const { bell, messages } = KEEPER_DESCRIPTORS;
    return becomeProgram({
      command: [...commandOf(program, { ...this.#keeper.argument, handedOver }), this.id],
      descriptors: [bell, messages, ...descriptorsIn(handedOver)],
    });
  }

  /** The keeper is dead: from now on somebody else holds the sessions too. */
  startStandIn(paths: DaemonPaths): void {
    const held = this.#link.handOver;
    const before = this.#standIn;
    if (held === undefined || (before !== undefined && !this.#isStandInOld)) return;
    this.#standIn = undefined;
    this.#isStandInOld = false;
    try {
      const holding = { ...held, ...(before && { standIn: before.pipe }) };
      this.#standIn = startStandIn(KEEPER_PROGRAM, this.#keeperArgument(paths), holding);
    } catch (error) {
      this.#options.log.write(`nobody else holds the sessions: ${(error as Error).message}`);
    }
    // Only now: the next one holds the sessions from the moment at which it is forked. If we are killed
    // before this, it goes on alone, and tells the first one to leave.
    before?.end();
    // It must not go on with a session that is closed, and lack one that is opened.
    this.#link.onChange = () => {
      this.#isStandInOld = true;
      setImmediate(() => this.#isStandInOld && this.startStandIn(paths));
    };
  }

  /** We go on, and alone. */
  endStandIn(): void {
    this.#standIn?.end();
    this.#standIn = undefined;
    this.#isStandInOld = false;
    this.#link.onChange = () => {};
  }

  /** Executes a keeper in our place, which starts a daemon. Returns only why it could not. */
  becomeKeeper(paths: DaemonPaths): string {
    const held = this.#link.handOver;
    if (held === undefined) return 'the socket is being created again';
    // The lock was the keeper's, and is free. If somebody else has it by now, the keeper waits for it.
    const lock = takeLock(paths.lock);
    this.startStandIn(paths);
    const standIn = this.#standIn?.pipe;
    const handedOver = {
      ...held,
      ...(lock !== undefined && { lock }),
      ...(standIn !== undefined && { standIn }),
    };
    return becomeProgram({
      command: commandOf(KEEPER_PROGRAM, { ...this.#keeperArgument(paths), handedOver }),
      descriptors: descriptorsIn(handedOver),
    });
  }

  #keeperArgument({ socket, stateSocket, lock }: DaemonPaths): object {
    const daemon = [...commandOf(this.program, this.#keeper.argument), this.id];
    return { daemon, socket, stateSocket, lock };
  }

  #takeMemoryOver(): DaemonMemory | undefined {
    const { log, folder } = this.#options;
    const onTrouble = (message: string) => log.write(message);
    const { daemonStore } = this.#link;
    try {
      if (daemonStore !== undefined) {
        const store = SessionStore.open(daemonStore);
        return new DaemonMemory(store, onTrouble, store.contents());
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

const commandOf = (program: string, argument: object): string[] => [
  program,
  JSON.stringify(argument),
];

const takeLock = (path: string): number | undefined => {
  try {
    return takeFileLock(path) ? lockDescriptor() : undefined;
  } catch {
    // Its folder is gone.
    return undefined;
  }
};
