/**
 * Types the terminal's replies to queries (such as "where is the cursor?") while the program that sent
 * the query can read them.
 *
 * A program may send a query and exit, or only print a file that contains one. A shell would then read
 * the reply as the start of a command. So a reply waits until it can be read, and is dropped when the
 * shell is back at its prompt.
 */

import type { Screen } from '../../screen/screen.ts';
import type { PositionedMark } from '../../screen/sequences/last-shell-marks.ts';
import type { Observation } from '../../state/judge.ts';
import type { TerminalWait } from '../../system/foreground/observe-thread.ts';
import { isInteractiveShell } from '../../system/proc/process-info.ts';
import { readProcessStat } from '../../system/proc/process-stat.ts';
import type { Terminal } from '../../system/terminal/terminal.ts';
import type { RepliesSnapshot } from '../snapshot/session-snapshot.ts';
import { fromEpochMs, toEpochMs } from '../snapshot/time-in-snapshot.ts';

/** The size of a terminal's input buffer: a program that reads at all never has more unread. */
const MAX_UNREAD = 4096;

/**
 * Some scripts send a query first, and then make the terminal ready for the reply. That takes
 * milliseconds, but two programs have to be started for it, and the machine may be busy.
 */
const MAX_WAIT_MS = 1000;
/** Checking again takes only microseconds, so the first pause is short. */
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 16;

interface PendingReply {
  text: string;
  queryMs: number;
  /** The last mark of the session's own shell at the query. It tells whether a command was running. */
  mark: PositionedMark | undefined;
  /** The cursor at the query. */
  cursor: { row: number; col: number };
  /** Whether the terminal was in raw mode, so that the reply could have been read at once. */
  wasRaw: boolean;
}

export class TerminalReplyQueue {
  readonly #screen: Screen;
  readonly #terminal: Terminal;
  readonly #observe: () => Observation | undefined;
  /** Called before a reply is typed, and when it is dropped: it will not be typed again. */
  onSettled: () => void = () => {};
  /** While true, output is repeated whose queries may have been answered. */
  isReplaying = false;
  /** In the order of the queries. */
  #pending: PendingReply[] = [];
  /** The length of all replies that have not been written yet. */
  #unread = 0;
  #timer: NodeJS.Timeout | undefined;
  #pauseMs = FIRST_PAUSE_MS;

  constructor(screen: Screen, terminal: Terminal, observe: () => Observation | undefined) {
    this.#screen = screen;
    this.#terminal = terminal;
    this.#observe = observe;
  }

  /** Called when a query was parsed, with the reply to it. */
  add(text: string): void {
    // A program that sends queries and never reads must not fill our memory with replies.
    if (this.#unread > MAX_UNREAD) return;
    this.#unread += text.length;
    const screen = this.#screen;
    const terminal = this.#terminal;
    this.#pending.push({
      text,
      queryMs: performance.now(),
      mark: screen.marks.own,
      cursor: screen.cursor,
      wasRaw: terminal.lineMode?.canonical === false,
    });
  }

  /**
   * Must be called after all output so far is parsed: it may show that the query's program has ended.
   * Returns whether anything was typed.
   */
  flush(): boolean {
    if (this.#pending.length === 0 || this.isReplaying) return false;
    clearTimeout(this.#timer);
    let hasTyped = false;
    while (this.#pending.length > 0) {
      const [first] = this.#pending as [PendingReply];
      const decision = this.#decide(first);
      if (decision === 'wait') {
        this.#flushLater();
        return hasTyped;
      }
      this.#pending.shift();
      this.onSettled();
      if (decision === 'type') this.#type(first);
      else this.#unread -= first.text.length;
      hasTyped ||= decision === 'type';
    }
    this.#pauseMs = FIRST_PAUSE_MS;
    return hasTyped;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** The process before this one has typed or dropped the first reply. */
  forgetFirst(): void {
    this.#unread -= this.#pending.shift()?.text.length ?? 0;
  }

  snapshot(): RepliesSnapshot {
    return this.#pending.map(({ queryMs, mark, ...reply }) => ({
      ...reply,
      queriedAt: toEpochMs(queryMs),
      ...(mark && { mark }),
    }));
  }

  restore(replies: RepliesSnapshot): void {
    for (const { queriedAt, mark, ...reply } of replies) {
      const queryMs = fromEpochMs(queriedAt);
      this.#pending.push({ ...reply, queryMs, mark: mark as PositionedMark | undefined });
      this.#unread += reply.text.length;
    }
    if (replies.length > 0) this.#flushLater();
  }

  #flushLater(): void {
    this.#timer = setTimeout(() => this.flush(), this.#pauseMs).unref();
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2);
  }

  #type({ text }: PendingReply): void {
    const onWritten = () => {
      this.#unread -= text.length;
    };
    // A failed write means that the program has ended, which is reported elsewhere.
    void this.#terminal.write(text).then(onWritten, onWritten);
  }

  #decide(reply: PendingReply): 'type' | 'wait' | 'drop' {
    const terminal = this.#terminal;
    const isLate = performance.now() - reply.queryMs > MAX_WAIT_MS;
    // Without a terminal nothing can reply to queries.
    const mode = terminal.lineMode;
    if (mode === undefined) return 'drop';
    const { mark } = reply;
    const isFromCommand = mark?.mark === 'output';
    // The command has ended since.
    if (isFromCommand && mark.position !== this.#screen.marks.own?.position) return 'drop';
    // No reply ends a line, so a program in canonical mode never gets it.
    if (mode.canonical) return isLate ? 'drop' : 'wait';
    // The shell itself has sent the query, and expects the reply.
    if (mark !== undefined && !isFromCommand) return 'type';
    const group = terminal.foregroundGroup;
    if (reply.wasRaw && !isShell(group)) return 'type';
    const reader = this.#reader();
    if (reader === undefined) return isLate ? 'type' : 'wait';
    // A shell marks the end of a command before it reads the next one. Without that mark it reads for
    // a script of its own.
    const isOwnScript = isFromCommand && group === terminal.programPid;
    return isOwnScript || !reader.isShell || !this.#hasCursorMoved(reply) ? 'type' : 'drop';
  }

  /** The thread that sleeps until the terminal has input, if all output has been read. */
  #reader(): TerminalWait | undefined {
    const threads = this.#observe()?.evidence.kernel?.threads ?? [];
    return threads.find(({ terminalWait }) => terminalWait !== undefined)?.terminalWait;
  }

  /** A shell that waits for the reply draws nothing before it. One at its prompt has drawn the prompt. */
  #hasCursorMoved({ cursor }: PendingReply): boolean {
    const { row, col } = this.#screen.cursor;
    return row !== cursor.row || col !== cursor.col;
  }
}

const isShell = (leader: number | undefined): boolean => {
  const stat = leader === undefined ? undefined : readProcessStat(leader);
  return stat !== undefined && isInteractiveShell(stat);
};
