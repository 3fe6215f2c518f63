/**
 * Where on the screen a position of the output lies, for positions that matter.
 *
 * Views leave out an echo or a prompt given as positions, but a byte has no place once it is drawn.
 * So the place of the cursor is noted while the output stands exactly at such a position. It is
 * noted as a line and a cell in it, which scrolling and wrapping anew do not change.
 */

export interface AnchoredPlace {
  /** The line's id: see live-lines.ts. */
  id: number;
  /** Cells before the place, counted from the start of the line over all its rows: see pieces.ts. */
  cell: number;
  /** Characters before the place, known once the row has left the screen. */
  index?: number;
}

/** Prompts and echoes older than this many are no longer left out of a text read again. */
const MAX_ANCHORS = 4096;

export class Anchors {
  readonly #places = new Map<number, AnchoredPlace>();
  readonly #onLine = new Map<number, AnchoredPlace[]>();

  add(position: number, place: AnchoredPlace): void {
    if (this.#places.has(position)) return;
    this.#places.set(position, place);
    const onLine = this.#onLine.get(place.id);
    if (onLine === undefined) this.#onLine.set(place.id, [place]);
    else onLine.push(place);
    if (this.#places.size > MAX_ANCHORS) this.#forgetOldest();
  }

  get(position: number): AnchoredPlace | undefined {
    return this.#places.get(position);
  }

  /** The places on a line that still need to be turned into an index. */
  unresolved(id: number): readonly AnchoredPlace[] {
    return this.#onLine.get(id) ?? [];
  }

  resolved(id: number): void {
    this.#onLine.delete(id);
  }

  /** The line was cut: places without an index lie on the piece that follows, so many cells less. */
  follow(id: number, { id: next, cells }: { id: number; cells: number }): void {
    const later = this.unresolved(id).filter(({ index }) => index === undefined);
    this.#onLine.delete(id);
    if (later.length === 0) return;
    for (const place of later) {
      place.id = next;
      place.cell -= cells;
    }
    this.#onLine.set(next, [...this.unresolved(next), ...later]);
  }

  #forgetOldest(): void {
    const [oldest] = this.#places;
    const [position, place] = oldest!;
    this.#places.delete(position);
    const left = this.#onLine.get(place.id)?.filter((other) => other !== place) ?? [];
    if (left.length === 0) this.#onLine.delete(place.id);
    else this.#onLine.set(place.id, left);
  }
}
