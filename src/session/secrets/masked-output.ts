/**
 * A session's output on its way to the screen, the history, the events and the recording. It passes
 * untouched until a secret has been typed; from then on that value is masked.
 */
import { Mask } from './mask.ts';

/**
 * How long the beginning of a value is held back. What a program writes at once comes in pieces of
 * 4 KiB at most; of some 400 values cut in that way on a busy machine the rest of one was later than
 * 10 ms. A person takes no notice of less than 50.
 */
const HOLD_MS = 30;
/** Held back at most, though escape sequences without end follow the beginning of a value. */
const HOLD_BYTES = 64 * 1024;

export class MaskedOutput {
  readonly #mask = new Mask();
  readonly #pass: (bytes: Buffer) => void;
  #timer: NodeJS.Timeout | undefined;
  #timedFrom = 0;

  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  /** Some output has come and is not shown yet. */
  get isHolding(): boolean {
    return this.#mask.held > 0;
  }

  /** From now on this value is masked. Returns its bytes, which are overwritten in the end. */
  hide(value: string): Buffer {
    return this.#mask.add(value);
  }

  receive(chunk: Buffer): void {
    if (this.#mask.isEmpty) {
      this.#pass(chunk);
      return;
    }
    const shown = this.#mask.write(chunk);
    if (shown.length > 0) this.#pass(shown);
    if (this.#mask.held > HOLD_BYTES) this.flush();
    else this.#holdFor();
  }

  /** Shows what is held back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isHolding) this.#pass(this.#mask.flush());
  }

  /** For text that was put together from the screen. */
  inText(text: string): string {
    return this.#mask.isEmpty ? text : this.#mask.inText(text);
  }

  /** For what is typed, as others are told of it. */
  inBytes(bytes: Uint8Array): Uint8Array {
    return this.#mask.isEmpty ? bytes : this.#mask.inBytes(bytes);
  }

  /** The session is over: overwrites the values. */
  forget(): void {
    this.flush();
    this.#mask.forget();
  }

  #holdFor(): void {
    const { heldFrom } = this.#mask;
    if (this.isHolding && this.#timer !== undefined && this.#timedFrom === heldFrom) return;
    clearTimeout(this.#timer);
    this.#timedFrom = heldFrom;
    this.#timer = this.isHolding ? setTimeout(() => this.flush(), HOLD_MS) : undefined;
  }
}
