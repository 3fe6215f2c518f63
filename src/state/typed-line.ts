/**
 * The line that was typed last, to know its echo by: over a slow line the echo of a command arrives
 * before that of Enter, and looks like a prompt.
 */
export class TypedLine {
  #text = '';
  #entered: string | undefined;

  note(input: string | Uint8Array): void {
    const text = typeof input === 'string' ? input : Buffer.from(input).toString();
    const lines = text.split(/[\r\n]/);
    const last = lines.pop()!;
    const line = lines.at(-1);
    if (line !== undefined) this.#entered = line || this.#text;
    if (line !== undefined || last !== '') this.#text = '';
    if (last === '') return;
    this.#entered = undefined;
    // A key is no text, and nobody knows what it did to the line.
    if (!/[\x00-\x1f\x7f]/.test(last)) this.#text = last;
  }

  /** Whether Enter was the last that was pressed. */
  get isEntered(): boolean {
    return this.#entered !== undefined;
  }

  /** Text after which Enter was not pressed. */
  get begun(): string {
    return this.#text;
  }

  /**
   * Whether this ends with text after which Enter was pressed, and nothing since. The text is what
   * came in one go: keys pressed before may have been for another program, such as a pager's `q`.
   */
  isEcho(beforeCursor: string): boolean {
    const entered = this.#entered;
    return !!entered && beforeCursor.endsWith(entered);
  }
}
