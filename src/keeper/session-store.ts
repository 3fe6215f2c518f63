/**
 * What is left of a session when its daemon is killed: the session as it was last written down (the
 * base), and everything that has happened since (the log).
 *
 * There are two of both, and one store of four bytes says which count: whenever this process is killed,
 * the store is as it was before a change or after it, never between.
 */
import { closeSync, fstatSync } from 'node:fs';
import type { Exit, ExitNote } from '../system/process/reaper.ts';
import {
  createSharedMemory,
  giveBack,
  leaveSharedMemory,
  mapSharedMemory,
  type SharedMemoryOptions,
} from '../system/shared-memory.ts';
import type { ReadMemory, ReadWay } from '../system/terminal/read-memory.ts';
import { LogMemory } from './log-memory.ts';
import { SessionLog } from './session-log.ts';
import {
  decodeExit,
  encodeExit,
  LOG_BYTES,
  lettingGo,
  READ_BYTES,
  STORE_LAYOUT,
  STORE_MAGIC,
  STORE_VERSION,
} from './store-layout.ts';
import type { RecordType, StoredRecord } from './store-records.ts';
import { StoreWords } from './store-words.ts';
import { type Area, baseStart, readBasePart, writeBase } from './stored-base.ts';
import { StoredPages } from './stored-pages.ts';

export { OUTPUT_RECORD, type RecordType, type StoredRecord } from './store-records.ts';

/** What a store holds. */
export interface StoreContents {
  /** Of the base, without its label. */
  body: Buffer;
  records: StoredRecord[];
  /** So many bytes of output after the records are in no record. */
  missing: number;
}

/** What of a store can be read fast. */
export interface StoreLabel {
  label: Buffer;
  /** Without the output. */
  records: StoredRecord[];
}

export interface StoreOptions extends Omit<SharedMemoryOptions, 'fallback'> {
  folder?: string;
  /** How much is read at once. @default what a terminal gives at most */
  readBytes?: number | undefined;
}

export interface RebaseOptions {
  /** Can be read without the rest. @default empty */
  label?: Uint8Array;
  /** Output that was noted, and is not in the base. */
  undelivered?: Uint8Array | undefined;
}

/**
 * What a session had needed is given back if it is more than this, and if it has not been written down for
 * so long: a program that floods its terminal needs it again at once, and to get a page of memory from the
 * system takes longer than to fill it.
 */
const SMALL_BYTES = 64 * 1024;
const UNUSED_MS = 2000;
const NO_LABEL = new Uint8Array();

export class SessionStore implements ReadMemory, ExitNote {
  readonly fd: number;
  /** What the base names and does not hold itself. */
  readonly pages: StoredPages;
  readonly #memory: Buffer;
  readonly #words: StoreWords;
  readonly #log: SessionLog;
  readonly #logs: readonly LogMemory[];
  #baseBytes = 0;
  #unused: NodeJS.Timeout | undefined;

  /** `folder`: for a file instead of memory, where the kernel refuses that. */
  static create({ folder, readBytes = READ_BYTES, ...options }: StoreOptions = {}): SessionStore {
    const fallback = folder === undefined ? undefined : { folder, mapped: STORE_LAYOUT.mapped };
    const memory = { ...options, fallback };
    const store = SessionStore.#in(
      createSharedMemory('repartee-session', STORE_LAYOUT.mapped, memory),
    );
    STORE_MAGIC.copy(store.#memory, STORE_LAYOUT.magic);
    store.#log.create(readBytes);
    store.#words.set(STORE_LAYOUT.version, STORE_VERSION);
    return store;
  }

  /** Takes over the store of another process, with all that it had read. Throws if it cannot be used. */
  static open(fd: number): SessionStore {
    // To look at what is mapped beyond the end of a file would end this process.
    if (fstatSync(fd).size < STORE_LAYOUT.mapped) throw new Error('its memory is cut short');
    const store = new SessionStore(fd);
    store.#assertUsable();
    store.#log.open();
    store.#giveBackLater();
    return store;
  }

