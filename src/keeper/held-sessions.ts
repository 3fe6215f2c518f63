/**
 * What the keeper holds for each session, and for the daemon itself. It reads and writes three numbers in a
 * session's memory: which program it is, and how that has ended.
 */
import { closeSync, readSync, writeSync } from 'node:fs';
import { peekExit } from '../system/process/peek-exit.ts';
import { DAEMON_STORE } from './keeper-messages.ts';
import { encodeExit, STORE_LAYOUT } from './store-layout.ts';

export interface HeldSession {
  store: number;
  /** Absent for the daemon's own store. */
  master?: number;
  /** Absent once the program has ended. */
  slave?: number;
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
    const [store, master, slave] = descriptors;
    const isComplete = master !== undefined || session === DAEMON_STORE;
    if (store === undefined || !isComplete || this.#sessions.has(session))
      for (const fd of descriptors) closeSync(fd);
    else
      this.#sessions.set(session, {
        store,
        ...(master !== undefined && { master }),
        ...(slave !== undefined && { slave }),
      });
  }

  dropSlave(session: number): void {
    const held = this.#sessions.get(session);
    if (held?.slave === undefined) return;
    closeSync(held.slave);
    delete held.slave;
  }

  release(session: number): void {
    const held = this.#sessions.get(session);
    if (held === undefined) return;
    this.dropSlave(session);
    if (held.master !== undefined) closeSync(held.master);
    closeSync(held.store);
    this.#sessions.delete(session);
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
export const programOf = (store: number): number => readNumber(store, STORE_LAYOUT.pid);

const readNumber = (store: number, offset: number): number => {
  const bytes = Buffer.alloc(4);
  readSync(store, bytes, 0, 4, offset);
  return bytes.readInt32LE();
};

const writeNumber = (store: number, offset: number, value: number): void => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  writeSync(store, bytes, 0, 4, offset);
};
