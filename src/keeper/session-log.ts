/**
 * What has happened since a session was written down, the program's output above all.
 *
 * read(2) puts output into this memory itself, so that no byte is lost between the kernel and the log. There
 * are two logs, and two buffers for each way of reading. One store of four bytes says how long the log is and
 * which buffers are read into next: a process that is killed has made it or has not.
 */
import { type ReadMemory, type ReadWay, readWays } from '../system/terminal/read-memory.ts';
import type { LogMemory } from './log-memory.ts';
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
  readonly #logs: readonly LogMemory[];
  #length = 0;
  /** A bit for each way of reading. */
  #halves = 0;
  /** Two for each way of reading. To make a view takes as long as to copy what a read brings. */
  #buffers: readonly Buffer[] = [];

  /** `memory`: what comes before the logs. */
  constructor(memory: Buffer, words: StoreWords, logs: readonly LogMemory[]) {
    this.#memory = memory;
    this.#words = words;
    this.#logs = logs;
  }

  /** For a new store. */
  create(readBytes: number): void {
    this.#words.set(STORE_LAYOUT.readBytes, readBytes);
    this.#buffers = this.#findBuffers(readBytes);
    this.#clearBuffers();
  }

  /** Goes on with the log of another process. Throws if it is damaged. */
  open(): void {
    const word = this.#words.get(STORE_LAYOUT.logs + 4 * this.#words.area);
    const length = lengthIn(word);
    if (length < 0 || length > LOG_BYTES) throw new Error('its log is damaged');
    const readBytes = this.#words.get(STORE_LAYOUT.readBytes);
    if (readBytes <= 0 || readBytes > MAX_READ_BYTES) throw new Error('its buffers are damaged');
    this.#length = length;
    this.#halves = word & HALVES;
    this.#buffers = this.#findBuffers(readBytes);
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
    return this.#buffers[2 * index + ((this.#halves >> index) & 1)]!;
  }

  /** Notes what was read into `readBuffer`, and returns it. It is valid in this turn of the event loop. */
  noteRead(way: ReadWay, bytes: number): Buffer {
    if (this.#room - RESERVED_BYTES < bytes) this.onFull();
    if (this.#room - RESERVED_BYTES < bytes || this.missing > 0)
      return this.#countMissing(way, bytes);
    return this.#note(way, bytes);
  }

  /** Returns false if there is no room, and the session cannot be written down now. */
  append(type: RecordType, content: Uint8Array | string): boolean {
    const length = Buffer.byteLength(content);
    if (this.#room < length) this.onFull();
    if (this.#room < length) return false;
    this.#write(type, content, length);
    this.#publish(this.#halves);
    return true;
  }

  /** Throws if it does not consist of records. */
  records(withOutput: boolean): StoredRecord[] {
    const log = this.#counting.upTo(this.#length).subarray(0, this.#length);
    const records = parseRecords(log, withOutput);
    if (records === undefined) throw new Error('its log is damaged');
    return records;
  }

  /** The log of the area that is to count next. Returns what makes it this log, once it counts. */
  begin(area: Area, undelivered: Uint8Array | undefined): () => void {
    const length = undelivered ? RECORD_HEADER_BYTES + undelivered.length : 0;
    if (undelivered) {
      const log = this.#logs[area]!.upTo(length);
      writeRecord(log, 0, OUTPUT_RECORD, undelivered, undelivered.length);
    }
    this.#words.set(STORE_LAYOUT.logs + 4 * area, wordOf(length, this.#halves));
    return () => {
      this.#length = length;
      // Killed before this, we tell of a gap where there is none.
      if (this.missing > 0) this.#words.set(STORE_LAYOUT.missing, 0);
    };
  }

  #note(way: ReadWay, bytes: number): Buffer {
    const read = this.readBuffer(way).subarray(0, bytes);
    this.#write(OUTPUT_RECORD, read, bytes);
    this.#publish(this.#halves ^ (1 << readWays.indexOf(way)));
    // Only now: until then it was the one copy.
    read.fill(UNREAD);
    return this.#counting.upTo(this.#length).subarray(this.#length - bytes, this.#length);
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

  get #counting(): LogMemory {
    return this.#logs[this.#words.area]!;
  }

  /** For one more record, without the place for what the next process finds in a buffer. */
  get #room(): number {
    const spareBytes = RECORD_HEADER_BYTES + this.#buffers[0]!.length;
    return LOG_BYTES - spareBytes - this.#length - RECORD_HEADER_BYTES;
  }

  /** Not part of the log before it is published. */
  #write(type: RecordType, content: Uint8Array | string, bytes: number): void {
    const start = this.#length;
    const end = start + RECORD_HEADER_BYTES + bytes;
    writeRecord(this.#counting.upTo(end), start, type, content, bytes);
    this.#length = end;
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

  #findBuffers(readBytes: number): Buffer[] {
    const starts = readWays.flatMap((_way, index) => [2 * index, 2 * index + 1]);
    return starts.map((number) => {
      const at = STORE_LAYOUT.halves + number * MAX_READ_BYTES;
      return this.#memory.subarray(at, at + readBytes);
    });
  }

  #clearBuffers(): void {
    for (const buffer of this.#buffers) buffer.fill(UNREAD);
  }
}
