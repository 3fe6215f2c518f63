/** Follows one command by the marks around it: its shell's own, or those typed with it. */
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import type { PlacedMark } from '../../screen/sequences/shell-marks.ts';
import type { OutputSpan } from '../../views/text.ts';
import type { Session } from '../session.ts';

export interface CommandEnd {
  position: number;
  atMs: number;
  exitCode: number | undefined;
  cwd: string | undefined;
}

export class CommandTracker {
  /** Where its output begins; several where a shell takes it line by line. */
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];
  readonly #session: Session;
  /** Of typed marks; absent where the shell has its own. */
  readonly #key: string | undefined;
  /** A shell that is given a line at a time begins with each of them. */
  readonly #most: number;
  #rounds = 0;
  readonly #listener = (event: ScreenEvent) => this.#hear(event);
  /** Where the output stood before anything was typed. */
  readonly typedAt: number;
  onChange: () => void = () => {};
  beganMs: number | undefined;
  end: CommandEnd | undefined;
  #isEndAtPrompt = false;
  #isTaken = false;
  /** The shell has drawn a prompt, and has neither run the line nor said that it has ended. */
  isRefused = false;
  /** The shell has drawn its prompt since. */
  isPrompted = false;
  /** It has gone on with another line, which was typed ahead. */
  isFollowed = false;

  constructor(session: Session, command: string, key: string | undefined) {
    this.#session = session;
    this.#key = key;
    const isWhole = key !== undefined || session.screen.modes.bracketedPaste;
    this.#most = isWhole ? 1 : command.trimEnd().split('\n').length;
    this.typedAt = session.screen.position;
    this.#isTaken = !session.screen.modes.bracketedPaste;
    session.onScreenEvent.add(this.#listener);
  }

  get hasBegun(): boolean {
    return this.beganMs !== undefined;
  }

  /** A mark stands at its end, so what was printed before is its output, and all of it. */
  get isEndExact(): boolean {
    return this.end !== undefined && this.#ends.length > 0 && !this.#isEndAtPrompt;
  }

  /** Its output up to its end, or up to now. */
  ranges(now: number): OutputSpan[] {
    return this.#begins.map((from, at) => ({ from, to: this.#ends[at] ?? now }));
  }

  begin(position: number): void {
    // A shell that was given several lines at once has only told of the next of them.
    if (this.#isWriting) return;
    this.#begins.push(position);
    if (this.#rounds === 0 || this.end !== undefined) this.#rounds++;
    this.beganMs ??= performance.now();
    this.end = undefined;
    this.isPrompted = false;
  }

  get #isWriting(): boolean {
    return this.#begins.length > this.#ends.length;
  }

  stop(): void {
    this.#session.onScreenEvent.delete(this.#listener);
  }

  #hear(event: ScreenEvent): void {
    const { aid } = this.#session.shell;
    if (event.type === 'typed-mark' && event.key === this.#key) {
      if (event.typed === 'begin') this.begin(event.position);
      else this.#ended(event.position, event.exitCode, event.cwd);
    } else if (event.type === 'mark' && aid !== undefined && event.aid === aid) {
      this.#hearOwn(event);
    } else {
      // Line editors switch it off when they have taken a line. Until then a prompt is redrawn.
      if (event.type === 'mode' && event.mode === 'bracketedPaste' && !event.on)
        this.#isTaken = true;
      return;
    }
    this.onChange();
  }

  #hearOwn(mark: PlacedMark): void {
    const { cwd } = this.#session.screen;
    const isOver = this.end !== undefined && this.#rounds >= this.#most;
    // A shell within our shell has told of its end itself.
    if (isOver && (this.isFollowed || mark.mark === 'output' || this.#key !== undefined)) {
      this.isPrompted = true;
      this.isFollowed ||= mark.mark === 'output';
    } else if (mark.mark === 'output') {
      if (this.#key === undefined && !mark.next) this.begin(mark.position);
      else if (this.#isWriting) this.#ends.push(mark.position);
    } else if (mark.mark === 'done') {
      this.#ended(mark.position, mark.exitCode, cwd);
    } else if (mark.mark === 'input' && this.#isTaken) {
      this.isRefused = !this.hasBegun && this.end === undefined;
      this.isPrompted = !this.isRefused;
      if (this.isRefused) return;
      this.#isEndAtPrompt ||= this.end === undefined;
      // For a user whose own hooks have put ours out of the way.
      if (this.end === undefined) this.#ended(mark.position, mark.exitCode, undefined);
    }
  }

  #ended(position: number, exitCode: number | undefined, cwd: string | undefined): void {
    if (this.end === undefined && this.#isWriting) this.#ends.push(position);
    // A shell may tell twice: where the output ends first, the folder and the right code later.
    this.end = {
      position: this.end?.position ?? position,
      atMs: this.end?.atMs ?? performance.now(),
      exitCode: exitCode ?? this.end?.exitCode,
      cwd,
    };
  }
}
