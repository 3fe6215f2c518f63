/**
 * The memory of a log, mapped as far as it is used. V8 counts what is mapped as memory in use, and looks for
 * garbage the more often: with the whole of two logs mapped for each session, most of opening one was that.
 */
import { giveBack, leaveSharedMemory, mapSharedMemory } from '../system/shared-memory.ts';
import { LOG_BYTES } from './store-layout.ts';

/** What a quiet session needs. */
const FIRST_BYTES = 64 * 1024;
/** The system's own. */
const PAGE_BYTES = 4096;

export class LogMemory {
  readonly #fd: number;
  readonly #start: number;
  /** Each one longer than the one before, whose parts may still be in use. */
  readonly #mapped: Buffer[] = [];
  #isLeft = false;

  /** `start`: where it is in the file. */
  constructor(fd: number, start: number) {
    this.#fd = fd;
    this.#start = start;
  }

  /** At least so many bytes of it. Throws if they cannot be mapped. */
  upTo(bytes: number): Buffer {
    const mapped = this.#mapped.at(-1);
    if (mapped !== undefined && mapped.length >= bytes) return mapped;
    let length = mapped?.length ?? FIRST_BYTES;
    while (length < bytes) length *= 2;
    length = Math.min(length, LOG_BYTES);
    // A late use has no effect, as with what was mapped before.
    const longer = this.#isLeft
      ? Buffer.alloc(length)
      : mapSharedMemory(this.#fd, length, this.#start);
    this.#mapped.push(longer);
    return longer;
  }

  /** All but the first bytes take no memory until they are written again. */
  giveBackFrom(bytes: number): void {
    const kept = Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
    if (kept < LOG_BYTES) giveBack(this.#fd, this.#start + kept, LOG_BYTES - kept);
  }

  leave(): void {
    this.#isLeft = true;
    for (const mapped of this.#mapped) leaveSharedMemory(mapped);
  }
}
