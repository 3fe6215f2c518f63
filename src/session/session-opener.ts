/** Opens sessions, or goes on with those of another process, and watches them until their end. */
import { RefusedByGuard } from '../errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CloseResult } from '../system/terminal/terminal.ts';
import { actorOf, type Caller } from './caller.ts';
import { type Confinement, confinedBy, sandboxFor } from './confinement.ts';
import type { EventSubscriptions } from './event-subscriptions.ts';
import type { Gate } from './input/gate.ts';
import type { LeftSession } from './keeping/left-session.ts';
import type { GoingOn } from './keeping/left-sessions.ts';
import type { SessionKeeping } from './keeping/session-keeping.ts';
import { ifDefined } from './options/if-defined.ts';
import type { SessionsOptions } from './options/options.ts';
import type { OpenRequest } from './options/requests.ts';
import { assertHistoryLimits } from './options/validate-options.ts';
import type { Recording } from './recording/recording.ts';
import type { RecordedRequest, SessionRecordings } from './recording/session-recordings.ts';
import { reportClosing } from './report-closing.ts';
import { Session } from './session.ts';
import type { AdoptTerminal, SessionDeps } from './session-parts.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { CallOptions, SessionEventBody } from './sessions.ts';
import { trustedSnapshot } from './snapshot/check-snapshot.ts';
import type { SessionSnapshot } from './snapshot/session-snapshot.ts';
import { reopenNetwork } from './start-program.ts';
import { callAfterDelay } from './wait/call-after-delay.ts';

/** A session whose events may come before it is complete, and whose name may change after that. */
interface OpeningSession {
  name: string;
  session?: Session;
  /** What it has done before must not be told again. */
  isReplaying?: boolean;
}

/** What the process must know that goes on with the session. */
interface RestorableDeps {
  recording?: Recording | undefined;
  term?: string | undefined;
  attachments?: ReadonlyMap<string, unknown> | undefined;
  sandbox?: Sandbox | undefined;
}

const nameOf = ({ session, name }: OpeningSession): string => session?.name ?? name;

export interface SessionOpenerDeps {
  options: Required<SessionsOptions>;
  registry: SessionRegistry;
  subscriptions: EventSubscriptions;
  recordings: SessionRecordings;
  /** Of callers of which nothing else is said. */
  confinement: Confinement;
}

export class SessionOpener {
  readonly #options: Required<SessionsOptions>;
  readonly #registry: SessionRegistry;
  readonly #subscriptions: EventSubscriptions;
  readonly #recordings: SessionRecordings;
  readonly #confinement: Confinement;
  /** Absent: sessions end with this process. */
  keeping: SessionKeeping | undefined;
  /** Absent: everything may be started and typed. */
  gate: Gate | undefined;

  constructor({ options, registry, subscriptions, recordings, confinement }: SessionOpenerDeps) {
    this.#options = options;
    this.#registry = registry;
    this.#subscriptions = subscriptions;
    this.#recordings = recordings;
    this.#confinement = confinement;
  }

