/**
 * Decides which part of the history is dropped when there is too much of it.
 *
 * It is the oldest part, except the output right after a reader's position: after a flood a reader
 * gets its beginning and its end, and only the middle is lost. Bytes and lines are both kept in
 * pages, and both follow this rule.
 */

/** The amount of output that is no longer kept. */
export interface LostOutput {
  bytes: number;
  lines: number;
}

/** A reader that has read up to `position` and will read on from there. */
export interface ReaderPosition {
  readonly position: number;
  /** Called after a resize: lines that had left the screen may be back on it. */
  onResize?(): void;
}

export interface HistoryPage {
  /** The positions the page covers. */
  readonly from: number;
  readonly to: number;
  /** In the unit of `max`, unless another is asked for: bytes or lines. */
  readonly size: number;
}

/** At most this share is reserved for readers, so that there is room for the newest output. */
const MAX_READER_SHARE = 0.5;

/** The index of the page to drop, or -1. The last page is never dropped, because it still grows. */
export function pageToDrop<Page extends HistoryPage>(
  pages: readonly Page[],
  readers: Iterable<ReaderPosition>,
  { headBytes, max }: { headBytes: number; max: number },
  sizeOf: (page: Page) => number = ({ size }) => size,
): number {
  const heads = [...readers].map(({ position }) => ({ from: position, to: position + headBytes }));
  let reserved = 0;
  for (let index = 0; index < pages.length - 1; index++) {
    const page = pages[index]!;
    const isHead = heads.some(({ from, to }) => page.from < to && page.to > from);
    if (!isHead || reserved + sizeOf(page) > max * MAX_READER_SHARE) return index;
    reserved += sizeOf(page);
  }
  return -1;
}
