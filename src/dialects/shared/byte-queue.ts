/** Bytes in the order in which they came, forgotten from the front. */

const PAGE_BYTES = 16 * 1024;

export class ByteQueue {
  readonly #pages: Buffer[] = [];
  /** Where the queue begins in its first page, and where it ends in its last. */
  #from = 0;
  #to = PAGE_BYTES;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Keeps a copy. */
  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#to === PAGE_BYTES) {
        this.#pages.push(Buffer.allocUnsafeSlow(PAGE_BYTES));
        this.#to = 0;
      }
      const part = bytes.subarray(at, at + PAGE_BYTES - this.#to);
      this.#pages.at(-1)!.set(part, this.#to);
      this.#to += part.length;
      this.#size += part.length;
      at += part.length;
    }
  }

  /** A copy of the bytes from one place to another, both counted from the front. */
  slice(from: number, to: number): Buffer {
    const start = this.#from + Math.max(0, from);
    const end = this.#from + Math.min(this.#size, to);
    const parts: Buffer[] = [];
    for (let page = Math.floor(start / PAGE_BYTES); page * PAGE_BYTES < end; page++) {
      const before = page * PAGE_BYTES;
      parts.push(this.#pages[page]!.subarray(Math.max(0, start - before), end - before));
    }
    return Buffer.concat(parts);
  }

  drop(count: number): void {
    this.#from += count;
    this.#size -= count;
    const pages = Math.floor(this.#from / PAGE_BYTES);
    this.#pages.splice(0, pages);
    this.#from -= pages * PAGE_BYTES;
    if (this.#pages.length === 0) this.#to = PAGE_BYTES;
  }
}
