/** The daemon's side of its connection to the keeper. */
import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { receiveDescriptors, sendDescriptors } from '../system/descriptor-passing.ts';
import { closePipeEnd, duplicateDescriptor, isDescriptorHungUp } from '../system/descriptors.ts';
import { createSharedMemory } from '../system/shared-memory.ts';
import type { HandedOver } from './handed-over.ts';
import { programOf } from './held-sessions.ts';
import { KEEPER_DESCRIPTORS } from './keeper.ts';
import {
  decodeKeeperMessage,
  encodeKeeperMessage,
  type KeeperMessageType,
  MESSAGE_BYTES,
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
  readonly #handedOver: HandedOver | undefined;
  /** All that the keeper holds, by our own descriptors. */
  readonly #held = new Map<number, ReceivedSession>();
  /** Programs of the daemon before us in this process, until their sessions are gone on with. */
  readonly #leftPrograms: Set<number>;
  #listening: number;
  #lastSession = 0;
  #isBinding = false;

  /** `handedOver`: by the daemon that was in this process before. @default it comes from the keeper */
  constructor(handedOver?: HandedOver) {
    this.#handedOver = handedOver;
    this.#listening = handedOver?.listening ?? KEEPER_DESCRIPTORS.listening;
    const stores = handedOver?.sessions.map(([, store]) => store) ?? [];
    this.#leftPrograms = new Set(stores.map(programOf));
  }

  /** What the keeper holds. Must be called once, first. */
  async receiveAll(): Promise<ReceivedSession[]> {
    const received = this.#handedOver?.sessions.map(asReceived) ?? (await receiveSessions());
    for (const session of received) {
      this.#held.set(session.session, { ...session });
      this.#lastSession = Math.max(this.#lastSession, session.session);
    }
    return received;
  }

  /** Returns the number under which the keeper holds them from now on. */
  hold({ store, master, slave }: Omit<Required<ReceivedSession>, 'session'>): number {
    this.#lastSession++;
    const session = this.#lastSession;
    this.#held.set(session, { session, store, master, slave });
    this.#send('hold', session, [store, master, slave]);
    return session;
  }

  dropSlave(session: number): void {
    delete this.#held.get(session)?.slave;
    this.#send('dropSlave', session);
  }

  release(session: number): void {
    this.#held.delete(session);
    this.#send('release', session);
  }

  /** A copy of the socket at which clients connect: the original stays open whatever becomes of it. */
  listening(): number {
    return duplicateDescriptor(this.#listening);
  }

  /** Whether there is a new socket at the same path. If not, it cannot be created now. */
  async bind(): Promise<boolean> {
    this.#isBinding = true;
    try {
      this.#send('bind', 0);
      const deadline = performance.now() + RECEIVE_TIMEOUT_MS;
      while (performance.now() < deadline && !isDescriptorHungUp(KEEPER_DESCRIPTORS.messages)) {
        const received = receiveDescriptors(KEEPER_DESCRIPTORS.messages, MESSAGE_BYTES);
        if (received !== undefined) return this.#replaceSocket(received.descriptors[0]);
        await delay(RETRY_MS);
      }
      return false;
    } finally {
      this.#isBinding = false;
    }
  }

  /**
   * What another program in this process needs to go on. Undefined while an answer of the keeper is on
   * its way to us.
   */
  get handOver(): HandedOver | undefined {
    if (this.#isBinding) return undefined;
    const sessions = [...this.#held.values()].map(
      ({ session, store, master, slave = null }): HandedOver['sessions'][number] => [
        session,
        store,
        master,
        slave,
      ],
    );
    return { sessions, listening: this.#listening };
  }

  /** Whether it is the program of a session that nobody has gone on with yet. */
  isLeft(program: number): boolean {
    return this.#leftPrograms.has(program);
  }

  /** `command`: how to start the daemon again, if that is no longer what the keeper knows. */
  ready(command?: readonly string[]): void {
    this.#leftPrograms.clear();
    if (command === undefined) {
      this.#send('ready', 0);
      return;
    }
    const bytes = Buffer.from(JSON.stringify(command));
    const memory = createSharedMemory('repartee-command', bytes.length);
    writeSync(memory, bytes, 0, bytes.length, 0);
    this.#send('ready', 0, [memory]);
    closeSync(memory);
  }

  /** Calls back once, when the keeper has ended: the kernel then closes its end of the bell. */
  onKeeperGone(callback: () => void): void {
    const fd = duplicateDescriptor(KEEPER_DESCRIPTORS.bell);
    const bell = new Socket({ fd, readable: true, writable: false });
    bell.on('error', () => {});
    bell.once('close', callback);
    bell.resume();
    bell.unref();
  }

  #replaceSocket(listening: number | undefined): boolean {
    if (listening === undefined) return false;
    closePipeEnd(this.#listening);
    this.#listening = listening;
    return true;
  }

  /** If the keeper is gone or stuck, nothing is kept; the daemon goes on without it. */
  #send(type: KeeperMessageType, session: number, descriptors: readonly number[] = []): void {
    const message = encodeKeeperMessage({ type, session });
    if (!sendDescriptors(KEEPER_DESCRIPTORS.messages, message, descriptors)) return;
    sendDescriptors(KEEPER_DESCRIPTORS.bell, Buffer.from('!'));
  }
}

const receiveSessions = async (): Promise<ReceivedSession[]> => {
  const sessions: ReceivedSession[] = [];
  const deadline = performance.now() + RECEIVE_TIMEOUT_MS;
  for (;;) {
    // Asked first: what it sent before it ended is still to be received.
    const isGone = isDescriptorHungUp(KEEPER_DESCRIPTORS.messages);
    const received = receiveDescriptors(KEEPER_DESCRIPTORS.messages, MESSAGE_BYTES);
    const message = received && decodeKeeperMessage(received.bytes);
    if (message?.type === 'allHeld') return sessions;
    if (message?.type === 'held') {
      const [store = -1, master = -1, slave] = received!.descriptors;
      sessions.push(asReceived([message.session, store, master, slave ?? null]));
    }
    // It was killed meanwhile. What it did not send has ended with it.
    if (isGone && received === undefined) return sessions;
    if (performance.now() > deadline) throw new Error('the keeper does not say what it holds');
    if (received === undefined) await delay(RETRY_MS);
  }
};

const asReceived = ([
  session,
  store,
  master,
  slave,
]: HandedOver['sessions'][number]): ReceivedSession => ({
  session,
  store,
  master,
  ...(slave !== null && { slave }),
});
