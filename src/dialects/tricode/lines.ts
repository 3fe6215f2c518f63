/** Output line by line; a line that has only begun waits for its end, or for that of all output. */
import { Unread } from '../shared/unread-output.ts';

const PIECE_BYTES = 8192;

export class LineQueue {
  readonly #maxBytes: number;
  readonly #unread: Unread;
  readonly #whole: string[] = [];
  #begun = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#unread = new Unread(maxBytes);
  }

  push(bytes: Uint8Array): void {
    this.#unread.push(bytes);
  }

  /** `isAll`: nothing will follow. */
  has(isAll: boolean): boolean {
    this.#divide(isAll);
    return this.#whole.length > 0;
  }

  shift(isAll: boolean): string | undefined {
    this.#divide(isAll);
    return this.#whole.shift();
  }

  /** Only as far as the next line: the rest is smaller as bytes. */
  #divide(isAll: boolean): void {
    while (this.#whole.length === 0 && this.#begun.length < this.#maxBytes) {
      const { text } = this.#unread.take({ maxBytes: PIECE_BYTES, isAll });
      if (text === '') break;
      const [first = '', ...rest] = text.split('\n');
      this.#begun += first;
      if (rest.length === 0) continue;
      this.#whole.push(this.#begun, ...rest.slice(0, -1));
      this.#begun = rest.at(-1)!;
    }
    if (!isAll || this.#whole.length > 0 || this.#begun === '') return;
    this.#whole.push(this.#begun);
    this.#begun = '';
  }
}
