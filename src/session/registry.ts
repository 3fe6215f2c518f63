/** Which sessions there are: their names, how many there may be, and which one has to go for a new one. */
import { SessionNotFound, TooManySessions } from '../errors.ts';
import type { Closed, CloseOptions } from '../pty/channel.ts';
import { nameFor } from './names.ts';
import type { Session } from './session.ts';

/** How a session comes into being, once it has a name. */
export interface Opening {
  /** Throws if it may not be opened. */
  permit(name: string): Promise<void>;
  open(name: string): Promise<Session>;
}

export class Registry {
  readonly #maxSessions: number;
  readonly #idleMs: number;
  readonly #sessions = new Map<string, Session>();
  readonly #opening = new Map<string, Promise<Session>>();
  readonly #dismissed = new Set<Promise<Closed>>();
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

  async add(asked: string | undefined, program: string, steps: Opening): Promise<Session> {
    const isTaken = (name: string) => this.#sessions.has(name) || this.#opening.has(name);
    const name = nameFor(asked, program, isTaken);
    const opening = this.#open(name, steps);
    this.#opening.set(name, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(name);
    }
  }

  async close(session: Session, options: CloseOptions = {}): Promise<Closed> {
    const closed = await session.close(options);
    // Somebody else may have closed it meanwhile, and given its name to another.
    if (this.#sessions.get(session.name) === session) this.#sessions.delete(session.name);
    return closed;
  }

  /** For a session whose program has ended: it is no longer there, and is closed when time permits. */
  dismiss(session: Session): void {
    this.#sessions.delete(session.name);
    const closing = session.close({}).finally(() => this.#dismissed.delete(closing));
    this.#dismissed.add(closing);
    // Whoever closes all is told; nobody else asks for what is left of a command that has ended.
    closing.catch(() => {});
  }

  /** Those that are being opened as well. */
  async closeAll(options: CloseOptions): Promise<Closed> {
    await Promise.allSettled(this.#opening.values());
    await Promise.all(this.#dismissed);
    const all = await Promise.all(this.all.map((session) => this.close(session, options)));
    return { survivors: all.flatMap(({ survivors }) => survivors) };
  }

  async #open(name: string, { permit, open }: Opening): Promise<Session> {
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
        byUse.find(({ usedMs }) => now - usedMs >= this.#idleMs);
      if (displaced === undefined) {
        const open = byUse.map(({ name, usedMs }) => ({ name, idleMs: Math.round(now - usedMs) }));
        throw new TooManySessions(this.#maxSessions, open);
      }
      await this.close(displaced);
    }
    this.#reserved++;
  }
}
