/** The daemon's side of its connection to the keeper. */
import { setTimeout as delay } from 'node:timers/promises';
import { receiveDescriptors, sendDescriptors } from '../system/descriptor-passing.ts';
import { KEEPER_DESCRIPTORS } from './keeper.ts';
import {
  DAEMON_STORE,
  decodeKeeperMessage,
  encodeKeeperMessage,
  type KeeperMessageType,
  MESSAGE_BYTES,
  SOCKETS,
  type SocketPlace,
} from './keeper-messages.ts';

/** A session that the keeper has held for us. */
export interface ReceivedSession {
  session: number;
  store: number;
  master: number;
  slave?: number;
}

/** The keeper sends at once, but the machine may be busy. */
const RECEIVE_TIMEOUT_MS = 20_000;
const RETRY_MS = 1;

export class KeeperLink {
  /** The store of the daemon before this one, once all is received. */
  daemonStore: number | undefined;
  #lastSession = 0;

  /** What the keeper holds. Must be called once, first. */
  async receiveAll(): Promise<ReceivedSession[]> {
    const sessions: ReceivedSession[] = [];
    const deadline = performance.now() + RECEIVE_TIMEOUT_MS;
    for (;;) {
      const received = receiveDescriptors(KEEPER_DESCRIPTORS.messages, MESSAGE_BYTES);
      const message = received && decodeKeeperMessage(received.bytes);
      if (message?.type === 'allHeld') return sessions;
      if (message?.type === 'held') {
        const [store = -1, master = -1, slave] = received!.descriptors;
        const { session } = message;
        if (session === DAEMON_STORE) this.daemonStore = store;
        else sessions.push({ session, store, master, ...(slave !== undefined && { slave }) });
        this.#lastSession = Math.max(this.#lastSession, session);
      }
      if (performance.now() > deadline) throw new Error('the keeper does not say what it holds');
      if (received === undefined) await delay(RETRY_MS);
    }
  }

  /** Returns the number under which the keeper holds them from now on. */
  hold({ store, master, slave }: Omit<Required<ReceivedSession>, 'session'>): number {
    this.#lastSession++;
    this.#send('hold', this.#lastSession, [store, master, slave]);
    return this.#lastSession;
  }

  /** Instead of the one that was held before. */
  holdDaemonStore(store: number): void {
    if (this.daemonStore !== undefined) this.release(DAEMON_STORE);
    this.daemonStore = store;
    this.#send('hold', DAEMON_STORE, [store]);
  }

  dropSlave(session: number): void {
    this.#send('dropSlave', session);
  }

  release(session: number): void {
    this.#send('release', session);
  }

  /** Resolves to a new socket at the same path. Undefined if it cannot be created now. */
  async bind(place: SocketPlace): Promise<number | undefined> {
    this.#send('bind', SOCKETS.indexOf(place));
    const deadline = performance.now() + RECEIVE_TIMEOUT_MS;
    while (performance.now() < deadline) {
      const received = receiveDescriptors(KEEPER_DESCRIPTORS.messages, MESSAGE_BYTES);
      if (received !== undefined) return received.descriptors[0];
      await delay(RETRY_MS);
    }
    return undefined;
  }

  ready(): void {
    this.#send('ready', 0);
  }

  /** If the keeper is gone or stuck, nothing is kept; the daemon goes on without it. */
  #send(type: KeeperMessageType, session: number, descriptors: readonly number[] = []): void {
    const message = encodeKeeperMessage({ type, session });
    if (!sendDescriptors(KEEPER_DESCRIPTORS.messages, message, descriptors)) return;
    sendDescriptors(KEEPER_DESCRIPTORS.bell, Buffer.from('!'));
  }
}
