/**
 * Masks a session's output before it reaches the screen, the history, the events and the recording. It
 * passes unchanged until a secret is typed; from then on that value is masked.
 */
import type { MaskSnapshot } from '../snapshot/session-snapshot.ts';
import { SecretMask } from './secret-mask.ts';

/**
 * How long the first part of a value is held back. What a program writes at once comes in pieces of at
 * most 4 KiB. Of about 400 values cut like this on a busy machine, one had its rest later than 10 ms. A
 * person does not notice less than 50.
 */
const MAX_HOLD_MS = 30;
/** The first part of a value may be followed by endless escape sequences: no more is held back. */
const MAX_HOLD_BYTES = 64 * 1024;

export class MaskedOutput {
  readonly #mask = new SecretMask();
  /** Called with output as it may be shown. */
  onOutput: (bytes: Buffer) => void = () => {};
  /** There were values, and what they were is not known any more: no name can be shown. */
  #hasForgotten = false;
  /** Called when a value is masked, and so before it is typed. */
  onHide: (value: string) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  /** The position of the first held byte when the timer was started. */
  #timerFrom = 0;

  /** Whether some output is held back. */
  get isHolding(): boolean {
    return this.#mask.held > 0;
  }

  /** Masks this value from now on. Returns its bytes, which `forget` overwrites. */
  hide(value: string): Buffer {
    const bytes = this.#mask.add(value);
    this.onHide(value);
    return bytes;
  }

  /** A field, so that it can be handed on as the callback of a terminal. */
  readonly receive = (chunk: Buffer): void => {
    if (this.#mask.isEmpty) {
      this.onOutput(chunk);
      return;
    }
    const shown = this.#mask.write(chunk);
    if (shown.length > 0) this.onOutput(shown);
    if (this.#mask.held > MAX_HOLD_BYTES) this.flush();
    else this.#updateTimer();
  };

  /** Passes on what is held back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isHolding) this.onOutput(this.#mask.flush());
  }

  /** Masks text from the screen. */
  inText(text: string): string {
    return this.#mask.isEmpty ? text : this.#mask.inText(text);
  }

  /** Masks the name of a program, which the kernel cuts off: it may be the first part of a secret. */
  inName(name: string): string {
    const isSecret = this.#hasForgotten || this.#mask.isStartOfValue(name);
    return isSecret ? '*'.repeat(name.length) : this.inText(name);
  }

  /** Masks input for events and recordings. */
  inBytes(bytes: Uint8Array): Uint8Array {
    return this.#mask.isEmpty ? bytes : this.#mask.inBytes(bytes);
  }

  /** Called at the end of the session: overwrites the values in memory. */
  forget(): void {
    this.flush();
    this.#hasForgotten ||= !this.#mask.isEmpty;
    this.#mask.forget();
  }

  snapshot(): MaskSnapshot {
    return this.#mask.snapshot();
  }

  restore(snapshot: MaskSnapshot): void {
    this.#mask.restore(snapshot);
    this.#updateTimer();
  }

  #updateTimer(): void {
    const { heldFrom } = this.#mask;
    if (this.isHolding && this.#timer !== undefined && this.#timerFrom === heldFrom) return;
    clearTimeout(this.#timer);
    this.#timerFrom = heldFrom;
    this.#timer = this.isHolding ? setTimeout(() => this.flush(), MAX_HOLD_MS) : undefined;
  }
}
