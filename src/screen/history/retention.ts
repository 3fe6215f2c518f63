/**
 * Which part of what was kept goes first when there is too much of it.
 *
 * The oldest, except what follows a reader's position: after a flood a reader is shown how it began
 * and how it ended, and the middle is what nobody gets. Bytes and lines are both kept in pages, and
 * both forget by this rule.
 */

/** How much is gone. */
export interface LostOutput {
  bytes: number;
  lines: number;
}

/** Who has read up to `position`, and is going to ask for what follows. */
export interface ReaderPosition {
  readonly position: number;
  /** Lines that had left the screen may have come back to it. */
  onResize?(): void;
}

export interface HistoryPage {
  /** The positions the page covers. */
  readonly from: number;
  readonly to: number;
  /** In the unit of the bound: bytes, lines. */
  readonly size: number;
}

/** At most this share of the bound is held for readers, so that the newest output always has room. */
const SHARE_FOR_READERS = 0.5;

/** The index of the page to drop. The last page, which is being written, is never dropped. */
export function pageToDrop(
  pages: readonly HistoryPage[],
  readings: Iterable<ReaderPosition>,
  { headBytes, max }: { headBytes: number; max: number },
): number {
  const heads = [...readings].map(({ position }) => ({ from: position, to: position + headBytes }));
  let held = 0;
  for (let index = 0; index < pages.length - 1; index++) {
    const page = pages[index]!;
    const isHead = heads.some(({ from, to }) => page.from < to && page.to > from);
    if (!isHead || held + page.size > max * SHARE_FOR_READERS) return index;
    held += page.size;
  }
  return -1;
}
