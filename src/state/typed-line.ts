/**
 * The last typed line, to recognise its echo. Over a slow connection the echo of a command arrives
 * before the echo of its Enter, and looks like a prompt.
 */
export class TypedLine {
  #text = '';
  #entered: string | undefined;

  note(input: string | Uint8Array): void {
    const text = typeof input === 'string' ? input : Buffer.from(input).toString();
    const lines = text.split(/[\r\n]/);
    const rest = lines.pop()!;
    const line = lines.at(-1);
    if (line !== undefined) this.#entered = line || this.#text;
    if (line !== undefined || rest !== '') this.#text = '';
    if (rest === '') return;
    this.#entered = undefined;
    // A key is not text, and its effect on the line is unknown.
    if (!/[\x00-\x1f\x7f]/.test(rest)) this.#text = rest;
  }

  snapshot(): { text: string; entered?: string } {
    const entered = this.#entered;
    return { text: this.#text, ...(entered !== undefined && { entered }) };
  }

  restore({ text, entered }: { text: string; entered?: string }): void {
    this.#text = text;
    this.#entered = entered;
  }

  /** Whether Enter was the last key. */
  get isEntered(): boolean {
    return this.#entered !== undefined;
  }

  /** Text that was typed without Enter after it. */
  get unfinished(): string {
    return this.#text;
  }

  /**
   * Whether `beforeCursor` ends with the text before the last Enter, and nothing was typed since. Only
   * text written in one go counts: keys before it may have been for another program, such as a
   * pager's `q`.
   */
  isEcho(beforeCursor: string): boolean {
    const entered = this.#entered;
    return !!entered && beforeCursor.endsWith(entered);
  }
}
