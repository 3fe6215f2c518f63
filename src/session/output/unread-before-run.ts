/** Lines that were unread when a command was run, such as output of a background job. */
import type { LostOutputInView, ViewLine } from '../../views/budget.ts';
import type { TextView } from '../../views/text.ts';
import type { ReaderSnapshot } from '../snapshot/session-snapshot.ts';

/** A reader that never reads must not make us keep everything a job prints. */
const MAX_CHARS = 64 * 1024;

interface UnreadLines {
  lines: readonly ViewLine[];
}

export class UnreadBeforeRun {
  #lines: ViewLine[] = [];
  #chars = 0;
  #gone: Omit<LostOutputInView, 'before'> = { lines: 0, bytes: 0 };
  /** How many characters of these lines a person cannot see. */
  #hidden = 0;

  add({ lines, gone, hidden = 0 }: Pick<TextView, 'gone' | 'hidden'> & UnreadLines): void {
    if (gone !== undefined) this.#countGone(gone);
    this.#hidden += hidden;
    for (const line of lines) {
      if (line.text === '') continue;
      this.#lines.push(line);
      this.#chars += line.text.length;
    }
    while (this.#chars > MAX_CHARS) {
      const { text } = this.#lines.shift()!;
      this.#chars -= text.length;
      this.#countGone({ lines: 1, bytes: Buffer.byteLength(text) + 1 });
    }
  }

  /** The carried lines, followed by the view. Forgets them: they are read now. */
  prependTo(view: TextView): TextView {
    if (this.#lines.length === 0 && this.#gone.lines === 0 && this.#hidden === 0) return view;
    const lines = [...this.#lines, ...view.lines];
    if (view.gone !== undefined) this.#countGone(view.gone);
    const gone = this.#gone.lines > 0 ? { ...this.#gone, before: 0 } : undefined;
    this.#lines = [];
    this.#chars = 0;
    this.#gone = { lines: 0, bytes: 0 };
    const hidden = this.#hidden + (view.hidden ?? 0);
    this.#hidden = 0;
    const { position } = view;
    return {
      lines,
      continues: false,
      position,
      ...(gone !== undefined && { gone }),
      ...(hidden > 0 && { hidden }),
    };
  }

  snapshot(): ReaderSnapshot['carried'] {
    return { lines: [...this.#lines], gone: this.#gone, hidden: this.#hidden };
  }

  restore({ lines, gone, hidden }: ReaderSnapshot['carried']): void {
    this.#lines = lines;
    this.#chars = lines.reduce((sum, { text }) => sum + text.length, 0);
    this.#gone = gone;
    this.#hidden = hidden;
  }

  #countGone({ lines, bytes }: Omit<LostOutputInView, 'before'>): void {
    this.#gone = { lines: this.#gone.lines + lines, bytes: this.#gone.bytes + bytes };
  }
}
