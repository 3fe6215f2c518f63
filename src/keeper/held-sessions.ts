/**
 * What the keeper holds for each session, and for the daemon itself. It reads and writes three numbers in a
 * session's memory: which program it is, and how that has ended.
 */
import { closeSync, writeSync } from 'node:fs';
import { hangUpProgram } from '../system/process/hang-up-program.ts';
import { peekExit } from '../system/process/peek-exit.ts';
import { DAEMON_STORE } from './keeper-messages.ts';
import { encodeExit, readStoreNumber, STORE_LAYOUT } from './store-layout.ts';

export interface HeldSession {
  store: number;
  /** Held until the session is closed. Absent for the daemon's own store. */
  main?: number;
  /** Absent once it was let go, or if the session has none. */
  second?: number;
}

export class HeldSessions {
  readonly #sessions = new Map<number, HeldSession>();

  /** How many sessions. */
  get size(): number {
    return this.#sessions.size - Number(this.#sessions.has(DAEMON_STORE));
  }

  get all(): IterableIterator<[session: number, held: HeldSession]> {
    return this.#sessions.entries();
  }

  /** Takes the descriptors over. Those that make no session are closed. */
  hold(session: number, descriptors: readonly number[]): void {
    const [store, main, second] = descriptors;
    const isComplete = main !== undefined || session === DAEMON_STORE;
    if (store === undefined || !isComplete || this.#sessions.has(session))
      for (const fd of descriptors) closeSync(fd);
    else
      this.#sessions.set(session, {
        store,
        ...(main !== undefined && { main }),
        ...(second !== undefined && { second }),
      });
  }

  dropSecond(session: number): void {
    const held = this.#sessions.get(session);
    if (held?.second === undefined) return;
    closeSync(held.second);
    delete held.second;
  }

  release(session: number): void {
    const held = this.#sessions.get(session);
    if (held === undefined) return;
    this.dropSecond(session);
    if (held.main !== undefined) closeSync(held.main);
    closeSync(held.store);
    this.#sessions.delete(session);
  }

  /** Nobody will go on with what is still held. */
  hangUpAll(): void {
    for (const { store } of this.#sessions.values()) hangUpProgram(programOf(store));
  }

  /** Notes how a child of ours has ended, if it is the program of a session. Must precede its reaping. */
  noteExit(pid: number): void {
    for (const { store } of this.#sessions.values()) {
      if (programOf(store) !== pid) continue;
      const exit = peekExit(pid);
      if (exit !== undefined) writeNumber(store, STORE_LAYOUT.exit, encodeExit(exit));
    }
  }
}

/** The program of the session with this memory. 0 before it is started. */
export const programOf = (store: number): number => readStoreNumber(store, STORE_LAYOUT.pid);

const writeNumber = (store: number, offset: number, value: number): void => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  writeSync(store, bytes, 0, 4, offset);
};
