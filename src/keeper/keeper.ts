/**
 * Starts the daemon, starts it again when it dies, and holds what must not die with it: the listening
 * socket, and for each session its terminal or pipes and its memory. It understands nothing of what it holds.
 *
 * The programs of a daemon that has died become children of the keeper, which notes how they end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  openSocketPair,
  receiveDescriptors,
  sendDescriptors,
} from '../system/descriptor-passing.ts';
import { closePipeEnd } from '../system/descriptors.ts';
import { leaveStartUpPages } from '../system/start-up-pages.ts';
import type { HandedOver } from './handed-over.ts';
import { HeldSessions } from './held-sessions.ts';
import {
  decodeKeeperMessage,
  encodeKeeperMessage,
  MESSAGE_BYTES,
  SOCKETS,
  type SocketPlace,
} from './keeper-messages.ts';
import { RestartPause } from './restart-pause.ts';

/** The descriptors that the daemon inherits. */
export const KEEPER_DESCRIPTORS = {
  /** Written to after a message was sent, since the keeper cannot wait for the messages themselves. */
  bell: 3,
  messages: 4,
  listening: 5,
  /** No socket, if it could not be created. */
  listeningInState: 6,
  /** Only of a daemon that is told so by its last argument: see stand-in.ts. */
  standIn: 7,
} as const;

/** The daemon's last argument, if it has to tell a stand-in to leave. */
export const STAND_IN = 'stand-in';

/** How soon a socket is tried again that was full: the daemon reads it as fast as it can. */
const RETRY_MS = 2;

export interface KeeperOptions {
  /** The daemon's program and its arguments, for this version of Node. */
  daemon: readonly string[];
  /** The sockets at which clients connect. The first one must be there. */
  listening: { runtime: number; state?: number | undefined };
  /** Creates one of them again. Throws if that is not possible now. */
  bind(place: SocketPlace): number;
  /** Of the daemon. */
  env: Readonly<Record<string, string | undefined>>;
  /** By a daemon whose keeper was killed, and in whose process we are now. @default nothing */
  sessions?: HandedOver['sessions'];
  /** Holds the same until a daemon has it all. That daemon tells it to leave. @default there is none */
  standIn?: number | undefined;
  /** Called with what a person may want to know. */
  log(message: string): void;
}

