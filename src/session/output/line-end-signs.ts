/**
 * Finds the signs that shells print after output without a line end: zsh's `%`, fish's `⏎`.
 *
 * Such a shell prints the sign, blanks up to the last column, and a carriage return. If the output has
 * ended its line, the prompt is then drawn over the sign. If not, the blanks wrap and the sign stays. It
 * is recognised only between two marks of the session's own shell, with nothing else between them.
 */

import type { Screen } from '../../screen/screen.ts';
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import type { OutputSpan } from '../../views/text.ts';
import type { HiddenSnapshot } from '../snapshot/session-snapshot.ts';

/** Older signs can no longer be read anyway. */
const MAX_SPANS = 256;

/** Sequences around the sign: marks, the folder, colours, erasing a line. */
const INVISIBLE = /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[[\d;]*[mK]|\x1b\(B/g;
const SIGN = /^[^\r\n]*?( +)\r[^\r\n]*\r$/;

export class LineEndSigns {
  readonly #screen: Screen;
  readonly #spans: OutputSpan[] = [];
  /** Where the output of the last command ended. */
  #outputEnd: number | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get spans(): readonly OutputSpan[] {
    return this.#spans;
  }

  onScreenEvent(event: ScreenEvent): void {
    if (event.type !== 'mark' || this.#screen.marks.own?.position !== event.position) return;
    const { mark, position } = event;
    const from = this.#outputEnd;
    if (mark === 'done') this.#outputEnd ??= this.#screen.marks.outputEnd(event);
    else this.#outputEnd = undefined;
    if (mark !== 'prompt' || from === undefined) return;
    // At the start of a line the prompt is drawn over the sign.
    if (this.#screen.locate(from)?.index === 0 || !this.#isSign(from, position)) return;
    this.#spans.push({ from, to: position });
    if (this.#spans.length > MAX_SPANS) this.#spans.shift();
  }

  snapshot(): HiddenSnapshot['signs'] {
    const outputEnd = this.#outputEnd;
    return { spans: [...this.#spans], ...(outputEnd !== undefined && { outputEnd }) };
  }

  restore({ spans, outputEnd }: HiddenSnapshot['signs']): void {
    this.#spans.push(...spans);
    this.#outputEnd = outputEnd;
  }

  #isSign(from: number, to: number): boolean {
    const { history, modes } = this.#screen;
    const pieces = [...history.bytes.slices(from, to)].map(({ bytes }) => bytes);
    const blanks = SIGN.exec(Buffer.concat(pieces).toString().replaceAll(INVISIBLE, ''))?.[1];
    return blanks !== undefined && blanks.length >= modes.cols / 2;
  }
}