  /** `run`: the one command that a new shell runs. */
  async open(request: OpenRequest, call: CallOptions, run?: string): Promise<Session> {
    assertHistoryLimits(request.history);
    const { command, cwd, program } = request;
    const { guard } = this.#options;
    const actor = actorOf(call);
    // Nothing is awaited before it: what is not in the registry yet would escape a `closeAll`.
    const session = await this.#registry.add(request.name, program, {
      permit: async (name) => {
        const confinement = call.confinement ?? this.#confinement;
        const least = await this.gate?.leastSandbox();
        const sandbox = sandboxFor(request.sandbox, confinedBy(least, confinement));
        const acted = { actor: actor.name, caller: actor.caller };
        const refusal = await guard({ act: 'open', session: name, command, cwd, ...acted });
        if (refusal !== undefined) throw new RefusedByGuard('opened', refusal);
        await this.gate?.beforeOpen({
          session: name,
          command,
          cwd,
          run,
          actor,
          asking: call,
        });
        return sandbox;
      },
      open: async (name, sandbox) => {
        call.onNamed?.(name);
        const opening: OpeningSession = { name };
        const recording = this.#startRecording(opening, request, actor.caller);
        try {
          const deps = this.#depsOf(opening, actor.caller, {
            recording,
            term: request.env.TERM,
            attachments: call.attachments,
            sandbox,
          });
          opening.session = await Session.open(name, request, deps);
          return opening.session;
        } catch (error) {
          this.#recordings.delete(name);
          throw error;
        }
      },
    });
    this.#watch(session);
    return session;
  }

  /** Goes on with a session of another process, under its name. */
  async restore(snapshot: SessionSnapshot, adopt: AdoptTerminal): Promise<void> {
    const { name, command, openedBy } = snapshot;
    const restored: OpeningSession = { name };
    const session = await this.#registry.add(name, command[0] ?? '', {
      permit: async () => snapshot.sandbox,
      open: async (_name, sandbox) => {
        const deps = this.#depsOf(restored, openedBy, { sandbox });
        restored.session = await Session.restore(snapshot, adopt, deps);
        return restored.session;
      },
    });
    this.#watch(session);
    this.#reopenNetwork(session);
  }

  /** Goes on with a session that a killed process has left, when it is asked for. */
  takeOver(left: LeftSession, { onRestored, onLost }: Omit<GoingOn, 'restore'>): void {
    this.#registry.left.add(left, {
      restore: () => this.#goOnWith(left),
      onRestored: (session) => {
        this.#subscriptions.catchUp(session);
        this.#endInTime(session);
        this.#reopenNetwork(session);
        onRestored(session);
      },
      onLost,
    });
  }

  /** Its recording goes on in a new file. */
  #goOnWith(left: LeftSession): Session {
    const { label } = left;
    const { session: written, ...state } = left.read();
    const snapshot = trustedSnapshot(written, label.version);
    const { name, openedBy, command } = snapshot;
    const restored: OpeningSession = { name, isReplaying: true };
    const { screen: shown } = snapshot;
    const { cols, rows } = 'xterm' in shown ? shown.xterm : shown;
    const term = label.recording?.term;
    const request = {
      record: label.recording !== undefined,
      command,
      cols,
      rows,
      env: { TERM: term },
    };
    const recording = this.#startRecording(restored, request, openedBy);
    const deps = this.#depsOf(restored, openedBy, { recording, term, sandbox: snapshot.sandbox });
    try {
      const session = Session.takeOver(snapshot, left, state, deps);
      restored.session = session;
      restored.isReplaying = false;
      const { screen } = session;
      const bytes = Buffer.from(screen.dump());
      recording?.record({ type: 'output', bytes, position: screen.position });
      return session;
    } catch (error) {
      this.#recordings.delete(name);
      throw error;
    }
  }

  #startRecording(
    opening: OpeningSession,
    request: RecordedRequest,
    openedBy: Caller,
  ): Recording | undefined {
    return this.#recordings.start(opening.name, request, {
      openedBy,
      dump: () => opening.session?.screen.dump() ?? '',
      onTrouble: (message) =>
        this.#subscriptions.emit(nameOf(opening), { type: 'trouble', message }),
    });
  }

  /** Nobody waits for this closing, so problems are reported to subscribers. */
  report(session: Session, closing: Promise<CloseResult>): void {
    void reportClosing(session, closing, (message) =>
      this.#subscriptions.emit(session.name, { type: 'trouble', message }),
    );
  }

  #depsOf(
    opening: OpeningSession,
    openedBy: Caller,
    { recording, term, attachments, sandbox }: RestorableDeps = {},
  ): SessionDeps {
    const { guard, secrets } = this.#options;
    const emit = (event: SessionEventBody) => {
      if (opening.isReplaying) return;
      recording?.record(event);
      this.#subscriptions.emit(nameOf(opening), event);
      if (event.type === 'closed') this.#recordings.delete(nameOf(opening));
    };
    return {
      openedBy,
      guard,
      emit,
      secretNames: (program) => secrets.names(program),
      ...ifDefined('keeping', this.keeping),
      ...ifDefined('gate', this.gate),
      ...(recording && { recording: { term } }),
      ...ifDefined('attachments', attachments),
      ...ifDefined('sandbox', sandbox),
    };
  }

  #watch(session: Session): void {
    this.#subscriptions.watchState(session);
    this.#endInTime(session);
  }

  #reopenNetwork(session: Session): void {
    reopenNetwork(session.sandbox, session.terminal).catch((error: Error) => {
      // It may have ended meanwhile.
      if (session.terminal.exit !== undefined) return;
      const message = `Its programs have no network any more: ${error.message}`;
      this.#subscriptions.emit(session.name, { type: 'trouble', message });
    });
  }

  #endInTime(session: Session): void {
    const close = () => this.report(session, this.#registry.close(session));
    const { seconds = Number.POSITIVE_INFINITY } = session.sandbox?.limits ?? {};
    const leftMs =
      Math.min(this.#options.lifetimeMs, seconds * 1000) - (performance.now() - session.openedMs);
    const cancel = callAfterDelay(Math.max(0, leftMs), close);
    void session.terminal.ended.then(cancel);
  }
}
