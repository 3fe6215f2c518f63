/** What a daemon has that is started again when it dies: its sessions and its socket are the keeper's too. */
import { fileURLToPath } from 'node:url';
import { descriptorsIn } from '../../../keeper/handed-over.ts';
import { KEEPER_DESCRIPTORS } from '../../../keeper/keeper.ts';
import type { KeeperLink } from '../../../keeper/keeper-link.ts';
import { SessionKeeping } from '../../../session/keeping/session-keeping.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import { becomeProgram } from '../../../system/become-program.ts';
import { lockDescriptor, takeFileLock } from '../../../system/files/file-lock.ts';
import type { DaemonPaths } from '../../protocol/daemon-paths.ts';
import type { SessionJournal } from '../session-journal.ts';
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

export interface TakeOverDeps {
  readonly sessions: LocalSessions;
  readonly journal: SessionJournal;
  readonly ledger: RequestLedger;
  readonly log: { write(line: string): void };
}

export class KeptDaemon {
  readonly id: string;
  readonly program: string;
  readonly keeping: SessionKeeping;
  readonly #keeper: KeeperOfDaemon;
  readonly #link: KeeperLink;
  #isListening = false;

  constructor(keeper: KeeperOfDaemon) {
    this.#keeper = keeper;
    this.id = keeper.id;
    this.program = keeper.program;
    this.#link = keeper.link;
    this.keeping = new SessionKeeping(keeper.link);
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
    if (this.#isListening && !(await this.#link.bind())) return undefined;
    this.#isListening = true;
    return this.#link.listening();
  }

  /** The socket that there is, to listen on it again. */
  socket(): number {
    return this.#link.listening();
  }

  /** Everything is restored that could be, and clients are answered. */
  ready(): void {
    const { isRestarted, program, argument } = this.#keeper;
    // The keeper knows how the first daemon was started, which may have been another version.
    this.#link.ready(isRestarted ? commandOf(program, argument) : undefined);
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
      command: commandOf(program, { ...this.#keeper.argument, handedOver }),
      descriptors: [bell, messages, ...descriptorsIn(handedOver)],
    });
  }

  /** Executes a keeper in our place, which starts a daemon. Returns only why it could not. */
  becomeKeeper({ socket, lock: lockFile }: DaemonPaths): string {
    const held = this.#link.handOver;
    if (held === undefined) return 'the socket is being created again';
    // The lock was the keeper's, and is free. If somebody else has it by now, the keeper waits for it.
    const lock = takeLock(lockFile);
    const handedOver = { ...held, ...(lock !== undefined && { lock }) };
    const daemon = commandOf(this.program, this.#keeper.argument);
    return becomeProgram({
      command: commandOf(KEEPER_PROGRAM, { daemon, socket, lock: lockFile, handedOver }),
      descriptors: descriptorsIn(handedOver),
    });
  }
}

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
