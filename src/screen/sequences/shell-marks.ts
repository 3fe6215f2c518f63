/** What shells have marked last. Every program can print marks, so those of the own shell are apart. */
import type { ShellMark } from './screen-events.ts';

export type PlacedMark = ShellMark & { position: number };

export class ShellMarks {
  /** Of whichever shell, or of a program that pretends to be one. */
  last: PlacedMark | undefined;
  /** Of the session's own shell. */
  own: PlacedMark | undefined;
  /** Where the prompt begins at which the session's own shell is. */
  ownPromptAt: number | undefined;
  readonly #ownAid: string | undefined;

  constructor(ownAid: string | undefined) {
    this.#ownAid = ownAid;
  }

  note(mark: PlacedMark): void {
    this.last = mark;
    if (this.#ownAid !== undefined && mark.aid === this.#ownAid) this.#noteOwn(mark);
  }

  forget(): void {
    this.last = undefined;
    this.own = undefined;
    this.ownPromptAt = undefined;
  }

  #noteOwn(mark: PlacedMark): void {
    // Drawn anew, for example after a line that was no command: where it begins is not told.
    if (mark.mark === 'input' && this.own?.mark === 'input') this.ownPromptAt = undefined;
    this.own = mark;
    if (mark.mark === 'prompt') this.ownPromptAt = mark.position;
    if (mark.mark === 'output') this.ownPromptAt = undefined;
  }
}
