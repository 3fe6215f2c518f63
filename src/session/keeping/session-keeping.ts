/** Keeps the sessions of this process, and takes over those that another one has left. */

import { programOf } from '../../keeper/held-sessions.ts';
import type { KeeperLink, ReceivedSession } from '../../keeper/keeper-link.ts';
import { SessionStore, type StoredRecord, type StoreOptions } from '../../keeper/session-store.ts';
import { closePipeEnd } from '../../system/descriptors.ts';
import { hangUpProgram } from '../../system/process/hang-up-program.ts';
import { adoptTerminal } from '../../system/terminal/adopt-terminal.ts';
import type { TerminalToKeep } from '../../system/terminal/terminal-keeping.ts';
import type { AdoptTerminal } from '../session-parts.ts';
import { KeptSession, readWritten, unkeptMessage, type WrittenSession } from './kept-session.ts';

/** A session of another process, ready to be gone on with. */
export interface LeftSession {
  written: WrittenSession;
  /** What happened after it was written down. */
  records: readonly StoredRecord[];
  adopt: AdoptTerminal;
  kept: KeptSession;
}

/** A daemon may be killed meanwhile by accident, but hardly three times in a row. */
const MAX_ATTEMPTS = 3;

export class SessionKeeping {
  readonly #link: KeeperLink;
  readonly #memory: StoreOptions;
  /** Called before a session is released, with what was noted with it. */
  onRelease: (attachments: ReadonlyMap<string, unknown>) => void = () => {};

  constructor(link: KeeperLink, memory: StoreOptions = {}) {
    this.#link = link;
    this.#memory = memory;
  }

  /**
   * Called with the terminal of a new session, before its program is started. Undefined if there is no
   * memory for it: then it ends with this process, as `onTrouble` is told.
   */
  keep(
    { readBytes, ...ends }: TerminalToKeep,
    onTrouble: (message: string) => void,
  ): KeptSession | undefined {
    try {
      const store = SessionStore.create({ ...this.#memory, readBytes });
      const number = this.#link.hold({ store: store.fd, ...ends });
      return this.#keptIn(store, number);
    } catch (error) {
      onTrouble(unkeptMessage(error as Error));
      return undefined;
    }
  }

  /** Throws if nothing can be made of it. */
  takeOver({ session, store: fd, ...ends }: ReceivedSession): LeftSession {
    const { store, contents } = SessionStore.open(fd);
    if (contents.problem !== undefined) throw new Error(contents.problem);
    if (store.attempts >= MAX_ATTEMPTS)
      throw new Error(`the daemon has died ${store.attempts} times while it went on with it`);
    store.attempts++;
    const { written, attachments } = readWritten(contents.base, contents.records);
    const kept = this.#keptIn(store, session);
    for (const [key, value] of attachments) kept.attachments.set(key, value);
    const adopt: AdoptTerminal = (onOutput) =>
      adoptTerminal({
        ...ends,
        pid: store.pid,
        ...written.terminal,
        ...(store.exit && { exit: store.exit }),
        keeping: kept,
        onOutput,
      });
    return { written, records: contents.records, adopt, kept };
  }

  #keptIn(store: SessionStore, number: number): KeptSession {
    const kept = new KeptSession(store, this.#link, number);
    kept.onRelease = (attachments) => this.onRelease(attachments);
    return kept;
  }

  /** Nothing can be made of it: its terminal ends, and its program is asked to. */
  giveUp({ session, store, main, second }: ReceivedSession): void {
    hangUpProgram(programOf(store));
    for (const fd of [store, main, second]) if (fd !== undefined) closePipeEnd(fd);
    this.#link.release(session);
  }
}
