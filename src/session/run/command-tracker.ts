/** Tracks one command by the marks around it: its shell's own marks, or marks typed with it. */

import type { PositionedMark } from '../../screen/sequences/last-shell-marks.ts';
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import type { PrintingState } from '../../screen/xterm/printing-state.ts';
import type { OutputSpan } from '../../views/text.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { Session } from '../session.ts';
import type { TrackerSnapshot } from '../snapshot/session-snapshot.ts';
import { fromEpochMs, toEpochMs } from '../snapshot/time-in-snapshot.ts';

export interface CommandEnd {
  position: number;
  atMs: number;
  exitCode: number | undefined;
  cwd: string | undefined;
}

/** A part of a command's output. */
export interface CommandRange extends OutputSpan {
  /** How text is printed where it begins. Absent: as in a new terminal. */
  printing?: PrintingState;
}

export class CommandTracker {
  /** Where its output starts. There are several starts if a shell runs it line by line. */
  readonly #starts: TrackerSnapshot['starts'] = [];
  readonly #ends: number[] = [];
  readonly #session: Session;
  /** The key of typed marks. Absent if the shell prints its own. */
  readonly #key: string | undefined;
  /** How often the shell will start to run something: for each line, if it gets them one at a time. */
  readonly #expectedRuns: number;
  #runs = 0;
  readonly #listener = (event: ScreenEvent) => this.#onEvent(event);
  /** The position of the output before anything was typed. */
  readonly typedAt: number;
  onChange: () => void = () => {};
  startedMs: number | undefined;
  end: CommandEnd | undefined;
  #isEndAtPrompt = false;
  /** The shell is at its prompt again, but could not mark whether and when it has run the line. */
  isStartUnseen = false;
  /** Whether the line editor has taken the line. Before that, a prompt is only redrawn. */
  #isLineTaken = false;
  /** The shell has drawn a prompt, but has neither run the line nor marked its end. */
  isRefused = false;
  /** The shell has drawn its prompt since the end. */
  isPromptDrawn = false;
  /** The shell has started another line, which was typed ahead. */
  isNextStarted = false;

  /** For a command that is typed next. */
  static begin(session: Session, command: string, key: string | undefined): CommandTracker {
    const { modes, position } = session.screen;
    const isOneRun = key !== undefined || modes.bracketedPaste;
    const expectedRuns = isOneRun ? 1 : command.trimEnd().split('\n').length;
    const tracker = new CommandTracker(session, { key, expectedRuns, typedAt: position });
    tracker.#isLineTaken = !modes.bracketedPaste;
    return tracker;
  }

  static restore(session: Session, snapshot: TrackerSnapshot): CommandTracker {
    const { starts, ends, runs, startedAt, end, isEndAtPrompt, isLineTaken, ...rest } = snapshot;
    const { key, expectedRuns, typedAt, ...flags } = rest;
    const tracker = new CommandTracker(session, { key, expectedRuns, typedAt });
    Object.assign(tracker, flags);
    tracker.#starts.push(...starts);
    tracker.#ends.push(...ends);
    tracker.#runs = runs;
    tracker.startedMs = startedAt === undefined ? undefined : fromEpochMs(startedAt);
    if (end !== undefined) {
      const { position, at, exitCode, cwd } = end;
      tracker.end = { position, atMs: fromEpochMs(at), exitCode, cwd };
    }
    tracker.#isEndAtPrompt = isEndAtPrompt;
    tracker.#isLineTaken = isLineTaken;
    return tracker;
  }

