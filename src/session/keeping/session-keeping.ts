/** Keeps the sessions of this process, and takes over those that another one has left. */

import { programOf } from '../../keeper/held-sessions.ts';
import type { KeeperLink, ReceivedSession } from '../../keeper/keeper-link.ts';
import { SessionStore, type StoreOptions } from '../../keeper/session-store.ts';
import { lettingGo, readStoreNumber, STORE_LAYOUT } from '../../keeper/store-layout.ts';
import { closePipeEnd } from '../../system/descriptors.ts';
import { hangUpProgram } from '../../system/process/hang-up-program.ts';
import type { TerminalToKeep } from '../../system/terminal/terminal-keeping.ts';
import { KeptSession, unkeptMessage } from './kept-session.ts';
import { LeftSession } from './left-session.ts';

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

  /** Undefined if another process has closed it. Throws if it cannot be known what it is. */
  takeOver(received: ReceivedSession): LeftSession | undefined {
    const isLettingGo = readStoreNumber(received.store, STORE_LAYOUT.lettingGo);
    if (isLettingGo === lettingGo.all) {
      this.#letGo(received);
      return undefined;
    }
    if (isLettingGo === lettingGo.second) this.#letSecondGo(received);
    const left = new LeftSession(received, this.#link);
    left.kept.onRelease = (attachments) => this.onRelease(attachments);
    return left;
  }

  #keptIn(store: SessionStore, number: number): KeptSession {
    const kept = new KeptSession(store, this.#link, number);
    kept.onRelease = (attachments) => this.onRelease(attachments);
    return kept;
  }

  /** Nothing can be made of it: its terminal ends, and its program is asked to. */
  giveUp(received: ReceivedSession): void {
    hangUpProgram(programOf(received.store));
    this.#letGo(received);
  }

  #letSecondGo(received: ReceivedSession): void {
    if (received.second === undefined) return;
    closePipeEnd(received.second);
    received.second = undefined;
    this.#link.dropSecond(received.session);
  }

  #letGo({ session, store, main, second }: ReceivedSession): void {
    for (const fd of [store, main, second]) if (fd !== undefined) closePipeEnd(fd);
    this.#link.release(session);
  }
}
