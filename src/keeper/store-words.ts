/** The numbers at the start of a store: each is read and written as a whole, whoever is killed meanwhile. */
import { STORE_LAYOUT } from './store-layout.ts';
import type { Area } from './stored-base.ts';

export class StoreWords {
  readonly #words: Int32Array;

  constructor(memory: Buffer) {
    this.#words = new Int32Array(memory.buffer, 0, STORE_LAYOUT.halves / 4);
  }

  get(offset: number): number {
    return Atomics.load(this.#words, offset / 4);
  }

  set(offset: number, value: number): void {
    Atomics.store(this.#words, offset / 4, value);
  }

  /** Which of the two bases and logs counts. */
  get area(): Area {
    return (this.get(STORE_LAYOUT.generation) & 1) as Area;
  }
}
