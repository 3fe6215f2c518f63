/** A session that another process has left: known by its label until it is gone on with, or closed. */
import { fstatSync, statSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { KeeperLink, ReceivedSession } from '../../keeper/keeper-link.ts';
import { SessionStore, type StoredRecord } from '../../keeper/session-store.ts';
import { readProcessStat } from '../../system/proc/process-stat.ts';
import { rememberSession } from '../../system/process/possible-starters.ts';
import type { Exit } from '../../system/process/reaper.ts';
import { sessionMarkOf } from '../../system/process/session-mark.ts';
import { adoptTerminal } from '../../system/terminal/adopt-terminal.ts';
import { ptySlavePath } from '../../system/terminal/pty-device.ts';
import type { CloseOptions, CloseResult, Terminal } from '../../system/terminal/terminal.ts';
import type { OnOutput } from '../../system/terminal/terminal-reader.ts';
import { KeptSession, readNotedLabel } from './kept-session.ts';
import { readSession, type SessionLabel } from './written-session.ts';

/** All of a session that was left. */
export interface LeftState {
  /** To be checked before anything is made of it, if another version has written it. */
  session: unknown;
  /** What happened after it was written down, and how much output after that is in no record. */
  records: readonly StoredRecord[];
  missing: number;
}

export class LeftSession {
  readonly label: SessionLabel;
  readonly kept: KeptSession;
  /** By which it is known who works in it. */
  readonly terminal: Pick<Terminal, 'pid' | 'startTime' | 'mark' | 'device' | 'isSandbox'>;
  /** Why it must not be gone on with. */
  problem: string | undefined;
  readonly #received: ReceivedSession;
  readonly #store: SessionStore;
  #adopted: Terminal | undefined;
  #receive: OnOutput = ignore;

  /** Throws if it cannot be known what it is. */
  constructor(received: ReceivedSession, link: KeeperLink) {
    const store = SessionStore.open(received.store);
    this.#received = received;
    this.#store = store;
    this.kept = new KeptSession(store, link, received.session);
    const { work } = this.kept;
    work.countDeath();
    if (work.isHopeless) throw new Error(work.problem);
    work.beginRestoring();
    this.label = readNotedLabel(store.label());
    for (const [key, value] of this.label.attachments) this.kept.attachments.set(key, value);
    const { pid } = store;
    const { mark, startTime, isSandbox } = this.label.terminal;
    if (pid <= 1) throw new Error('its program is not known');
    this.terminal = { pid, startTime, mark, isSandbox, device: deviceOf(received) };
    work.leave();
    this.problem = work.problem;
    // Whoever is closed before this one is gone on with must not take its processes for its own.
    rememberSession({ sessionToken: mark, mark: sessionMarkOf(mark), sid: pid, startTime });
  }

  get name(): string {
    return this.label.name;
  }

  /** Throws if it cannot be read. */
  read(): LeftState {
    this.kept.work.beginRestoring();
    const { body, records, missing } = this.#store.contents();
    return { session: readSession(body), records, missing };
  }

  adopt(onOutput: OnOutput): Terminal {
    const { main, second } = this.#received;
    const { pid, startTime, mark, isSandbox } = this.terminal;
    const exit = this.#exit;
    this.#receive = onOutput;
    this.#adopted ??= adoptTerminal({
      main,
      second,
      pid,
      startTime,
      mark,
      isSandbox,
      ...(exit && { exit }),
      keeping: this.kept,
      onOutput: (chunk) => this.#receive(chunk),
    });
    return this.#adopted;
  }

  /** How its program has ended: as it was noted, or lost if another process has its pid by now. */
  get #exit(): Exit | undefined {
    const { pid, startTime } = this.terminal;
    const running = readProcessStat(pid)?.startTime ?? startTime;
    return this.#store.exit ?? (running === startTime ? undefined : { isLost: true });
  }

  /** Leaves its program as it is. Nothing of its output is read any more. */
  setAside(problem: string): void {
    this.problem = problem;
    this.kept.work.leave();
    this.#receive = ignore;
    this.#adopted?.pause();
  }

  /** Ends its program, though nobody knows what it has shown. */
  async close(options: CloseOptions): Promise<CloseResult> {
    const { survivors } = await this.adopt(ignore).close(options);
    // A name may be the start of a secret that was typed there.
    return { survivors: survivors.map(({ pid }) => ({ pid, name: 'unknown' })) };
  }
}

const ignore: OnOutput = () => {};

/** Undefined where there is no terminal, or its name is gone. */
const deviceOf = ({ main, second }: ReceivedSession): number | undefined => {
  if (!isatty(main)) return undefined;
  if (second !== undefined) return fstatSync(second).rdev;
  return statSync(ptySlavePath(main), { throwIfNoEntry: false })?.rdev;
};
