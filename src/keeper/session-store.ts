/**
 * What is left of a session when its daemon is killed: the session as it was last written down (the
 * base), and everything that has happened since (the log), the program's output above all.
 *
 * read(2) puts output into this memory itself, so that no byte is lost between the kernel and the log.
 * There are two of everything, and one store of four bytes says which counts: whenever this process is
 * killed, the store is as it was before a change or after it, never between.
 */
import { closeSync, fstatSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { Exit, ExitNote } from '../system/process/reaper.ts';
import {
  createSharedMemory,
  giveBack,
  leaveSharedMemory,
  mapSharedMemory,
  type SharedMemoryOptions,
} from '../system/shared-memory.ts';
import { type ReadMemory, type ReadWay, readWays } from '../system/terminal/read-memory.ts';
import { readAll, writeAll } from './file-ranges.ts';
import {
  BASE_HEADER_BYTES,
  decodeExit,
  encodeExit,
  LOG_BYTES,
  MAX_READ_BYTES,
  READ_BYTES,
  STORE_LAYOUT,
  STORE_MAGIC,
  STORE_VERSION,
} from './store-layout.ts';
import {
  OUTPUT_RECORD,
  parseRecords,
  RECORD_HEADER_BYTES,
  type RecordType,
  type StoredRecord,
  writeRecord,
} from './store-records.ts';
import { StoredPages } from './stored-pages.ts';

export { OUTPUT_RECORD, type RecordType, type StoredRecord } from './store-records.ts';

/** What a store holds. `missing`: so many bytes of output after the records. `problem`: why it cannot be used. */
export type StoreContents =
  | { base: Buffer; records: StoredRecord[]; missing?: number; problem?: undefined }
  | { problem: string };

export interface StoreOptions extends Omit<SharedMemoryOptions, 'fallback'> {
  folder?: string;
  /** How much is read at once. @default what a terminal gives at most */
  readBytes?: number | undefined;
}

/** What was written down before is given back if it is longer: to do so takes time too. */
const SMALL_BYTES = 64 * 1024;
/** The unit of `blocks` in stat(2). */
const BLOCK_BYTES = 512;
/** It is counted in four bytes. */
const MAX_MISSING = 2 ** 31 - 1;
/** Kept free for records that must not wait until the session is written down anew. */
const RESERVED_BYTES = 64 * 1024;

/**
 * Where nothing was read yet. No text has this byte in UTF-8. If a process is killed right after a read
 * of other data, and that ends with this byte, it is taken for unread.
 */
const UNREAD = 0xff;

export class SessionStore implements ReadMemory, ExitNote {
  readonly fd: number;
  /** Called when the log is nearly full: the session is to be written down (`rebase`), if it is at rest. */
  onFull: () => void = () => {};
  /** What the base names and does not hold itself. */
  readonly pages: StoredPages;
  readonly #memory: Buffer;
  readonly #words: Int32Array;
  #length = 0;
  /** A bit for each way of reading. */
  #halves = 0;
  #baseBytes = 0;
  #isClosed = false;

  /** `folder`: for a file instead of memory, where the kernel refuses that. */
  static create({ folder, readBytes = READ_BYTES, ...options }: StoreOptions = {}): SessionStore {
    const fallback = folder === undefined ? undefined : { folder, mapped: STORE_LAYOUT.mapped };
    const memory = { ...options, fallback };
    const store = SessionStore.#in(
      createSharedMemory('repartee-session', STORE_LAYOUT.mapped, memory),
    );
    STORE_MAGIC.copy(store.#memory, STORE_LAYOUT.magic);
    store.#set(STORE_LAYOUT.readBytes, readBytes);
    store.#clearBuffers();
    store.#set(STORE_LAYOUT.version, STORE_VERSION);
    return store;
  }

  /** Takes over the store of another process, with all that it had read. Throws if it is no memory file. */
  static open(
    fd: number,
    options: { brief?: boolean } = {},
  ): { store: SessionStore; contents: StoreContents } {
    // To look at what is mapped beyond the end of a file would end this process.
    if (fstatSync(fd).size < STORE_LAYOUT.mapped) throw new Error('its memory is cut short');
    const store = new SessionStore(fd);
    const problem = store.#findProblem();
    if (problem !== undefined) return { store, contents: { problem } };
    const word = store.#get(STORE_LAYOUT.logs + 4 * store.#area);
    store.#length = word >> readWays.length;
    store.#halves = word & HALVES;
    store.#takeUnnoted();
    return { store, contents: store.contents(options) };
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
    this.#memory = mapSharedMemory(fd, STORE_LAYOUT.mapped);
    this.#words = new Int32Array(this.#memory.buffer, 0, STORE_LAYOUT.halves / 4);
    this.pages = new StoredPages(fd);
  }

  set pid(pid: number) {
    this.#set(STORE_LAYOUT.pid, pid);
  }

  get pid(): number {
    return this.#get(STORE_LAYOUT.pid);
  }

  /** How the program ended, noted by this process or by the keeper. */
  get exit(): Exit | undefined {
    return decodeExit(this.#get(STORE_LAYOUT.exit));
  }

  set exit(exit: Exit | undefined) {
    if (exit === undefined) return;
    this.#set(STORE_LAYOUT.exit, encodeExit(exit));
  }

  /** How many processes in a row have died while they worked on the session. */
  get deaths(): number {
    return this.#get(STORE_LAYOUT.deaths);
  }

  set deaths(deaths: number) {
    this.#set(STORE_LAYOUT.deaths, deaths);
  }

  /** What is done with the session now. */
  get work(): number {
    return this.#get(STORE_LAYOUT.work);
  }

  set work(work: number) {
    this.#set(STORE_LAYOUT.work, work);
  }

  /** Where the next output must be read to. */
  readBuffer(way: ReadWay): Buffer {
    const index = readWays.indexOf(way);
    const half = (this.#halves >> index) & 1;
    const at = STORE_LAYOUT.halves + (2 * index + half) * MAX_READ_BYTES;
    return this.#memory.subarray(at, at + this.#readBytes);
  }

  /** Notes what was read into `readBuffer`, and returns it. It is valid in this turn of the event loop. */
  noteRead(way: ReadWay, bytes: number): Buffer {
    if (this.#room - RESERVED_BYTES < bytes) this.onFull();
    if (this.#room - RESERVED_BYTES < bytes || this.#missing > 0)
      return this.#countMissing(way, bytes);
    return this.#note(way, bytes);
  }

  #note(way: ReadWay, bytes: number): Buffer {
    const read = this.readBuffer(way).subarray(0, bytes);
    this.#write(OUTPUT_RECORD, read);
    this.#publish(this.#halves ^ (1 << readWays.indexOf(way)));
    // Only now: until then it was the one copy.
    read.fill(UNREAD);
    const copyAt = this.#logStart + this.#length - read.length;
    return this.#memory.subarray(copyAt, copyAt + read.length);
  }

  /**
   * The log is full, and the session could not be written down. It goes on, but a process after this one
   * would not know this output, nor what follows, until the session is written down.
   */
  #countMissing(way: ReadWay, bytes: number): Buffer {
    const read = this.readBuffer(way).subarray(0, bytes);
    const copy = Buffer.from(read);
    // First: output that is told as missing, and there, does less harm than the opposite.
    this.#set(STORE_LAYOUT.missing, Math.min(this.#missing + bytes, MAX_MISSING));
    this.#publish(this.#halves ^ (1 << readWays.indexOf(way)));
    read.fill(UNREAD);
    return copy;
  }

  get #missing(): number {
    return this.#get(STORE_LAYOUT.missing);
  }

  /** Returns false if there is no room, and the session cannot be written down now. */
  append(type: RecordType, bytes: Uint8Array): boolean {
    if (this.#room < bytes.length) this.onFull();
    if (this.#room < bytes.length) return false;
    this.#write(type, bytes);
    this.#publish(this.#halves);
    return true;
  }

  /** How much was noted since the session was written down. */
  get logBytes(): number {
    return this.#length;
  }

  /** Replaces the base and empties the log. `undelivered`: output that was noted, and is not in the base. */
  rebase(base: Uint8Array, undelivered?: Uint8Array): void {
    const before = this.#get(STORE_LAYOUT.generation);
    const generation = before + 1;
    const header = Buffer.alloc(BASE_HEADER_BYTES);
    header.writeUInt32LE(base.length);
    header.writeUInt32LE(crc32(base), 4);
    const at = STORE_LAYOUT.base * (1 + (generation & 1));
    writeAll(this.fd, header, at);
    writeAll(this.fd, base, at + header.length);
    // From here on nothing can fail.
    const log = STORE_LAYOUT.log + (generation & 1) * LOG_BYTES;
    const length = undelivered ? writeRecord(this.#memory, log, OUTPUT_RECORD, undelivered) : 0;
    this.#set(STORE_LAYOUT.logs + 4 * (generation & 1), logWord(length, this.#halves));
    this.#set(STORE_LAYOUT.generation, generation);
    this.#giveBackBefore(before, { log: this.#length, base: this.#baseBytes });
    this.#length = length;
    this.#baseBytes = base.length;
    this.pages.dropUnnamed();
    // Killed before this, we tell of a gap where there is none.
    if (this.#missing > 0) this.#set(STORE_LAYOUT.missing, 0);
  }

  close(): void {
    this.#isClosed = true;
    closeSync(this.fd);
    leaveSharedMemory(this.#memory);
  }

  /** What is being delivered in this turn of the event loop may still be in the old log. */
  #giveBackBefore(generation: number, used: { log: number; base: number }): void {
    if (used.log <= SMALL_BYTES && used.base <= SMALL_BYTES) return;
    const area = generation & 1;
    setImmediate(() => {
      if (this.#isClosed || this.#get(STORE_LAYOUT.generation) !== generation + 1) return;
      giveBack(this.fd, STORE_LAYOUT.log + area * LOG_BYTES, LOG_BYTES);
      giveBack(this.fd, STORE_LAYOUT.base * (1 + area), STORE_LAYOUT.base);
    });
  }

  /** Which of the two bases and logs counts. */
  get #area(): number {
    return this.#get(STORE_LAYOUT.generation) & 1;
  }

  get #logStart(): number {
    return STORE_LAYOUT.log + this.#area * LOG_BYTES;
  }

  /** For one more record, without the place for what the next process finds in a buffer. */
  get #room(): number {
    const spareBytes = RECORD_HEADER_BYTES + this.#readBytes;
    return LOG_BYTES - spareBytes - this.#length - RECORD_HEADER_BYTES;
  }

  /** Not part of the log before it is published. */
  #write(type: RecordType, bytes: Uint8Array): void {
    this.#length += writeRecord(this.#memory, this.#logStart + this.#length, type, bytes);
  }

  #publish(halves: number): void {
    this.#halves = halves;
    this.#set(STORE_LAYOUT.logs + 4 * this.#area, logWord(this.#length, halves));
  }

  /** Output that was read, and not noted before the process ended: one way of reading at most. */
  #takeUnnoted(): void {
    for (const way of readWays) {
      const buffer = this.readBuffer(way);
      let end = buffer.length;
      while (end > 0 && buffer[end - 1] === UNREAD) end--;
      const hasPlace = this.#length + RECORD_HEADER_BYTES + end <= LOG_BYTES;
      if (end > 0 && hasPlace && this.#missing === 0) this.#note(way, end);
      else if (end > 0) this.#countMissing(way, end);
    }
    // The others may hold what was noted last.
    this.#clearBuffers();
  }

  get #readBytes(): number {
    return this.#get(STORE_LAYOUT.readBytes);
  }

  #clearBuffers(): void {
    for (let at: number = STORE_LAYOUT.halves; at < STORE_LAYOUT.log; at += MAX_READ_BYTES)
      this.#memory.fill(UNREAD, at, at + this.#readBytes);
  }

  #findProblem(): string | undefined {
    if (!this.#memory.subarray(0, STORE_MAGIC.length).equals(STORE_MAGIC)) return 'it is no store';
    const version = this.#get(STORE_LAYOUT.version);
    if (version !== STORE_VERSION) return `its format is version ${version}`;
    if (this.#get(STORE_LAYOUT.generation) === 0) return 'it was not written down yet';
    const length = this.#get(STORE_LAYOUT.logs + 4 * this.#area) >> readWays.length;
    if (length < 0 || length > LOG_BYTES) return 'its log is damaged';
    const readBytes = this.#readBytes;
    if (readBytes <= 0 || readBytes > MAX_READ_BYTES) return 'its buffers are damaged';
    return undefined;
  }

  /** As it is now. `brief`, and fast: without the output, and the base is valid only until the next one. */
  contents({ brief = false }: { brief?: boolean } = {}): StoreContents {
    const at = STORE_LAYOUT.base * (1 + this.#area);
    const header = readAll(this.fd, BASE_HEADER_BYTES, at);
    const length = header.readUInt32LE();
    // It cannot be longer than the memory that the whole store takes.
    if (length > BLOCK_BYTES * fstatSync(this.fd).blocks) return { problem: 'its base is damaged' };
    const base = readAll(
      this.fd,
      length,
      at + BASE_HEADER_BYTES,
      brief ? scratch(length) : undefined,
    );
    if (base.length < length || crc32(base) !== header.readUInt32LE(4))
      return { problem: 'its base is damaged' };
    const log = this.#memory.subarray(this.#logStart, this.#logStart + this.#length);
    const records = parseRecords(log, !brief);
    if (records === undefined) return { problem: 'its log is damaged' };
    const missing = this.#missing;
    return { base, records, ...(missing > 0 && { missing }) };
  }

  #get(offset: number): number {
    return Atomics.load(this.#words, offset / 4);
  }

  #set(offset: number, value: number): void {
    Atomics.store(this.#words, offset / 4, value);
  }
}

/** To get new memory for each of many stores would take longer than to read them. */
const scratch = (bytes: number): Buffer => {
  if (shared.length < bytes) shared = Buffer.alloc(2 * bytes);
  return shared;
};

let shared = Buffer.alloc(0);

const HALVES = (1 << readWays.length) - 1;

const logWord = (length: number, halves: number): number => (length << readWays.length) | halves;
