/** Keeps the sessions of this process, and takes over those that another one has left. */
import type { KeeperLink, ReceivedSession } from '../../keeper/keeper-link.ts';
import { SessionStore } from '../../keeper/session-store.ts';
import { closePipeEnd } from '../../system/descriptors.ts';
import type { PtyDevice } from '../../system/terminal/pty-device.ts';
import { KeptSession } from './kept-session.ts';
import { LeftSession } from './left-session.ts';

export class SessionKeeping {
  readonly #link: KeeperLink;

  constructor(link: KeeperLink) {
    this.#link = link;
  }

  /** Called with the terminal of a new session, before its program is started. */
  keep({ master, slave }: PtyDevice): KeptSession {
    const store = SessionStore.create();
    const number = this.#link.hold({ store: store.fd, master, slave });
    return new KeptSession(store, this.#link, number);
  }

  /** Throws if it cannot be known what it is. */
  takeOver(received: ReceivedSession): LeftSession {
    return new LeftSession(received, this.#link);
  }

  /** Nothing can be made of it: its terminal ends. */
  giveUp({ session, store, master, slave }: ReceivedSession): void {
    for (const fd of [store, master, slave]) if (fd !== undefined) closePipeEnd(fd);
    this.#link.release(session);
  }
}