  private constructor(
    session: Session,
    {
      key,
      expectedRuns,
      typedAt,
    }: { key: string | undefined; expectedRuns: number; typedAt: number },
  ) {
    this.#session = session;
    this.#key = key;
    this.#expectedRuns = expectedRuns;
    this.typedAt = typedAt;
    session.onScreenEvent.add(this.#listener);
  }

  snapshot(): TrackerSnapshot {
    const { end, startedMs } = this;
    return {
      ...ifDefined('key', this.#key),
      starts: [...this.#starts],
      ends: [...this.#ends],
      expectedRuns: this.#expectedRuns,
      runs: this.#runs,
      typedAt: this.typedAt,
      ...(startedMs !== undefined && { startedAt: toEpochMs(startedMs) }),
      ...(end && {
        end: {
          position: end.position,
          at: toEpochMs(end.atMs),
          ...ifDefined('exitCode', end.exitCode),
          ...ifDefined('cwd', end.cwd),
        },
      }),
      isEndAtPrompt: this.#isEndAtPrompt,
      isStartUnseen: this.isStartUnseen,
      isLineTaken: this.#isLineTaken,
      isRefused: this.isRefused,
      isPromptDrawn: this.isPromptDrawn,
      isNextStarted: this.isNextStarted,
    };
  }

  /** Whether this is the mark that was typed before the command. */
  isTypedStart(event: ScreenEvent): boolean {
    return event.type === 'typed-mark' && event.key === this.#key && event.typed === 'begin';
  }

  get hasStarted(): boolean {
    return this.startedMs !== undefined;
  }

  /** Whether a mark stands exactly at the command's end. Then everything before the mark is its output. */
  get isEndExact(): boolean {
    return this.end !== undefined && this.#ends.length > 0 && !this.#isEndAtPrompt;
  }

  /** Its output up to its end, or up to now. */
  ranges(now: number): CommandRange[] {
    return this.#starts.map(({ position, ...start }, at) => ({
      ...start,
      from: position,
      to: this.#ends[at] ?? now,
    }));
  }

  /** `printing` is absent at the start of a session. */
  start(position: number, printing?: PrintingState): void {
    // A shell that got several lines at once has only marked the next one of them.
    if (this.#isRunning) return;
    this.#starts.push({ position, ...ifDefined('printing', printing) });
    if (this.#runs === 0 || this.end !== undefined) this.#runs++;
    this.startedMs ??= performance.now();
    this.end = undefined;
    this.isPromptDrawn = false;
  }

  get #isRunning(): boolean {
    return this.#starts.length > this.#ends.length;
  }

  stop(): void {
    this.#session.onScreenEvent.delete(this.#listener);
  }

  #onEvent(event: ScreenEvent): void {
    const { aid } = this.#session.shell;
    if (event.type === 'typed-mark' && event.key === this.#key) {
      if (event.typed === 'begin') this.start(event.position, this.#session.screen.printing);
      else this.#onEnd(event.position, event.exitCode, event.cwd);
    } else if (event.type === 'mark' && aid !== undefined && event.aid === aid) {
      this.#onOwnMark(event);
    } else {
      // Line editors switch bracketed paste off when they have taken a line.
      if (event.type === 'mode' && event.mode === 'bracketedPaste' && !event.on)
        this.#isLineTaken = true;
      return;
    }
    this.onChange();
  }

  #onOwnMark(mark: PositionedMark): void {
    const { screen } = this.#session;
    const isOver = this.end !== undefined && this.#runs >= this.#expectedRuns;
    // With typed marks, a shell within our shell has already marked the end.
    if (isOver && (this.isNextStarted || mark.mark === 'output' || this.#key !== undefined)) {
      this.isPromptDrawn = true;
      this.isNextStarted ||= mark.mark === 'output';
    } else if (mark.mark === 'output') {
      if (this.#key === undefined && !mark.next) this.start(mark.position, screen.printing);
      else if (this.#isRunning) this.#ends.push(mark.position);
    } else if (mark.mark === 'done') {
      this.isStartUnseen = mark.unseen === true && !this.hasStarted;
      this.#onEnd(screen.marks.outputEnd(mark), mark.exitCode, screen.cwd);
    } else if (mark.mark === 'input' && this.#isLineTaken) {
      this.isStartUnseen ||= mark.unseen === true && !this.hasStarted && this.end === undefined;
      this.isRefused = !this.hasStarted && this.end === undefined && !this.isStartUnseen;
      this.isPromptDrawn = !this.isRefused;
      if (this.isRefused) return;
      this.#isEndAtPrompt ||= this.end === undefined;
      // The user's own hooks may have replaced ours: then only the prompt marks the end.
      if (this.end === undefined) this.#onEnd(mark.position, mark.exitCode, undefined);
    }
  }

  #onEnd(position: number, exitCode: number | undefined, cwd: string | undefined): void {
    if (this.end === undefined && this.#isRunning) this.#ends.push(position);
    // A shell may mark the end twice: first the end of the output, then the folder and the right code.
    this.end = {
      position: this.end?.position ?? position,
      atMs: this.end?.atMs ?? performance.now(),
      exitCode: exitCode ?? this.end?.exitCode,
      cwd,
    };
  }
}
