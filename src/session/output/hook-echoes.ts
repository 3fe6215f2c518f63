/**
 * Finds the lines of our hooks that bash prints by itself: with `set -v`, each line before it is run.
 *
 * They stand right before the mark that ends a command, or between that mark and the prompt. What a
 * command prints is not touched.
 */
import type { Screen } from '../../screen/screen.ts';
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import { bashHookLine } from '../../shell/bash-marks.ts';
import type { OutputSpan } from '../../views/text.ts';

/** More than our lines before the mark have, with the marks themselves. */
const MAX_LINE_BYTES = 1000;
/** Older ones can no longer be read anyway. */
const MAX_SPANS = 256;

export class HookEchoes {
  readonly #screen: Screen;
  readonly #spans: OutputSpan[] = [];
  #doneAt: number | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  get spans(): readonly OutputSpan[] {
    return this.#spans;
  }

  onScreenEvent(event: ScreenEvent): void {
    if (event.type !== 'mark' || this.#screen.marks.own?.position !== event.position) return;
    const { mark, position } = event;
    if (mark === 'done') {
      this.#hide(position - MAX_LINE_BYTES, position, true);
      this.#doneAt = position;
    } else if (mark === 'input' && this.#doneAt !== undefined) {
      this.#hide(this.#doneAt, position, false);
      this.#doneAt = undefined;
    }
  }

  restore(spans: readonly OutputSpan[]): void {
    this.#spans.push(...spans);
  }

  #hide(from: number, to: number, isLastOnly: boolean): void {
    const pieces = [...this.#screen.history.bytes.slices(Math.max(0, from), to)];
    const start = pieces[0]?.position;
    if (start === undefined) return;
    // As Latin-1, one character is one byte.
    const text = Buffer.concat(pieces.map(({ bytes }) => bytes)).toString('latin1');
    for (const match of text.matchAll(bashHookLine)) {
      const end = match.index + match[0].length;
      // Only more of them and the marks may follow.
      const after = text.slice(end).replaceAll(bashHookLine, '');
      if (isLastOnly && !/^(?:\x1b\][^\x07\n]*\x07)*$/.test(after)) continue;
      this.#spans.push({ from: start + match.index, to: start + end });
      if (this.#spans.length > MAX_SPANS) this.#spans.shift();
    }
  }
}
