/**
 * What the daemon must know after it was killed and belongs to no session: answers whose session is gone,
 * that it was told to end, sessions that were lost. A map in shared memory, which the keeper holds.
 */
import { deserialize, serialize } from 'node:v8';
import type { SessionStore, StoreContents } from '../../../keeper/session-store.ts';

/** One entry as it was changed: its key, and its value or nothing. */
const ENTRY_RECORD = 2;

export class DaemonMemory {
  readonly #store: SessionStore;
  readonly #entries: Map<string, unknown>;
  readonly #onTrouble: (message: string) => void;
  /** A full disk, where the memory is a file. The daemon goes on, and what it notes ends with it. */
  #isBroken = false;

  /** `contents`: what another process has left there. Throws if nothing can be made of that. */
  constructor(store: SessionStore, onTrouble: (message: string) => void, contents?: StoreContents) {
    this.#store = store;
    this.#onTrouble = onTrouble;
    this.#entries = contents === undefined ? new Map() : readEntries(contents);
    store.onFull = () => this.#rebase();
    this.#rebase();
  }

  get(key: string): unknown {
    return this.#entries.get(key);
  }

  keys(): Iterable<string> {
    return this.#entries.keys();
  }

  get entries(): ReadonlyMap<string, unknown> {
    return this.#entries;
  }

  /** Safe when it returns. Undefined removes it. */
  set(key: string, value: unknown): void {
    if (value === undefined && !this.#entries.has(key)) return;
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, value);
    if (this.#isBroken) return;
    const entry = value === undefined ? [key] : [key, value];
    if (!this.#store.append(ENTRY_RECORD, serialize(entry))) this.#rebase();
  }

  #rebase(): void {
    if (this.#isBroken) return;
    try {
      this.#store.rebase(serialize(this.#entries));
    } catch (error) {
      this.#isBroken = true;
      this.#onTrouble(`the daemon's memory cannot be written: ${(error as Error).message}`);
    }
  }
}

const readEntries = (contents: StoreContents): Map<string, unknown> => {
  const entries: Map<string, unknown> = deserialize(contents.body);
  for (const { type, bytes } of contents.records) {
    if (type !== ENTRY_RECORD) continue;
    const [key, ...value]: [string, unknown?] = deserialize(bytes);
    if (value.length === 0) entries.delete(key);
    else entries.set(key, value[0]);
  }
  return entries;
};
