/**
 * Output as a queue of lines. The last, incomplete line waits for its end or the end of all output.
 *
 * A line ends with \n, \r\n or a lone \r, as in Python's text mode. So the states of a progress bar are
 * lines. After a \r the next character decides which of the two it is, so its line waits for that.
 */
import { UnreadOutput } from '../shared/unread-output.ts';

const PIECE_BYTES = 8192;
/** A \r that could still be the beginning of \r\n is not an end yet. */
const LINE_END = /\r\n|\r(?!$)|\n/;

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
      const heldReturn = this.#incomplete.endsWith('\r') ? '\r' : '';
      const [first = '', ...rest] = `${heldReturn}${text}`.split(LINE_END);
      this.#incomplete = this.#incomplete.slice(0, -heldReturn.length || undefined) + first;
      if (rest.length === 0) continue;
      this.#complete.push(this.#incomplete, ...rest.slice(0, -1));
      this.#incomplete = rest.at(-1)!;
    }
    if (!isFinal || this.#complete.length > 0 || this.#incomplete === '') return;
    this.#complete.push(this.#incomplete.replace(/\r$/, ''));
    this.#incomplete = '';
  }
}
