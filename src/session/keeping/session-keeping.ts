/** Keeps the sessions of this process, and takes over those that another one has left. */
import type { KeeperLink, ReceivedSession } from '../../keeper/keeper-link.ts';
import { SessionStore, type StoredRecord } from '../../keeper/session-store.ts';
import { closePipeEnd } from '../../system/descriptors.ts';
import { adoptPty } from '../../system/terminal/pty.ts';
import type { PtyDevice } from '../../system/terminal/pty-device.ts';
import type { AdoptTerminal } from '../session-parts.ts';
import { KeptSession, readWritten, type WrittenSession } from './kept-session.ts';

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

  constructor(link: KeeperLink) {
    this.#link = link;
  }

  /** Called with the terminal of a new session, before its program is started. */
  keep({ master, slave }: PtyDevice): KeptSession {
    const store = SessionStore.create();
    const number = this.#link.hold({ store: store.fd, master, slave });
    return new KeptSession(store, this.#link, number);
  }

  /** Throws if nothing can be made of it. */
  takeOver({ session, store: fd, master, slave }: ReceivedSession): LeftSession {
    const { store, contents } = SessionStore.open(fd);
    if (contents.problem !== undefined) throw new Error(contents.problem);
    if (store.deaths >= MAX_ATTEMPTS)
      throw new Error(`the daemon has died ${store.deaths} times while it went on with it`);
    store.deaths++;
    const { written, attachments } = readWritten(contents.base, contents.records);
    const kept = new KeptSession(store, this.#link, session);
    for (const [key, value] of attachments) kept.attachments.set(key, value);
    const adopt: AdoptTerminal = (onOutput) =>
      adoptPty({
        master,
        ...(slave !== undefined && { slave }),
        pid: store.pid,
        ...written.terminal,
        ...(store.exit && { exit: store.exit }),
        keeping: kept,
        onOutput,
      });
    return { written, records: contents.records, adopt, kept };
  }

  /** Nothing can be made of it: its terminal ends. */
  giveUp({ session, store, master, slave }: ReceivedSession): void {
    for (const fd of [store, master, slave]) if (fd !== undefined) closePipeEnd(fd);
    this.#link.release(session);
  }
}
