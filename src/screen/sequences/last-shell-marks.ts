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
  /** Where zsh, or a program that imitates it, has begun the last sign for a missing line end. */
  #signAt: number | undefined;
  readonly #ownAid: string | undefined;

  constructor(ownAid: string | undefined) {
    this.#ownAid = ownAid;
  }

  add(mark: PositionedMark): void {
    this.last = mark;
    if (this.#ownAid !== undefined && mark.aid === this.#ownAid) this.#addOwn(mark);
  }

  noteSign(position: number): void {
    this.#signAt = position;
  }

  /**
   * Where the output before an own mark `done` ends. Any program can print the mark before a sign, but the
   * last one before `done` is the shell's.
   */
  outputEnd(done: PositionedMark): number {
    const hasSign = done.mark === 'done' && done.sign === true;
    return hasSign ? (this.#signAt ?? done.position) : done.position;
  }

  forget(): void {
    this.#signAt = undefined;
    this.last = undefined;
    this.own = undefined;
    this.ownPromptAt = undefined;
  }

  snapshot(): MarksSnapshot {
    const { last, own, ownPromptAt } = this;
    const signAt = this.#signAt;
    return {
      ...(signAt !== undefined && { signAt }),
      ...(last && { last }),
      ...(own && { own }),
      ...(ownPromptAt !== undefined && { ownPromptAt }),
    };
  }

  restore({ last, own, ownPromptAt, signAt }: MarksSnapshot): void {
    this.#signAt = signAt;
    this.last = last as PositionedMark | undefined;
    this.own = own as PositionedMark | undefined;
    this.ownPromptAt = ownPromptAt;
  }

  #addOwn(mark: PositionedMark): void {
    // The prompt was drawn again without a mark at its start, for example after an empty line.
    if (mark.mark === 'input' && this.own?.mark === 'input') this.ownPromptAt = undefined;
    this.own = mark;
    if (mark.mark === 'prompt') this.ownPromptAt = mark.position;
    if (mark.mark === 'output') {
      this.ownPromptAt = undefined;
      this.#signAt = undefined;
    }
  }
}
