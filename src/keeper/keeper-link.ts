/** The daemon's side of its connection to the keeper. */
import { closeSync, fstatSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { receiveDescriptors, sendDescriptors } from '../system/descriptor-passing.ts';
import { closePipeEnd, duplicateDescriptor, isDescriptorHungUp } from '../system/descriptors.ts';
import { createSharedMemory } from '../system/shared-memory.ts';
import type { TerminalEnds } from '../system/terminal/terminal-keeping.ts';
import type { HandedOver } from './handed-over.ts';
import { programOf } from './held-sessions.ts';
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
import { dismissStandIn } from './stand-in.ts';

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
/** Longer than a program needs to start. */
const RING_MS = 50;
/** A socket takes about two hundred. */
const MAX_UNHEARD = 16;

export class KeeperLink {
  readonly #handedOver: HandedOver | undefined;
  /** All that the keeper holds, by our own descriptors. */
  readonly #held = new Map<number, ReceivedSession>();
  /** Programs of the daemon before us in this process, until their sessions are gone on with. */
  readonly #leftPrograms: Set<number>;
  /** The sockets at which clients connect. */
  readonly #listening: { [P in SocketPlace]?: number };
  /** The store of the daemon before this one, once all is received. */
  daemonStore: number | undefined;
  /** Called when something else is to be held than before. */
  onChange = () => {};
  #lastSession = 0;
  #isBinding = false;
  /** Messages that wait for the bell. */
  #unheard = 0;

  readonly #hasStandIn: boolean;

  /**
   * `handedOver`: by the daemon that was in this process before. @default it comes from the keeper
   * `hasStandIn`: somebody else holds the same until we have it all.
   */
  constructor(handedOver?: HandedOver, { hasStandIn = false } = {}) {
    this.#handedOver = handedOver;
    this.#hasStandIn = hasStandIn;
    this.#listening = { ...(handedOver?.listening ?? inheritedSockets()) };
    const sessions = handedOver?.sessions.filter(([session]) => session !== DAEMON_STORE) ?? [];
    this.#leftPrograms = new Set(sessions.map(([, store]) => programOf(store)));
  }

  /** What the keeper holds. Must be called once, first. */
  async receiveAll(): Promise<ReceivedSession[]> {
    const received = this.#handedOver?.sessions ?? (await receiveSessions(this.#hasStandIn));
    if (this.#hasStandIn) dismissStandIn(KEEPER_DESCRIPTORS.standIn);
    const sessions: ReceivedSession[] = [];
    for (const [session, store, main, second] of received) {
      if (session === DAEMON_STORE) this.daemonStore = store;
      // Without a terminal there is nothing to go on with, and whoever takes it over finds that out.
      else sessions.push({ session, store, main: main ?? -1, second: second ?? undefined });
      this.#lastSession = Math.max(this.#lastSession, session);
    }
    for (const session of sessions) this.#held.set(session.session, { ...session });
    return sessions;
  }

  /** Returns the number under which the keeper holds them from now on. */
  hold({ store, main, second }: Omit<ReceivedSession, 'session'>): number {
    this.#lastSession++;
    const session = this.#lastSession;
    this.#held.set(session, { session, store, main, second });
    this.#sendHeld(session, performance.now() + SEND_TIMEOUT_MS);
    this.onChange();
    return session;
  }

  /** Later, if the socket is full: the keeper may be stopped. Until then the session ends with us. */
  #sendHeld(session: number, untilMs: number): void {
    const held = this.#held.get(session);
    if (held === undefined || performance.now() > untilMs) return;
    const { store, main, second } = held;
    const descriptors = [store, main, second].filter((fd) => fd !== undefined);
    if (this.#sendQuietly('hold', session, descriptors)) this.#ringSoon();
    else setTimeout(() => this.#sendHeld(session, untilMs), SEND_RETRY_MS).unref();
  }

  /** Instead of the one that was held before. */
  holdDaemonStore(store: number): void {
    if (this.daemonStore !== undefined) this.release(DAEMON_STORE);
    this.daemonStore = store;
    this.#send('hold', DAEMON_STORE, [store]);
  }

  dropSecond(session: number): void {
    const held = this.#held.get(session);
    if (held !== undefined) held.second = undefined;
    this.#sendSurely('dropSecond', session);
    this.onChange();
  }

  release(session: number): void {
    this.#held.delete(session);
    this.#sendSurely('release', session);
    this.onChange();
  }

  hasSocket(place: SocketPlace): boolean {
    return this.#listening[place] !== undefined;
  }

  /** A copy of a socket at which clients connect: the original stays open whatever becomes of it. */
  listening(place: SocketPlace): number | undefined {
    const socket = this.#listening[place];
    return socket === undefined ? undefined : duplicateDescriptor(socket);
  }

  /** Whether there is a new socket at the same path. If not, it cannot be created now. */
  async bind(place: SocketPlace): Promise<boolean> {
    this.#isBinding = true;
    try {
      this.#send('bind', SOCKETS.indexOf(place));
      const deadline = performance.now() + RECEIVE_TIMEOUT_MS;
      while (performance.now() < deadline && !isDescriptorHungUp(KEEPER_DESCRIPTORS.messages)) {
        const received = receiveDescriptors(KEEPER_DESCRIPTORS.messages, MESSAGE_BYTES);
        if (received !== undefined) return this.#replaceSocket(place, received.descriptors[0]);
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
    const { runtime, state } = this.#listening;
    if (this.#isBinding || runtime === undefined) return undefined;
    const sessions = [...this.#held.values()].map(
      ({ session, store, main, second = null }): HandedOver['sessions'][number] => [
        session,
        store,
        main,
        second,
      ],
    );
    if (this.daemonStore !== undefined) sessions.push([DAEMON_STORE, this.daemonStore, null, null]);
    return { sessions, listening: { runtime, ...(state !== undefined && { state }) } };
  }

  /** Whether it is the program of a session that nobody has gone on with yet. */
  isLeft(program: number): boolean {
    return this.#leftPrograms.has(program);
  }

  /** All sessions are gone on with that can be. */
  forgetLeftPrograms(): void {
    this.#leftPrograms.clear();
  }

  /** `command`: how to start the daemon again, if that is no longer what the keeper knows. */
  ready(command?: readonly string[]): void {
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

  #replaceSocket(place: SocketPlace, listening: number | undefined): boolean {
    if (listening === undefined) return false;
    const before = this.#listening[place];
    if (before !== undefined) closePipeEnd(before);
    this.#listening[place] = listening;
    return true;
  }

  /** If the keeper is gone or stuck, nothing is kept; the daemon goes on without it. */
  #send(type: KeeperMessageType, session: number, descriptors: readonly number[] = []): boolean {
    if (!this.#sendQuietly(type, session, descriptors)) return false;
    this.#ring();
    return true;
  }

  /** The keeper finds it when the bell rings next, or when we have died. */
  #sendQuietly(type: KeeperMessageType, session: number, descriptors: readonly number[]): boolean {
    const message = encodeKeeperMessage({ type, session });
    return sendDescriptors(KEEPER_DESCRIPTORS.messages, message, descriptors);
  }

  #ring(): void {
    this.#unheard = 0;
    sendDescriptors(KEEPER_DESCRIPTORS.bell, Buffer.from('!'));
  }

  /** What is sent is safe. To wake the keeper at once would delay the program that is being started. */
  #ringSoon(): void {
    this.#unheard++;
    if (this.#unheard >= MAX_UNHEARD) this.#ring();
    else if (this.#unheard === 1) setTimeout(() => this.#unheard > 0 && this.#ring(), RING_MS);
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

const inheritedSockets = (): { [P in SocketPlace]?: number } => {
  const { listening: runtime, listeningInState: state } = KEEPER_DESCRIPTORS;
  // Otherwise something else has its number.
  return { runtime, ...(fstatSync(state).isSocket() && { state }) };
};

const receiveSessions = async (hasStandIn: boolean): Promise<HandedOver['sessions']> => {
  const sessions: HandedOver['sessions'] = [];
  const deadline = performance.now() + RECEIVE_TIMEOUT_MS;
  for (;;) {
    // Asked first: what it sent before it ended is still to be received.
    const isGone = isDescriptorHungUp(KEEPER_DESCRIPTORS.messages);
    const received = receiveDescriptors(KEEPER_DESCRIPTORS.messages, MESSAGE_BYTES);
    const message = received && decodeKeeperMessage(received.bytes);
    if (message?.type === 'allHeld') return sessions;
    if (message?.type === 'held') {
      const [store = -1, main = null, second = null] = received!.descriptors;
      sessions.push([message.session, store, main, second]);
    }
    // It was killed meanwhile. What it did not send has ended with it, or a stand-in has all of it.
    if (isGone && received === undefined) {
      if (hasStandIn) throw new Error('the keeper was killed, and its stand-in goes on');
      return sessions;
    }
    if (performance.now() > deadline) throw new Error('the keeper does not say what it holds');
    if (received === undefined) await delay(RETRY_MS);
  }
};
