/**
 * The sessions that another process has left, until this one has gone on with them: each when it is asked
 * for, and the others one by one. Those of which nothing can be made are set aside: their programs live,
 * and they can be closed.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CloseOptions, CloseResult } from '../../system/terminal/terminal.ts';
import type { Session } from '../session.ts';
import type { LeftSession } from './left-session.ts';

/** How this process goes on with a session. */
export interface GoingOn {
  /** Throws if nothing can be made of it. */
  restore(left: LeftSession): Session;
  /** Called when it can be found by its name. */
  onRestored(session: Session): void;
  /** Called when it is set aside. */
  onLost(left: LeftSession, problem: string): void;
}

export class LeftSessions {
  readonly #addToOpen: (session: Session) => void;
  readonly #waiting = new Map<string, { left: LeftSession; goingOn: GoingOn }>();
  readonly #setAside = new Map<string, LeftSession>();
  #restoringAll: Promise<void> | undefined;

  /** `addToOpen`: it is found by its name from now on. */
  constructor(addToOpen: (session: Session) => void) {
    this.#addToOpen = addToOpen;
  }

  add(left: LeftSession, goingOn: GoingOn): void {
    if (this.has(left.name)) throw new Error(`there is another session "${left.name}"`);
    if (left.problem === undefined) this.#waiting.set(left.name, { left, goingOn });
    else this.#putAside(left, left.problem, goingOn);
  }

  /** Whether the name is taken. */
  has(name: string): boolean {
    return this.#waiting.has(name) || this.#setAside.has(name);
  }

  get all(): LeftSession[] {
    return [...[...this.#waiting.values()].map(({ left }) => left), ...this.#setAside.values()];
  }

  /** Whether there are any that can be gone on with. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** The names of those. */
  get waiting(): string[] {
    return [...this.#waiting.keys()];
  }

  get setAside(): LeftSession[] {
    return [...this.#setAside.values()];
  }

  /** Goes on with it now. Undefined if there is none of that name, or if nothing can be made of it. */
  restore(name: string): Session | undefined {
    const waiting = this.#waiting.get(name);
    if (waiting === undefined) return undefined;
    const { left, goingOn } = waiting;
    this.#waiting.delete(name);
    let session: Session;
    try {
      session = goingOn.restore(left);
    } catch (error) {
      this.#putAside(left, (error as Error).message, goingOn);
      return undefined;
    }
    this.#addToOpen(session);
    goingOn.onRestored(session);
    return session;
  }

  /** Goes on with all, one by one: whoever asks for another one meanwhile is served in between. */
  restoreAll(): Promise<void> {
    this.#restoringAll ??= this.#restoreOneByOne().finally(() => {
      this.#restoringAll = undefined;
    });
    return this.#restoringAll;
  }

  isSetAside(name: string): boolean {
    return this.#setAside.has(name);
  }

  /** Ends the program of one that was set aside. */
  async close(name: string, options: CloseOptions): Promise<CloseResult> {
    const closed = await this.#setAside.get(name)?.close(options);
    this.#setAside.delete(name);
    return closed ?? { survivors: [] };
  }

  async #restoreOneByOne(): Promise<void> {
    for (;;) {
      const name = this.#leastSuspicious();
      if (name === undefined) return;
      this.restore(name);
      await nextTurn();
    }
  }

  /** If the daemon dies of one, the others live by then. If it is killed meanwhile, another one is counted. */
  #leastSuspicious(): string | undefined {
    let found: LeftSession | undefined;
    for (const { left } of this.#waiting.values())
      if (found === undefined || left.kept.work.deaths < found.kept.work.deaths) found = left;
    return found?.name;
  }

  #putAside(left: LeftSession, problem: string, { onLost }: GoingOn): void {
    left.setAside(problem);
    this.#setAside.set(left.name, left);
    onLost(left, problem);
  }
}