export class Keeper {
  readonly held = new HeldSessions();
  readonly #options: KeeperOptions;
  readonly #pause = new RestartPause();
  #command: readonly string[];
  #daemon: ChildProcess | undefined;
  /** Our end of the socket on which it speaks. */
  #messages: number | undefined;
  readonly #listening: KeeperOptions['listening'];
  /** When a daemon was last ready. */
  #readyMs: number | undefined;
  #isEnding = false;
  /** Ours, until a daemon is ready: if we die before, and the daemon too, the stand-in goes on. */
  #standIn: number | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#command = options.daemon;
    this.#listening = { ...options.listening };
    this.#standIn = options.standIn;
    for (const [session, ...descriptors] of options.sessions ?? [])
      this.held.hold(
        session,
        descriptors.filter((fd) => fd !== null),
      );
  }

  /** Resolves to an exit code when the daemon has ended as it was asked to, or has never come to life. */
  async run(): Promise<number> {
    for (;;) {
      const code = await this.#runDaemon();
      if (code === 0 || this.#isEnding) return 0;
      if (this.#readyMs === undefined && this.held.size === 0) return code ?? 1;
      const endedMs = performance.now();
      const pauseMs = this.#pause.next(endedMs - (this.#readyMs ?? endedMs));
      if (this.#readyMs !== undefined) this.#readyMs = endedMs;
      this.#options.log(
        `${code === null ? '' : `the daemon has ended with code ${code}; `}` +
          `it is started again in ${pauseMs} ms, with ${this.held.size} sessions`,
      );
      await delay(pauseMs);
      if (this.#isEnding) return 0;
    }
  }

  /** A program of a daemon that has died has ended, or is about to be reaped. */
  noteExit(pid: number): void {
    // Its session may be the last thing that the daemon has told us.
    if (this.#messages !== undefined) this.#receive(this.#messages);
    this.held.noteExit(pid);
  }

  /** Asks the daemon to end its sessions and itself. It is not started again. */
  end(): void {
    this.#isEnding = true;
    this.#daemon?.kill('SIGTERM');
  }

  /** Resolves to its exit code when it has ended, null if a signal has ended it. */
  async #runDaemon(): Promise<number | null> {
    const [ours, theirs] = openSocketPair();
    const { runtime, state = 'ignore' } = this.#listening;
    const standIn = this.#standIn === undefined ? [] : [this.#standIn];
    const child = spawn(process.execPath, [...this.#command, ...standIn.map(() => STAND_IN)], {
      cwd: '/',
      env: this.#options.env,
      stdio: ['ignore', 'inherit', 'inherit', 'pipe', theirs, runtime, state, ...standIn],
    });
    closeSync(theirs);
    this.#daemon = child;
    this.#messages = ours;
    const bell = child.stdio[KEEPER_DESCRIPTORS.bell]!;
    bell.on('error', () => {});
    bell.on('data', () => this.#receive(ours));
    const exited = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(1));
      child.once('exit', (code, signal) => {
        if (signal !== null) this.#options.log(`the daemon was ended by ${signal}`);
        resolve(code);
      });
    });
    void this.#handOver(ours, exited);
    const code = await exited;
    // What it sent last may be the descriptors of a new session.
    this.#receive(ours);
    this.#messages = undefined;
    closeSync(ours);
    bell.destroy();
    return code;
  }

  async #handOver(socket: number, exited: Promise<unknown>): Promise<void> {
    let hasExited = false;
    void exited.then(() => {
      hasExited = true;
    });
    const send = async (message: Buffer, descriptors: readonly number[] = []) => {
      while (!hasExited && !sendDescriptors(socket, message, descriptors)) await delay(RETRY_MS);
    };
    for (const [session, { store, main, second }] of [...this.held.all]) {
      const descriptors = [store, main, second].filter((fd) => fd !== undefined);
      await send(encodeKeeperMessage({ type: 'held', session }), descriptors);
    }
    await send(encodeKeeperMessage({ type: 'allHeld', session: 0 }));
  }

  #bind(socket: number, which: number): void {
    const answer = encodeKeeperMessage({ type: 'bound', session: which });
    const place = SOCKETS[which];
    if (place === undefined) return;
    try {
      const listening = this.#options.bind(place);
      const before = this.#listening[place];
      if (before !== undefined) closeSync(before);
      this.#listening[place] = listening;
      sendDescriptors(socket, answer, [listening]);
    } catch {
      // The folder of a login comes back at the next login. The daemon asks again.
      sendDescriptors(socket, answer);
    }
  }

  /** `command`: a file that says how to start the daemon from now on. */
  #onReady(command: number | undefined): void {
    this.#readyMs = performance.now();
    if (command !== undefined) this.#command = JSON.parse(readFileSync(command, 'utf8'));
    if (this.#standIn !== undefined) closePipeEnd(this.#standIn);
    this.#standIn = undefined;
    leaveStartUpPages();
  }

  #receive(socket: number): void {
    for (;;) {
      const received = receiveDescriptors(socket, MESSAGE_BYTES);
      if (received === undefined) return;
      const { bytes, descriptors } = received;
      const message = decodeKeeperMessage(bytes);
      if (message?.type === 'hold') {
        this.held.hold(message.session, descriptors);
        continue;
      }
      if (message?.type === 'ready') this.#onReady(descriptors[0]);
      for (const fd of descriptors) closeSync(fd);
      if (message?.type === 'dropSecond') this.held.dropSecond(message.session);
      if (message?.type === 'release') this.held.release(message.session);
      if (message?.type === 'bind') this.#bind(socket, message.session);
    }
  }
}