  static #in(fd: number): SessionStore {
    try {
      return new SessionStore(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  private constructor(fd: number) {
    this.fd = fd;
    this.#memory = mapSharedMemory(fd, STORE_LAYOUT.log);
    this.#words = new StoreWords(this.#memory);
    this.#logs = [0, 1].map((area) => new LogMemory(fd, STORE_LAYOUT.log + area * LOG_BYTES));
    this.#log = new SessionLog(this.#memory, this.#words, this.#logs);
    this.pages = new StoredPages(fd);
  }

  /** Called when the log is nearly full: the session is to be written down (`rebase`), if it is at rest. */
  set onFull(callback: () => void) {
    this.#log.onFull = callback;
  }

  set pid(pid: number) {
    this.#words.set(STORE_LAYOUT.pid, pid);
  }

  get pid(): number {
    return this.#words.get(STORE_LAYOUT.pid);
  }

  /** How the program ended, noted by this process or by the keeper. */
  get exit(): Exit | undefined {
    return decodeExit(this.#words.get(STORE_LAYOUT.exit));
  }

  set exit(exit: Exit | undefined) {
    if (exit === undefined) return;
    this.#words.set(STORE_LAYOUT.exit, encodeExit(exit));
  }

  /** How many processes in a row have died while they worked on the session. */
  get deaths(): number {
    return this.#words.get(STORE_LAYOUT.deaths);
  }

  set deaths(deaths: number) {
    this.#words.set(STORE_LAYOUT.deaths, deaths);
  }

  /** What is done with the session now. */
  get work(): number {
    return this.#words.get(STORE_LAYOUT.work);
  }

  set work(work: number) {
    this.#words.set(STORE_LAYOUT.work, work);
  }

  /** For whoever holds the session, and is not told any more. It is for good. */
  noteLettingGo(what: 'second' | 'all'): void {
    const before = this.#words.get(STORE_LAYOUT.lettingGo);
    this.#words.set(STORE_LAYOUT.lettingGo, Math.max(before, lettingGo[what]));
  }

  readBuffer(way: ReadWay): Buffer {
    return this.#log.readBuffer(way);
  }

  noteRead(way: ReadWay, bytes: number): Buffer {
    return this.#log.noteRead(way, bytes);
  }

  /** Returns false if there is no room, and the session cannot be written down now. */
  append(type: RecordType, content: Uint8Array | string): boolean {
    return this.#log.append(type, content);
  }

  /** How much was noted since the session was written down. */
  get logBytes(): number {
    return this.#log.length;
  }

  /** Replaces the base and empties the log. */
  rebase(body: Uint8Array, { label = NO_LABEL, undelivered }: RebaseOptions = {}): void {
    const before = this.#words.get(STORE_LAYOUT.generation);
    const area = ((before + 1) & 1) as Area;
    const baseBytes = writeBase(this.fd, area, [label, body]);
    // From here on nothing can fail.
    const begun = this.#log.begin(area, undelivered);
    this.#words.set(STORE_LAYOUT.generation, before + 1);
    if (this.#log.length > SMALL_BYTES || this.#baseBytes > SMALL_BYTES) this.#giveBackLater();
    begun();
    this.#baseBytes = baseBytes;
    this.pages.dropUnnamed();
  }

  /** As it is now. Throws if it is damaged. */
  contents(): StoreContents {
    const body = readBasePart(this.fd, this.#words.area, 'body');
    return { body, records: this.#log.records(true), missing: this.#log.missing };
  }

  /** Throws if it is damaged. */
  label(): StoreLabel {
    const label = readBasePart(this.fd, this.#words.area, 'label');
    return { label, records: this.#log.records(false) };
  }

  close(): void {
    clearTimeout(this.#unused);
    closeSync(this.fd);
    leaveSharedMemory(this.#memory);
    for (const log of this.#logs) log.leave();
  }

  /** All that the last base and its log do not take. */
  #giveBackLater(): void {
    clearTimeout(this.#unused);
    this.#unused = setTimeout(() => {
      const { area } = this.#words;
      const other = (1 - area) as Area;
      this.#logs[area]!.giveBackFrom(this.#log.length);
      this.#logs[other]!.giveBackFrom(0);
      giveBack(this.fd, baseStart(other), STORE_LAYOUT.base);
      this.pages.giveBackFree();
    }, UNUSED_MS).unref();
  }

  #assertUsable(): void {
    if (!this.#memory.subarray(0, STORE_MAGIC.length).equals(STORE_MAGIC))
      throw new Error('it is no store');
    const version = this.#words.get(STORE_LAYOUT.version);
    if (version !== STORE_VERSION) throw new Error(`its format is version ${version}`);
    if (this.#words.get(STORE_LAYOUT.generation) === 0)
      throw new Error('it was not written down yet');
  }
}
