/** A queue of bytes: added at the end, dropped from the front, stored in pages of 16 KiB. */

const PAGE_BYTES = 16 * 1024;

export class ByteQueue {
  readonly #pages: Buffer[] = [];
  /** Where the queue starts in its first page, and where it ends in its last. */
  #start = 0;
  #end = PAGE_BYTES;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Copies the bytes. */
  push(bytes: Uint8Array): void {
    for (let offset = 0; offset < bytes.length; ) {
      if (this.#end === PAGE_BYTES) {
        this.#pages.push(Buffer.allocUnsafeSlow(PAGE_BYTES));
        this.#end = 0;
      }
      const part = bytes.subarray(offset, offset + PAGE_BYTES - this.#end);
      this.#pages.at(-1)!.set(part, this.#end);
      this.#end += part.length;
      this.#size += part.length;
      offset += part.length;
    }
  }

  /** Copies the bytes between two offsets, both counted from the front. */
  slice(from: number, to: number): Buffer {
    const start = this.#start + Math.max(0, from);
    const end = this.#start + Math.min(this.#size, to);
    const parts: Buffer[] = [];
    for (let page = Math.floor(start / PAGE_BYTES); page * PAGE_BYTES < end; page++) {
      const pageStart = page * PAGE_BYTES;
      parts.push(this.#pages[page]!.subarray(Math.max(0, start - pageStart), end - pageStart));
    }
    return Buffer.concat(parts);
  }

  drop(count: number): void {
    this.#start += count;
    this.#size -= count;
    const emptyPages = Math.floor(this.#start / PAGE_BYTES);
    this.#pages.splice(0, emptyPages);
    this.#start -= emptyPages * PAGE_BYTES;
    if (this.#pages.length === 0) this.#end = PAGE_BYTES;
  }
}
