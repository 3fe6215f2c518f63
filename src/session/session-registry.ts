/** The open sessions by name: limits their number, and closes an old one to make room for a new one. */
import { SessionNotFound, TooManySessions } from '../errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import { LeftSessions } from './keeping/left-sessions.ts';
import type { Session } from './session.ts';
import { chooseSessionName } from './session-names.ts';

/** The steps that open a session, once it has a name. */
export interface SessionOpening {
  /** Throws if the session may not be opened. Resolves to how its programs must be confined. */
  permit(name: string): Promise<Sandbox | undefined>;
  open(name: string, sandbox: Sandbox | undefined): Promise<Session>;
}

interface DismissedSession {
  session: Session;
  closing: Promise<CloseResult>;
}

export class SessionRegistry {
  readonly #maxSessions: number;
  readonly #idleMs: number;
  readonly #sessions = new Map<string, Session>();
  readonly #opening = new Map<string, Promise<Session>>();
  /** Sessions that callers no longer see, but are still closing. They keep their names until closed. */
  readonly #dismissed = new Map<string, DismissedSession>();
  /** Those of another process. They are open, and are gone on with before anything else is done with them. */
  readonly left = new LeftSessions((session) => this.#insert(session));
  /** The last reservation in the queue. */
  #lastReservation: Promise<void> = Promise.resolve();
  /** Sessions that have a place reserved and are not open yet. */
  #reserved = 0;

  constructor({ maxSessions, idleMs }: { maxSessions: number; idleMs: number }) {
    this.#maxSessions = maxSessions;
    this.#idleMs = idleMs;
  }

  /** Without those in `left`. */
  get all(): Session[] {
    return [...this.#sessions.values()];
  }

  /** The sessions whose exit has not been reported to a caller, or all if there are none. */
  get unreportedOrAll(): Session[] {
    const unreported = this.all.filter(({ isExitReported }) => !isExitReported);
    return unreported.length > 0 ? unreported : this.all;
  }

  get(name: string): Session | undefined {
    return this.#sessions.get(name) ?? this.left.restore(name);
  }

  find(name: string): Session {
    const session = this.get(name);
    if (session !== undefined) return session;
    const hasExited = ({ terminal }: Session) => terminal.exit !== undefined;
    const names = (sessions: Session[]) => sessions.map((other) => other.name);
    const open = [...names(this.all.filter((other) => !hasExited(other))), ...this.left.waiting];
    throw new SessionNotFound(name, open, names(this.all.filter(hasExited)));
  }

  /** A session that is being opened is known before this returns, so that `closeAll` finds it. */
  async add(
    requestedName: string | undefined,
    program: string,
    steps: SessionOpening,
  ): Promise<Session> {
    const isOpen = (name: string) =>
      this.#sessions.has(name) || this.#opening.has(name) || this.left.has(name);
    // A requested name whose session is still closing is not refused: `#open` waits until it is free.
    const isTaken = (name: string) =>
      isOpen(name) || (name !== requestedName && this.#dismissed.has(name));
    const name = chooseSessionName(requestedName, program, isTaken);
    const opening = this.#open(name, steps);
    this.#opening.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(name);
    }
  }

  /** Throws as `add` does if the name cannot be had. */
  rename(name: string, to: string): void {
    const session = this.find(name);
    chooseSessionName(to, '', this.#isTaken);
    this.#sessions.delete(name);
    session.name = to;
    this.#sessions.set(to, session);
  }

  /** A name that `rename` accepts: this one, or the same with a number. */
  freeName(wanted: string): string {
    return chooseSessionName(undefined, wanted, this.#isTaken);
  }

  readonly #isTaken = (name: string): boolean =>
    [this.#sessions, this.#opening, this.#dismissed, this.left].some((all) => all.has(name));

  async close(session: Session, options: CloseOptions = {}): Promise<CloseResult> {
    const closed = await session.close(options);
    // Another caller may have closed it in the meantime, and its name may belong to a new session.
    if (this.#sessions.get(session.name) === session) this.#sessions.delete(session.name);
    return closed;
  }

  /** Removes a session whose program has ended, and closes it in the background. */
  dismiss(session: Session): Promise<CloseResult> {
    // It may be closed already, and its name may belong to a new session.
    if (this.#sessions.get(session.name) !== session) return session.close({});
    this.#sessions.delete(session.name);
    const closing = this.#closeDismissed(session);
    this.#dismissed.set(session.name, { session, closing });
    return closing;
  }

  /**
   * Also closes sessions that are still opening, or were dismissed or set aside. An error does not keep
   * the others from being closed; the first error is thrown at the end.
   */
  async closeAll(options: CloseOptions): Promise<CloseResult> {
    await Promise.allSettled(this.#opening.values());
    if (this.left.isWaiting) await this.left.restoreAll();
    const dismissed = [...this.#dismissed.values()];
    const sessions = [...dismissed.map(({ session }) => session), ...this.all];
    const closings = await Promise.allSettled([
      ...sessions.map((session) => this.close(session, options)),
      ...this.left.setAside.map(({ name }) => this.left.close(name, options)),
    ]);
    await Promise.allSettled(dismissed.map(({ closing }) => closing));
    const survivors = closings.flatMap((closing) => {
      if (closing.status === 'rejected') throw closing.reason;
      return closing.value.survivors;
    });
    // Several sessions name the same process if each of them may have started it.
    return { survivors: [...new Map(survivors.map((each) => [each.pid, each])).values()] };
  }

  /** A session that was open before is listed at its old place. */
  #insert(session: Session): void {
    const sessions = [...this.all, session].sort((a, b) => a.openedMs - b.openedMs);
    this.#sessions.clear();
    for (const each of sessions) this.#sessions.set(each.name, each);
  }

  async #closeDismissed(session: Session): Promise<CloseResult> {
    try {
      return await session.close({});
    } catch (error) {
      // It is still open: list it again, so that it can be closed later.
      this.#sessions.set(session.name, session);
      throw error;
    } finally {
      this.#dismissed.delete(session.name);
    }
  }

  async #open(name: string, { permit, open }: SessionOpening): Promise<Session> {
    await this.#dismissed.get(name)?.closing;
    const sandbox = await permit(name);
    await this.#reserve();
    try {
      const session = await open(name, sandbox);
      this.#sessions.set(name, session);
      return session;
    } finally {
      this.#reserved--;
    }
  }

  /** One after another: two at the same time would displace the same session. */
  #reserve(): Promise<void> {
    const reservation = this.#lastReservation.then(() => this.#makeRoom());
    this.#lastReservation = reservation.catch(() => {});
    return reservation;
  }

  /** Closes an exited session if need be, else an idle one; the longest unused first. */
  async #makeRoom(): Promise<void> {
    const isFull = () =>
      this.#sessions.size + this.#reserved + this.left.all.length >= this.#maxSessions;
    // Only then it is known which of them have exited.
    if (isFull() && this.left.isWaiting) await this.left.restoreAll();
    if (isFull()) {
      const oldestFirst = this.all.sort((a, b) => a.usedMs - b.usedMs);
      const now = performance.now();
      const displaced =
        oldestFirst.find(({ terminal }) => terminal.exit !== undefined) ??
        oldestFirst.find(({ usedMs, isInUse }) => !isInUse && now - usedMs >= this.#idleMs);
      if (displaced === undefined) {
        const open = oldestFirst.map(({ name, usedMs }) => ({
          name,
          idleMs: Math.round(now - usedMs),
        }));
        throw new TooManySessions(this.#maxSessions, open);
      }
      await this.close(displaced);
    }
    this.#reserved++;
  }
}
