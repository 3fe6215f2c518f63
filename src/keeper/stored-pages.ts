/**
 * The parts of a session that do not change any more, such as full pages of its history. Each is written
 * once, and a base only says where it is.
 */
import { crc32 } from 'node:zlib';
import { giveBack } from '../system/shared-memory.ts';
import { readAll, writeAll } from './file-ranges.ts';
import { STORE_LAYOUT } from './store-layout.ts';

/** Where a page is in the memory of its session. */
export interface StoredPage {
  at: number;
  bytes: number;
  checksum: number;
}

/** Memory is given back in pages of the system. */
const ALIGNMENT = 4096;

const aligned = (bytes: number): number => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

export class StoredPages {
  readonly #fd: number;
  readonly #pages = new Map<object, StoredPage>();
  /** Those that the next base names. */
  #named = new Set<object>();
  /** Places that no page takes any more, by their size. */
  readonly #free = new Map<number, number[]>();
  #end: number = STORE_LAYOUT.pages;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Where this part is, for the next base. Written if it is not there yet. */
  store(part: object, encode: () => Uint8Array): StoredPage {
    this.#named.add(part);
    const known = this.#pages.get(part);
    if (known !== undefined) return known;
    const encoded = encode();
    const at = this.#free.get(aligned(encoded.length))?.pop() ?? this.#end;
    const page = { at, bytes: encoded.length, checksum: crc32(encoded) };
    writeAll(this.#fd, encoded, page.at);
    this.#adopt(part, page);
    return page;
  }

  /** `decode` makes the part. Throws if the page is damaged. */
  load<Part extends object>(page: StoredPage, decode: (encoded: Buffer) => Part): Part {
    const encoded = readAll(this.#fd, page.bytes, page.at);
    if (encoded.length < page.bytes || crc32(encoded) !== page.checksum)
      throw new Error('a page of its history is damaged');
    const part = decode(encoded);
    this.#adopt(part, page);
    return part;
  }

  /** Must be called when a base counts: those that it does not name are not needed any more. */
  dropUnnamed(): void {
    for (const [part, page] of this.#pages) {
      if (this.#named.has(part)) continue;
      this.#pages.delete(part);
      this.#leave(page);
    }
    this.#named = new Set();
  }

  /** Places that were left, and not taken by another page since. */
  giveBackFree(): void {
    for (const [bytes, places] of this.#free)
      for (const at of places) giveBack(this.#fd, at, bytes);
    this.#free.clear();
  }

  #leave({ at, bytes }: StoredPage): void {
    const size = aligned(bytes);
    const places = this.#free.get(size);
    if (places === undefined) this.#free.set(size, [at]);
    else places.push(at);
  }

  #adopt(part: object, page: StoredPage): void {
    this.#pages.set(part, page);
    this.#end = Math.max(this.#end, page.at + aligned(page.bytes));
  }
}
