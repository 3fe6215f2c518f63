/**
 * The sessions that one caller reaches. One that is confined reaches only those that are confined at least
 * as much: through another it could do what its own sandbox keeps it from.
 */
import { NotWhileConfined, SessionNotFound } from '../../../errors.ts';
import { assertReaches, type Confinement, reaches } from '../../../session/confinement.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import type { WaitOptions } from '../../../session/options/options.ts';
import type { SessionEvent, SessionSummary } from '../../../session/sessions.ts';
import type { CloseOptions, CloseResult } from '../../../system/terminal/terminal.ts';

export class ReachableSessions {
  readonly #sessions: LocalSessions;
  readonly #confinement: Confinement;

  constructor(sessions: LocalSessions, confinement: Confinement) {
    this.#sessions = sessions;
    this.#confinement = confinement;
  }

  get isConfined(): boolean {
    return this.#confinement.sandbox !== undefined;
  }

  /** Throws if the session is there, and may do more than the caller. */
  assert(...names: readonly (string | undefined)[]): void {
    if (!this.isConfined) return;
    for (const name of names) {
      if (name === undefined) continue;
      // Nobody knows what a session may do that cannot be gone on with.
      if (this.#sessions.left.isSetAside(name)) assertReaches(this.#confinement, { name });
      else if (this.#sessions.has(name))
        assertReaches(this.#confinement, this.#sessions.find(name));
    }
  }

  /** Throws if the caller is confined: it concerns all sessions, and the daemon itself. */
  assertFree(act: string): void {
    const { sandbox } = this.#confinement;
    if (sandbox !== undefined) throw new NotWhileConfined(act, sandbox.profile);
  }

  async list(): Promise<SessionSummary[]> {
    const all = await this.#sessions.list();
    return all.filter(({ session }) => this.#reaches(session));
  }

  /** Without names, those that it reaches are waited for. */
  waitOptions(options: WaitOptions): WaitOptions {
    this.assert(...(options.sessions ?? []));
    if (!this.isConfined || options.sessions !== undefined) return options;
    const reached = this.#sessions.all.filter((session) => reaches(this.#confinement, session));
    if (reached.length === 0) throw new SessionNotFound('*', []);
    const unreported = reached.filter(({ isExitReported }) => !isExitReported);
    const waitedFor = unreported.length > 0 ? unreported : reached;
    return { ...options, sessions: waitedFor.map(({ name }) => name) };
  }

  async closeAll(options: CloseOptions): Promise<CloseResult> {
    if (!this.isConfined) return this.#sessions.closeAll(options);
    const reached = this.#sessions.all.filter((session) => reaches(this.#confinement, session));
    const closed = await Promise.all(
      reached.map(({ name }) => this.#sessions.close(name, options)),
    );
    return { survivors: closed.flatMap(({ survivors }) => survivors) };
  }

  /** A listener that hears only of sessions that the caller reaches. */
  filter(listener: (event: SessionEvent) => void): (event: SessionEvent) => void {
    if (!this.isConfined) return listener;
    // When a session is closed or renamed, it is no longer found under its name.
    const heardOf = new Set<string>();
    return (event) => {
      if (!heardOf.has(event.session) && !this.#reaches(event.session)) return;
      heardOf.add(event.session);
      if (event.type === 'closed') heardOf.delete(event.session);
      if (event.type === 'renamed') {
        heardOf.delete(event.session);
        heardOf.add(event.to);
      }
      listener(event);
    };
  }

  #reaches(name: string): boolean {
    return this.#sessions.has(name) && reaches(this.#confinement, this.#sessions.find(name));
  }
}
