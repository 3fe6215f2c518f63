/**
 * Starts the daemon, starts it again when it dies, and holds what must not die with it: the listening
 * socket, and for each session its terminal or pipes and its memory. It understands nothing of what it holds.
 *
 * The programs of a daemon that has died become children of the keeper, which notes how they end.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import {
  openSocketPair,
  receiveDescriptors,
  sendDescriptors,
} from '../system/descriptor-passing.ts';
import { HeldSessions } from './held-sessions.ts';
import { decodeKeeperMessage, encodeKeeperMessage, MESSAGE_BYTES } from './keeper-messages.ts';
import { RestartPause } from './restart-pause.ts';

/** The descriptors that the daemon inherits. */
export const KEEPER_DESCRIPTORS = {
  /** Written to after a message was sent, since the keeper cannot wait for the messages themselves. */
  bell: 3,
  messages: 4,
  listening: 5,
} as const;

/** How soon a socket is tried again that was full: the daemon reads it as fast as it can. */
const RETRY_MS = 2;

export interface KeeperOptions {
  /** The daemon's program and its arguments, for this version of Node. */
  daemon: readonly string[];
  /** The socket at which clients connect. */
  listening: number;
  /** Creates it again. Throws if that is not possible now. */
  bind(): number;
  /** Called with what a person may want to know. */
  log(message: string): void;
}

export class Keeper {
  readonly held = new HeldSessions();
  readonly #options: KeeperOptions;
  readonly #pause = new RestartPause();
  #daemon: ChildProcess | undefined;
  #listening: number;
  /** When a daemon was last ready. */
  #readyMs: number | undefined;
  #isEnding = false;

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#listening = options.listening;
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
        `the daemon has died${code === null ? '' : ` with code ${code}`}; ` +
          `it is started again in ${pauseMs} ms, with ${this.held.size} sessions`,
      );
      await delay(pauseMs);
      if (this.#isEnding) return 0;
    }
  }

  /** Asks the daemon to end its sessions and itself. It is not started again. */
  end(): void {
    this.#isEnding = true;
    this.#daemon?.kill('SIGTERM');
  }

  /** Resolves to its exit code when it has ended, null if a signal has ended it. */
  async #runDaemon(): Promise<number | null> {
    const [ours, theirs] = openSocketPair();
    const child = spawn(process.execPath, this.#options.daemon, {
      cwd: '/',
      stdio: ['ignore', 'inherit', 'inherit', 'pipe', theirs, this.#listening],
    });
    closeSync(theirs);
    this.#daemon = child;
    const bell = child.stdio[KEEPER_DESCRIPTORS.bell]!;
    bell.on('error', () => {});
    bell.on('data', () => this.#receive(ours));
    const exited = new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(1));
      child.once('exit', (code) => resolve(code));
    });
    void this.#handOver(ours, exited);
    const code = await exited;
    // What it sent last may be the descriptors of a new session.
    this.#receive(ours);
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
      const descriptors = second === undefined ? [store, main] : [store, main, second];
      await send(encodeKeeperMessage({ type: 'held', session }), descriptors);
    }
    await send(encodeKeeperMessage({ type: 'allHeld', session: 0 }));
  }

  #bind(socket: number): void {
    const answer = encodeKeeperMessage({ type: 'bound', session: 0 });
    try {
      const listening = this.#options.bind();
      closeSync(this.#listening);
      this.#listening = listening;
      sendDescriptors(socket, answer, [listening]);
    } catch {
      // The folder of a login comes back at the next login. The daemon asks again.
      sendDescriptors(socket, answer);
    }
  }

  #receive(socket: number): void {
    for (;;) {
      const received = receiveDescriptors(socket, MESSAGE_BYTES);
      if (received === undefined) return;
      const { bytes, descriptors } = received;
      const message = decodeKeeperMessage(bytes);
      if (message?.type === 'hold') this.held.hold(message.session, descriptors);
      else for (const fd of descriptors) closeSync(fd);
      if (message?.type === 'dropSecond') this.held.dropSecond(message.session);
      if (message?.type === 'release') this.held.release(message.session);
      if (message?.type === 'ready') this.#readyMs = performance.now();
      if (message?.type === 'bind') this.#bind(socket);
    }
  }
}
