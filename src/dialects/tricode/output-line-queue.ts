/** Output as a queue of lines. The last, incomplete line waits for its line feed or the end. */
import { UnreadOutput } from '../shared/unread-output.ts';

const PIECE_BYTES = 8192;

export class OutputLineQueue {
  readonly #maxBytes: number;
  readonly #unread: UnreadOutput;
  readonly #complete: string[] = [];
  #incomplete = '';

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
    this.#unread = new UnreadOutput(maxBytes);
  }

  push(bytes: Uint8Array): void {
    this.#unread.push(bytes);
  }

  /** `isFinal`: no output will follow, so an incomplete line counts too. */
  has(isFinal: boolean): boolean {
    this.#splitNext(isFinal);
    return this.#complete.length > 0;
  }

  shift(isFinal: boolean): string | undefined {
    this.#splitNext(isFinal);
    return this.#complete.shift();
  }

  /** Splits only as far as the next line, because unsplit bytes take less memory than strings. */
  #splitNext(isFinal: boolean): void {
    while (this.#complete.length === 0 && this.#incomplete.length < this.#maxBytes) {
      const { text } = this.#unread.take({ maxBytes: PIECE_BYTES, isFinal });
      if (text === '') break;
      const [first = '', ...rest] = text.split('\n');
      this.#incomplete += first;
      if (rest.length === 0) continue;
      this.#complete.push(this.#incomplete, ...rest.slice(0, -1));
      this.#incomplete = rest.at(-1)!;
    }
    if (!isFinal || this.#complete.length > 0 || this.#incomplete === '') return;
    this.#complete.push(this.#incomplete);
    this.#incomplete = '';
  }
}
