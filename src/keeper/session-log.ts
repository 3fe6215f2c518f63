/**
 * What has happened since a session was written down, the program's output above all.
 *
 * read(2) puts output into this memory itself, so that no byte is lost between the kernel and the log. There
 * are two logs, and two buffers for each way of reading. One store of four bytes says how long the log is and
 * which buffers are read into next: a process that is killed has made it or has not.
 */
import { type ReadMemory, type ReadWay, readWays } from '../system/terminal/read-memory.ts';
import { LOG_BYTES, MAX_READ_BYTES, STORE_LAYOUT } from './store-layout.ts';
import {
  OUTPUT_RECORD,
  parseRecords,
  RECORD_HEADER_BYTES,
  type RecordType,
  type StoredRecord,
  writeRecord,
} from './store-records.ts';
import type { StoreWords } from './store-words.ts';
import type { Area } from './stored-base.ts';

/** It is counted in four bytes. */
const MAX_MISSING = 2 ** 31 - 1;
/** Kept free for records that must not wait until the session is written down anew. */
const RESERVED_BYTES = 64 * 1024;

/**
 * Where nothing was read yet. No text has this byte in UTF-8. If a process is killed right after a read
 * of other data, and that ends with this byte, it is taken for unread.
 */
const UNREAD = 0xff;

const HALVES = (1 << readWays.length) - 1;

const wordOf = (length: number, halves: number): number => (length << readWays.length) | halves;
const lengthIn = (word: number): number => word >> readWays.length;

export class SessionLog implements ReadMemory {
  /** Called when it is nearly full: the session is to be written down, if it is at rest. */
  onFull: () => void = () => {};
  readonly #memory: Buffer;
  readonly #words: StoreWords;
  #length = 0;
  /** A bit for each way of reading. */
  #halves = 0;

  constructor(memory: Buffer, words: StoreWords) {
    this.#memory = memory;
    this.#words = words;
  }

  /** For a new store. */
  create(readBytes: number): void {
    this.#words.set(STORE_LAYOUT.readBytes, readBytes);
    this.#clearBuffers();
  }

  /** Goes on with the log of another process. Throws if it is damaged. */
  open(): void {
    const word = this.#words.get(STORE_LAYOUT.logs + 4 * this.#words.area);
    const length = lengthIn(word);
    if (length < 0 || length > LOG_BYTES) throw new Error('its log is damaged');
    const readBytes = this.#readBytes;
    if (readBytes <= 0 || readBytes > MAX_READ_BYTES) throw new Error('its buffers are damaged');
    this.#length = length;
    this.#halves = word & HALVES;
    this.#takeUnnoted();
  }

  /** How much was noted since the session was written down. */
  get length(): number {
    return this.#length;
  }

  /** How much output could not be noted. */
  get missing(): number {
    return this.#words.get(STORE_LAYOUT.missing);
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
    if (this.#room - RESERVED_BYTES < bytes || this.missing > 0)
      return this.#countMissing(way, bytes);
    return this.#note(way, bytes);
  }

  /** Returns false if there is no room, and the session cannot be written down now. */
  append(type: RecordType, bytes: Uint8Array): boolean {
    if (this.#room < bytes.length) this.onFull();
    if (this.#room < bytes.length) return false;
    this.#write(type, bytes);
    this.#publish(this.#halves);
    return true;
  }

  /** Throws if it does not consist of records. */
  records(withOutput: boolean): StoredRecord[] {
    const log = this.#memory.subarray(this.#start, this.#start + this.#length);
    const records = parseRecords(log, withOutput);
    if (records === undefined) throw new Error('its log is damaged');
    return records;
  }

  /** The log of the area that is to count next. Returns what makes it this log, once it counts. */
  begin(area: Area, undelivered: Uint8Array | undefined): () => void {
    const at = STORE_LAYOUT.log + area * LOG_BYTES;
    const length = undelivered ? writeRecord(this.#memory, at, OUTPUT_RECORD, undelivered) : 0;
    this.#words.set(STORE_LAYOUT.logs + 4 * area, wordOf(length, this.#halves));
    return () => {
      this.#length = length;
      // Killed before this, we tell of a gap where there is none.
      if (this.missing > 0) this.#words.set(STORE_LAYOUT.missing, 0);
    };
  }

  #note(way: ReadWay, bytes: number): Buffer {
    const read = this.readBuffer(way).subarray(0, bytes);
    this.#write(OUTPUT_RECORD, read);
    this.#publish(this.#halves ^ (1 << readWays.indexOf(way)));
    // Only now: until then it was the one copy.
    read.fill(UNREAD);
    const copyAt = this.#start + this.#length - read.length;
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
    this.#words.set(STORE_LAYOUT.missing, Math.min(this.missing + bytes, MAX_MISSING));
    this.#publish(this.#halves ^ (1 << readWays.indexOf(way)));
    read.fill(UNREAD);
    return copy;
  }

  get #start(): number {
    return STORE_LAYOUT.log + this.#words.area * LOG_BYTES;
  }

  /** For one more record, without the place for what the next process finds in a buffer. */
  get #room(): number {
    const spareBytes = RECORD_HEADER_BYTES + this.#readBytes;
    return LOG_BYTES - spareBytes - this.#length - RECORD_HEADER_BYTES;
  }

  /** Not part of the log before it is published. */
  #write(type: RecordType, bytes: Uint8Array): void {
    this.#length += writeRecord(this.#memory, this.#start + this.#length, type, bytes);
  }

  #publish(halves: number): void {
    this.#halves = halves;
    this.#words.set(STORE_LAYOUT.logs + 4 * this.#words.area, wordOf(this.#length, halves));
  }

  /** Output that was read, and not noted before the process ended: one way of reading at most. */
  #takeUnnoted(): void {
    for (const way of readWays) {
      const buffer = this.readBuffer(way);
      let end = buffer.length;
      while (end > 0 && buffer[end - 1] === UNREAD) end--;
      const hasPlace = this.#length + RECORD_HEADER_BYTES + end <= LOG_BYTES;
      if (end > 0 && hasPlace && this.missing === 0) this.#note(way, end);
      else if (end > 0) this.#countMissing(way, end);
    }
    // The others may hold what was noted last.
    this.#clearBuffers();
  }

  get #readBytes(): number {
    return this.#words.get(STORE_LAYOUT.readBytes);
  }

  #clearBuffers(): void {
    for (let at: number = STORE_LAYOUT.halves; at < STORE_LAYOUT.log; at += MAX_READ_BYTES)
      this.#memory.fill(UNREAD, at, at + this.#readBytes);
  }
}
