/**
 * Input of which it is not known yet whether it is shown.
 *
 * Where the kernel does not echo, the program does: a line editor shows what was typed, a question for a
 * password stars or nothing. So what was typed there is told (to recordings and listeners) only when it
 * stands on the screen as it was typed; otherwise only that something was typed.
 */
import { withoutInvisible } from '../../invisible-characters.ts';
import type { Screen } from '../../screen/screen.ts';

/** What is not shown by then counts as hidden. */
const MAX_HOLD_MS = 1000;
/** A line editor may redraw a long line in pieces. */
const MAX_OUTPUT_BYTES = 16 * 1024;
/** A shorter text may be in any output; it must stand before the cursor. */
const MIN_FOUND_LENGTH = 4;

interface HeldInput {
  text: string;
  tell(isHidden: boolean): void;
}

export class UnprovenInput {
  readonly #screen: Screen;
  /** The oldest first. They are told in their order. */
  readonly #held: HeldInput[] = [];
  /** The output since the oldest was typed. */
  #output = '';
  #timer: NodeJS.Timeout | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** `isEchoed`: the kernel shows it, so it waits only for those before it. */
  add(bytes: Uint8Array, isEchoed: boolean, tell: HeldInput['tell']): void {
    const text = isEchoed ? '' : textOf(bytes);
    if (this.#held.length === 0 && text === '') {
      tell(false);
      return;
    }
    this.#held.push({ text, tell });
    this.#timer ??= setTimeout(() => this.settle(), MAX_HOLD_MS).unref();
  }

  onOutput(bytes: Buffer): void {
    if (this.#held.length === 0) return;
    this.#output = (this.#output + bytes.toString()).slice(-MAX_OUTPUT_BYTES);
    const shown = this.#shownRange();
    for (let at = 0; at < shown.end; at++) this.#tellOldest(at < shown.from);
    while (this.#held[0]?.text === '') this.#tellOldest(false);
  }

  /** Nothing more will show it: tells all that is held as hidden. */
  settle(): void {
    while (this.#held.length > 0) this.#tellOldest(true);
  }

  #tellOldest(isHidden: boolean): void {
    const { text, tell } = this.#held.shift()!;
    tell(isHidden && text !== '');
    if (this.#held.length > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#output = '';
  }

  /** Which of them are shown. Those before were not, and will not be. */
  #shownRange(): { from: number; end: number } {
    const before = this.#screen.textBeforeCursor;
    const printed = withoutSequences(this.#output);
    const isShown = (text: string) => {
      const visible = withoutInvisible(text);
      const isBeforeCursor = visible !== '' && before.endsWith(visible);
      return isBeforeCursor || (text.length >= MIN_FOUND_LENGTH && printed.includes(text));
    };
    const last = this.#held.findLastIndex(({ text }) => text !== '' && isShown(text));
    if (last === -1) return { from: 0, end: 0 };
    let from = last;
    // Several keys may be shown at once.
    for (let shown = this.#held[last]!.text; from > 0; from--) {
      shown = this.#held[from - 1]!.text + shown;
      if (!isShown(shown)) break;
    }
    return { from, end: last + 1 };
  }
}

const withoutSequences = (output: string): string =>
  output.replaceAll(/\x1b(?:\[[\x20-\x3f]*[\x40-\x7e]|[\]P][^\x07\x1b]*(?:\x07|\x1b\\)|.)/gs, '');

/** The first line of what was typed, without keys. Empty if there is none: a key alone is no secret. */
const textOf = (bytes: Uint8Array): string =>
  withoutSequences(Buffer.from(bytes).toString())
    .split(/[\x00-\x1f\x7f]/)
    .find((part) => part !== '') ?? '';
