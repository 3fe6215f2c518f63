/** The last shell marks. Any program can print marks, so the own shell's are kept separately. */
import type { MarksSnapshot } from '../screen-snapshot.ts';
import type { ShellMark } from './screen-events.ts';

export type PositionedMark = ShellMark & { position: number };

export class LastShellMarks {
  /** From any shell, or from a program that imitates one. */
  last: PositionedMark | undefined;
  /** From the session's own shell. */
  own: PositionedMark | undefined;
  /** Where the current prompt of the session's own shell begins. */
  ownPromptAt: number | undefined;
  readonly #ownAid: string | undefined;

  constructor(ownAid: string | undefined) {
    this.#ownAid = ownAid;
  }

  add(mark: PositionedMark): void {
    this.last = mark;
    if (this.#ownAid !== undefined && mark.aid === this.#ownAid) this.#addOwn(mark);
  }

  forget(): void {
    this.last = undefined;
    this.own = undefined;
    this.ownPromptAt = undefined;
  }

  snapshot(): MarksSnapshot {
    const { last, own, ownPromptAt } = this;
    return {
      ...(last && { last }),
      ...(own && { own }),
      ...(ownPromptAt !== undefined && { ownPromptAt }),
    };
  }

  restore({ last, own, ownPromptAt }: MarksSnapshot): void {
    this.last = last as PositionedMark | undefined;
    this.own = own as PositionedMark | undefined;
    this.ownPromptAt = ownPromptAt;
  }

  #addOwn(mark: PositionedMark): void {
    // The prompt was drawn again without a mark at its start, for example after an empty line.
    if (mark.mark === 'input' && this.own?.mark === 'input') this.ownPromptAt = undefined;
    this.own = mark;
    if (mark.mark === 'prompt') this.ownPromptAt = mark.position;
    if (mark.mark === 'output') this.ownPromptAt = undefined;
  }
}
