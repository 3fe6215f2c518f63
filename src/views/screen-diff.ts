/** The diff view: what changed on the screen since this reader saw it last. */
import type { Screen } from '../screen/screen.ts';
import type { HighlightedText } from './highlighted-text.ts';
import type { SeenScreenSnapshot } from './reader-snapshot.ts';
import { makeScreenView, type ScreenView } from './screen.ts';

export interface ScreenDiffView extends Omit<ScreenView, 'lines' | 'hidden' | 'marked' | 'styles'> {
  /** The rows whose text is different now. An erased row is "". */
  changed: { row: number; text: string }[];
  /** How many characters of each row a person cannot see, if they are new or the row has changed. */
  hidden: number[];
  /** Text that stands out now and did not before. */
  marked: HighlightedText[];
  /** The screen cannot be compared with the one seen before, so `changed` has all rows. */
  isNew: boolean;
}

export class ScreenViewReader {
  readonly #screen: Screen;
  #seen: Omit<ScreenView, 'styles'> | undefined;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** The whole screen. The next diff is against this one. */
  read(): ScreenView {
    const view = makeScreenView(this.#screen);
    this.#seen = view;
    return view;
  }

  /** Undefined if it has seen none yet. */
  get seen(): SeenScreenSnapshot | undefined {
    return this.#seen;
  }

  restore(seen: SeenScreenSnapshot): void {
    this.#seen = seen;
  }

  diff(): ScreenDiffView {
    const before = this.#seen;
    const { lines, marked, hidden, ...now } = this.read();
    const isNew =
      before === undefined ||
      before.cols !== now.cols ||
      before.rows !== now.rows ||
      before.alternate !== now.alternate;
    const rows = Math.max(lines.length, isNew ? 0 : before.lines.length);
    const changed = Array.from({ length: rows }, (_row, row) => ({ row, text: lines[row] ?? '' }));
    if (isNew) return { ...now, isNew, changed, marked, hidden };
    const seen = new Set(before.marked.map(keyOf));
    const isChanged = (row: number) => (lines[row] ?? '') !== (before.lines[row] ?? '');
    return {
      ...now,
      isNew,
      changed: changed.filter(({ row }) => isChanged(row)),
      hidden: hidden.map((count, row) =>
        isChanged(row) ? count : Math.max(0, count - before.hidden[row]!),
      ),
      marked: marked.filter((mark) => !seen.has(keyOf(mark))),
    };
  }
}

const keyOf = ({ row, col, text }: HighlightedText): string => `${row};${col};${text}`;
