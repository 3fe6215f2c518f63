/** Which sessions there are: their names, how many there may be, and which one has to go for a new one. */
import { SessionNotFound, TooManySessions } from '../errors.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/channel.ts';
import type { Session } from './session.ts';
import { nameFor } from './session-names.ts';

/** How a session comes into being, once it has a name. */
export interface SessionOpening {
  /** Throws if it may not be opened. */
  permit(name: string): Promise<void>;
  open(name: string): Promise<Session>;
}

interface DismissedSession {
  session: Session;
  closing: Promise<CloseResult>;
}

export class Registry {
  readonly #maxSessions: number;
  readonly #idleMs: number;
  readonly #sessions = new Map<string, Session>();
  readonly #opening = new Map<string, Promise<Session>>();
  /** No longer there for anybody, and not closed yet: until that is told, their names are theirs. */
  readonly #dismissed = new Map<string, DismissedSession>();
  /** The last one in the queue for room, and how many have been given some and are not open yet. */
  #room: Promise<void> = Promise.resolve();
  #reserved = 0;

  constructor({ maxSessions, idleMs }: { maxSessions: number; idleMs: number }) {
    this.#maxSessions = maxSessions;
    this.#idleMs = idleMs;
  }

  get all(): Session[] {
    return [...this.#sessions.values()];
  }

  find(name: string): Session {
    const session = this.#sessions.get(name);
    if (session !== undefined) return session;
    const hasExited = ({ channel }: Session) => channel.exit !== undefined;
    const names = (sessions: Session[]) => sessions.map((other) => other.name);
    const open = this.all.filter((other) => !hasExited(other));
    throw new SessionNotFound(name, names(open), names(this.all.filter(hasExited)));
  }

  async add(asked: string | undefined, program: string, steps: SessionOpening): Promise<Session> {
    const isThere = (name: string) => this.#sessions.has(name) || this.#opening.has(name);
    // Whoever asks for a name that will be free in a moment gets it then.
    const isTaken = (name: string) =>
      isThere(name) || (name !== asked && this.#dismissed.has(name));
    const name = nameFor(asked, program, isTaken);
    const opening = this.#open(name, steps);
    this.#opening.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(name);
    }
  }

  async close(session: Session, options: CloseOptions = {}): Promise<CloseResult> {
    const closed = await session.close(options);
    // Somebody else may have closed it meanwhile, and given its name to another.
    if (this.#sessions.get(session.name) === session) this.#sessions.delete(session.name);
    return closed;
  }

  /** For a session whose program has ended: it is no longer there, and is closed when time permits. */
  dismiss(session: Session): Promise<CloseResult> {
    // Somebody may have closed it, and given its name to another.
    if (this.#sessions.get(session.name) !== session) return session.close({});
    this.#sessions.delete(session.name);
    const closing = this.#closeDismissed(session);
    this.#dismissed.set(session.name, { session, closing });
    return closing;
  }

  /**
   * Those that are being opened or dismissed as well. All are closed, though one cannot be; then the
   * first error is thrown.
   */
  async closeAll(options: CloseOptions): Promise<CloseResult> {
    await Promise.allSettled(this.#opening.values());
    const dismissed = [...this.#dismissed.values()];
    const sessions = [...dismissed.map(({ session }) => session), ...this.all];
    const closings = await Promise.allSettled(
      sessions.map((session) => this.close(session, options)),
    );
    await Promise.allSettled(dismissed.map(({ closing }) => closing));
    return {
      survivors: closings.flatMap((closing) => {
        if (closing.status === 'rejected') throw closing.reason;
        return closing.value.survivors;
      }),
    };
  }

  async #closeDismissed(session: Session): Promise<CloseResult> {
    try {
      return await session.close({});
    } catch (error) {
      // It is there after all, and can be closed again.
      this.#sessions.set(session.name, session);
      throw error;
    } finally {
      this.#dismissed.delete(session.name);
    }
  }

  async #open(name: string, { permit, open }: SessionOpening): Promise<Session> {
    await this.#dismissed.get(name)?.closing;
    await permit(name);
    await this.#reserve();
    try {
      const session = await open(name);
      this.#sessions.set(name, session);
      return session;
    } finally {
      this.#reserved--;
    }
  }

  /** One after another: two that looked at the same time would displace the same session. */
  #reserve(): Promise<void> {
    const turn = this.#room.then(() => this.#makeRoom());
    this.#room = turn.catch(() => {});
    return turn;
  }

  /** Exited sessions go first, the longest unused before others; then idle ones. */
  async #makeRoom(): Promise<void> {
    if (this.#sessions.size + this.#reserved >= this.#maxSessions) {
      const byUse = this.all.sort((a, b) => a.usedMs - b.usedMs);
      const now = performance.now();
      const displaced =
        byUse.find(({ channel }) => channel.exit !== undefined) ??
        byUse.find(({ usedMs, isInUse }) => !isInUse && now - usedMs >= this.#idleMs);
      if (displaced === undefined) {
        const open = byUse.map(({ name, usedMs }) => ({ name, idleMs: Math.round(now - usedMs) }));
        throw new TooManySessions(this.#maxSessions, open);
      }
      await this.close(displaced);
    }
    this.#reserved++;
  }
}
