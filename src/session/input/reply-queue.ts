/**
 * Types the terminal's answers to what programs ask it, while the one that asked can read them.
 *
 * A program may ask and end, or only print a file in which a question stands. Its answer would be
 * read by the next who reads: by a shell, as the begin of a command. So an answer waits while nobody
 * can read it, and is dropped when the shell is back at its prompt.
 */

import type { Screen } from '../../screen/screen.ts';
import type { PlacedMark } from '../../screen/sequences/shell-marks.ts';
import type { TerminalWait } from '../../system/foreground/thread.ts';
import { ignoresStopSignals } from '../../system/proc/process-info.ts';
import type { Pipes } from '../../system/terminal/pipes.ts';
import { Pty } from '../../system/terminal/pty.ts';
import type { Observation } from '../observation.ts';

/** What a terminal holds of input: a program that reads at all never has more before it. */
const MOST_UNREAD = 4096;

/**
 * A script that asks, and only then makes the terminal ready for the answer, does so in milliseconds;
 * two programs have to be started for that, on a machine with much to do.
 */
const LONGEST_WAIT_MS = 1000;
/** To look again takes some microseconds, so it may be soon. */
const FIRST_LOOK_MS = 2;
const LONGEST_REST_MS = 16;

interface PendingReply {
  text: string;
  askedMs: number;
  /** What the session's own shell had told last when it was asked for: a command runs, say. */
  mark: PlacedMark | undefined;
  /** Where the cursor stood. */
  cursor: { row: number; col: number };
  /** Whether it could have been read at once. */
  wasRaw: boolean;
}

export class ReplyQueue {
  readonly #screen: Screen;
  readonly #channel: Pty | Pipes;
  readonly #observe: () => Observation | undefined;
  /** In the order of the questions. */
  #waiting: PendingReply[] = [];
  #unread = 0;
  #timer: NodeJS.Timeout | undefined;
  #restMs = FIRST_LOOK_MS;

  constructor(screen: Screen, channel: Pty | Pipes, observe: () => Observation | undefined) {
    this.#screen = screen;
    this.#channel = channel;
    this.#observe = observe;
  }

  /** A question was parsed, and this is its answer. */
  add(text: string): void {
    // A program that asks and does not read must not make us keep its answers for ever.
    if (this.#unread > MOST_UNREAD) return;
    this.#unread += text.length;
    const screen = this.#screen;
    const channel = this.#channel;
    this.#waiting.push({
      text,
      askedMs: performance.now(),
      mark: screen.ownMark,
      cursor: screen.cursor,
      wasRaw: channel instanceof Pty && channel.lineMode?.canonical === false,
    });
  }

  /**
   * To be called when all output that has come is parsed: it may tell that the asker has ended.
   * Returns whether anything was typed.
   */
  flush(): boolean {
    if (this.#waiting.length === 0) return false;
    clearTimeout(this.#timer);
    let hasTyped = false;
    while (this.#waiting.length > 0) {
      const [first] = this.#waiting as [PendingReply];
      const fate = this.#fateOf(first);
      if (fate === 'wait') {
        this.#lookAgain();
        return hasTyped;
      }
      this.#waiting.shift();
      if (fate === 'type') this.#type(first);
      else this.#unread -= first.text.length;
      hasTyped ||= fate === 'type';
    }
    this.#restMs = FIRST_LOOK_MS;
    return hasTyped;
  }

  #lookAgain(): void {
    this.#timer = setTimeout(() => this.flush(), this.#restMs).unref();
    this.#restMs = Math.min(LONGEST_REST_MS, this.#restMs * 2);
  }

  #type({ text }: PendingReply): void {
    const taken = () => {
      this.#unread -= text.length;
    };
    // Whether it is taken or the program has ended: nobody else waits for it.
    void this.#channel.write(text).then(taken, taken);
  }

  #fateOf(answer: PendingReply): 'type' | 'wait' | 'drop' {
    const channel = this.#channel;
    const isLate = performance.now() - answer.askedMs > LONGEST_WAIT_MS;
    // Without a terminal there is nothing that could be asked.
    const mode = channel instanceof Pty ? channel.lineMode : undefined;
    if (!(channel instanceof Pty) || mode === undefined) return 'drop';
    const { mark } = answer;
    const isCommands = mark?.mark === 'output';
    if (isCommands && mark !== this.#screen.ownMark) return 'drop';
    // No answer ends a line, so whoever reads lines never gets it.
    if (mode.canonical) return isLate ? 'drop' : 'wait';
    // The shell has asked for itself, and will know what to do with it.
    if (mark !== undefined && !isCommands) return 'type';
    const group = channel.foregroundGroup;
    if (answer.wasRaw && (group === undefined || !ignoresStopSignals(group))) return 'type';
    const reader = this.#reader();
    if (reader === undefined) return isLate ? 'type' : 'wait';
    // A shell tells that a command has ended before it reads the next: it reads for a script of its own.
    const isOwn = isCommands && group === channel.pid;
    return isOwn || !reader.isShell || !this.#hasGoneOn(answer) ? 'type' : 'drop';
  }

  /** Who sleeps until something is typed, when all output has been read. */
  #reader(): TerminalWait | undefined {
    const threads = this.#observe()?.evidence.kernel?.threads ?? [];
    return threads.find(({ terminalWait }) => terminalWait !== undefined)?.terminalWait;
  }

  /** A shell that waits for the answer draws nothing before that; at its prompt, it has drawn that. */
  #hasGoneOn({ cursor }: PendingReply): boolean {
    const { row, col } = this.#screen.cursor;
    return row !== cursor.row || col !== cursor.col;
  }
}
