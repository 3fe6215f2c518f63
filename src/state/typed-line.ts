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
    if (lines.length > 0) {
      const lastLine = lines.at(-1)!;
      this.#entered = lines.length > 1 ? lastLine : this.#text + lastLine;
      this.#text = '';
    }
    if (last !== '') this.#entered = undefined;
    // A key is no text, and nobody knows what it did to the line.
    this.#text = /[\x00-\x1f\x7f]/.test(last) ? '' : this.#text + last;
  }

  /** Whether this is, or ends with, a line after which Enter was pressed, and nothing since. */
  isEcho(beforeCursor: string): boolean {
    const entered = this.#entered;
    if (!entered || beforeCursor === '') return false;
    // A long line is wrapped: its last row then stands before the cursor.
    return beforeCursor.endsWith(entered) || entered.endsWith(beforeCursor);
  }
}
