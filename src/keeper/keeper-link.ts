/** The daemon's side of its connection to the keeper. */
import { setTimeout as delay } from 'node:timers/promises';
import { receiveDescriptors, sendDescriptors } from '../system/descriptor-passing.ts';
import type { TerminalEnds } from '../system/terminal/terminal-keeping.ts';
import { KEEPER_DESCRIPTORS } from './keeper.ts';
import {
  decodeKeeperMessage,
  encodeKeeperMessage,
  type KeeperMessageType,
  MESSAGE_BYTES,
} from './keeper-messages.ts';

/** A session that the keeper has held for us. */
export interface ReceivedSession extends TerminalEnds {
  session: number;
  store: number;
}

/** The keeper sends at once, but the machine may be busy. */
const RECEIVE_TIMEOUT_MS = 20_000;
const RETRY_MS = 1;
/** A keeper that does not make room for so long is gone or stuck. */
const SEND_TIMEOUT_MS = 20_000;
const SEND_RETRY_MS = 20;

export class KeeperLink {
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
        const [store = -1, main = -1, second] = received!.descriptors;
        const { session } = message;
        sessions.push({ session, store, main, second });
        this.#lastSession = Math.max(this.#lastSession, session);
      }
      if (performance.now() > deadline) throw new Error('the keeper does not say what it holds');
      if (received === undefined) await delay(RETRY_MS);
    }
  }

  /** Returns the number under which the keeper holds them from now on. */
  hold({ store, main, second }: Omit<ReceivedSession, 'session'>): number {
    this.#lastSession++;
    const ends = second === undefined ? [main] : [main, second];
    this.#send('hold', this.#lastSession, [store, ...ends]);
    return this.#lastSession;
  }

  dropSecond(session: number): void {
    this.#sendSurely('dropSecond', session);
  }

  release(session: number): void {
    this.#sendSurely('release', session);
  }

  /** Resolves to a new socket at the same path. Undefined if it cannot be created now. */
  async bind(): Promise<number | undefined> {
    this.#send('bind', 0);
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
  #send(type: KeeperMessageType, session: number, descriptors: readonly number[] = []): boolean {
    const message = encodeKeeperMessage({ type, session });
    if (!sendDescriptors(KEEPER_DESCRIPTORS.messages, message, descriptors)) return false;
    sendDescriptors(KEEPER_DESCRIPTORS.bell, Buffer.from('!'));
    return true;
  }

  /** Sends it later if there is no room now: what is not let go keeps a terminal or an input open. */
  #sendSurely(
    type: KeeperMessageType,
    session: number,
    untilMs = performance.now() + SEND_TIMEOUT_MS,
  ): void {
    if (this.#send(type, session) || performance.now() > untilMs) return;
    setTimeout(() => this.#sendSurely(type, session, untilMs), SEND_RETRY_MS).unref();
  }
}
