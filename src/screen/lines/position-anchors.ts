/**
 * Maps positions in the output to places on the screen, for the positions that matter.
 *
 * Views hide an echo or a prompt given as positions, but xterm does not keep which byte drew a
 * cell. So the cursor is recorded while the output is exactly at such a position. It is recorded as
 * a line and a cell in it, which do not change when the screen scrolls or wraps differently.
 */

import type { LiveLinesSnapshot } from '../screen-snapshot.ts';

export interface PositionAnchor {
  /** The line's id: see live-lines.ts. */
  id: number;
  /** Cells before the anchor, from the start of the line over all its rows: see line-pieces.ts. */
  cell: number;
  /** Characters before the anchor. Known only after the row has left the buffer. */
  index?: number;
}

/** Older prompts and echoes are no longer hidden when their text is read again. */
const MAX_ANCHORS = 4096;

export class PositionAnchors {
  readonly #byPosition = new Map<number, PositionAnchor>();
  readonly #byLine = new Map<number, PositionAnchor[]>();

  add(position: number, anchor: PositionAnchor): void {
    if (this.#byPosition.has(position)) return;
    this.#byPosition.set(position, anchor);
    const onLine = this.#byLine.get(anchor.id);
    if (onLine === undefined) this.#byLine.set(anchor.id, [anchor]);
    else onLine.push(anchor);
    if (this.#byPosition.size > MAX_ANCHORS) this.#forgetOldest();
  }

  get(position: number): PositionAnchor | undefined {
    return this.#byPosition.get(position);
  }

  /** The anchors on a line that is still in the buffer. */
  onLine(id: number): readonly PositionAnchor[] {
    return this.#byLine.get(id) ?? [];
  }

  /** Called when the line has left the buffer. */
  forgetLine(id: number): void {
    this.#byLine.delete(id);
  }

  /** The line was cut after `cells`. Moves the anchors without an index to the next piece. */
  moveToPiece(id: number, { id: next, cells }: { id: number; cells: number }): void {
    const later = this.onLine(id).filter(({ index }) => index === undefined);
    this.#byLine.delete(id);
    if (later.length === 0) return;
    for (const anchor of later) {
      anchor.id = next;
      anchor.cell -= cells;
    }
    this.#byLine.set(next, [...this.onLine(next), ...later]);
  }

  snapshot(): LiveLinesSnapshot['anchors'] {
    return [...this.#byPosition].map(([position, anchor]) => ({
      position,
      ...anchor,
      isLive: this.onLine(anchor.id).includes(anchor),
    }));
  }

  restore(anchors: LiveLinesSnapshot['anchors']): void {
    for (const { position, isLive, ...anchor } of anchors) {
      this.#byPosition.set(position, anchor);
      if (isLive) this.#byLine.set(anchor.id, [...this.onLine(anchor.id), anchor]);
    }
  }

  #forgetOldest(): void {
    const [oldest] = this.#byPosition;
    const [position, anchor] = oldest!;
    this.#byPosition.delete(position);
    const left = this.#byLine.get(anchor.id)?.filter((other) => other !== anchor) ?? [];
    if (left.length === 0) this.#byLine.delete(anchor.id);
    else this.#byLine.set(anchor.id, left);
  }
}
