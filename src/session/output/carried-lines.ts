/** Lines that nobody has read when a command was run: a job in the background had spoken, say. */
import type { MissingOutput, ViewLine } from '../../views/budget.ts';
import type { TextView } from '../../views/text.ts';

/** Whoever never reads must not make us keep all that a job says. */
const MOST_CHARS = 64 * 1024;

export class CarriedLines {
  #lines: ViewLine[] = [];
  #chars = 0;
  #gone: Omit<MissingOutput, 'before'> = { lines: 0, bytes: 0 };

  add({ lines, gone }: { lines: readonly ViewLine[]; gone?: MissingOutput }): void {
    if (gone !== undefined) this.#lose(gone);
    for (const line of lines) {
      if (line.text === '') continue;
      this.#lines.push(line);
      this.#chars += line.text.length;
    }
    while (this.#chars > MOST_CHARS) {
      const { text } = this.#lines.shift()!;
      this.#chars -= text.length;
      this.#lose({ lines: 1, bytes: Buffer.byteLength(text) + 1 });
    }
  }

  /** What was set aside, and the view behind it; from now on it is read. */
  prependTo(view: TextView): TextView {
    if (this.#lines.length === 0 && this.#gone.lines === 0) return view;
    const lines = [...this.#lines, ...view.lines];
    if (view.gone !== undefined) this.#lose(view.gone);
    const gone = this.#gone.lines > 0 ? { ...this.#gone, before: 0 } : undefined;
    this.#lines = [];
    this.#chars = 0;
    this.#gone = { lines: 0, bytes: 0 };
    const { position } = view;
    return { lines, continues: false, position, ...(gone !== undefined && { gone }) };
  }

  #lose({ lines, bytes }: Omit<MissingOutput, 'before'>): void {
    this.#gone = { lines: this.#gone.lines + lines, bytes: this.#gone.bytes + bytes };
  }
}
