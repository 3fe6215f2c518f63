/** The sessions of one host, under the names that they have here: calls, results, events and errors. */
import type { DaemonSessions } from '../daemon/client/daemon-sessions.ts';
import { DaemonLost, DaemonSilent, HostLost, NameTaken, SessionNotFound } from '../errors.ts';
import type {
  OpenOptions,
  ReadOptions,
  RunOptions,
  SendOptions,
  WaitOptions,
} from '../session/options/options.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionResult,
  SessionState,
  SessionSummary,
  Sessions,
} from '../session/sessions.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import { sessionOnHost } from './session-address.ts';

export type FarSessions = Sessions & Pick<DaemonSessions, 'attach' | 'detach' | 'caller'>;

export class HostSessions implements FarSessions {
  readonly #host: string;
  readonly #far: FarSessions;
  /** As which processes the host knows this one: each bridge is another. */
  readonly #bridgePids = new Set<number>();
  /** Whether it was reached at all. */
  hasAnswered = false;

  constructor(host: string, far: FarSessions) {
    this.#host = host;
    this.#far = far;
  }

  async open(options?: OpenOptions, call?: CallOptions): Promise<SessionResult> {
    const result = await this.#ask(() => this.#far.open(options, this.#call(call)));
    await this.#noteBridge();
    return this.#named(result);
  }

  async send(session: string, input: SendOptions, call?: CallOptions): Promise<SessionResult> {
    return this.#named(await this.#ask(() => this.#far.send(session, input, this.#call(call))));
  }

  async run(command: string, options?: RunOptions, call?: CallOptions): Promise<RunResult> {
    return this.#named(await this.#ask(() => this.#far.run(command, options, this.#call(call))));
  }

  type(session: string, bytes: Uint8Array, call?: CallOptions): Promise<void> {
    return this.#ask(() => this.#far.type(session, bytes, this.#call(call)));
  }

  take(session: string, call?: CallOptions): Promise<void> {
    return this.#ask(() => this.#far.take(session, this.#call(call)));
  }

  giveBack(session: string, call?: CallOptions): Promise<void> {
    return this.#ask(() => this.#far.giveBack(session, this.#call(call)));
  }

  async read(session: string, options?: ReadOptions, call?: CallOptions): Promise<SessionResult> {
    return this.#named(await this.#ask(() => this.#far.read(session, options, this.#call(call))));
  }

  async wait(options?: WaitOptions, call?: CallOptions): Promise<SessionResult> {
    return this.#named(await this.#ask(() => this.#far.wait(options, this.#call(call))));
  }

  async list(): Promise<SessionSummary[]> {
    const summaries = await this.#ask(() => this.#far.list());
    await this.#noteBridge();
    return summaries.map((summary) => this.#named(this.#ofThisProcess(summary)));
  }

  async #noteBridge(): Promise<void> {
    const own = await this.caller();
    if (own?.pid !== undefined) this.#bridgePids.add(own.pid);
  }

  /** What this process has opened there was opened by a bridge. */
  #ofThisProcess(summary: SessionSummary): SessionSummary {
    const { openedBy } = summary;
    if (openedBy.pid === undefined || !this.#bridgePids.has(openedBy.pid)) return summary;
    return { ...summary, openedBy: { ...openedBy, pid: process.pid } };
  }

  resize(session: string, cols: number, rows: number): Promise<void> {
    return this.#ask(() => this.#far.resize(session, cols, rows));
  }

  rename(session: string, to: string): Promise<void> {
    return this.#ask(() => this.#far.rename(session, to));
  }

  signal(session: string, signal: string): Promise<void> {
    return this.#ask(() => this.#far.signal(session, signal));
  }

  close(session: string, options?: CloseOptions): Promise<CloseResult> {
    return this.#ask(() => this.#far.close(session, options));
  }

  closeAll(options?: CloseOptions): Promise<CloseResult> {
    return this.#ask(() => this.#far.closeAll(options));
  }

  attach: FarSessions['attach'] = (...args) => this.#ask(() => this.#far.attach(...args));

  detach: FarSessions['detach'] = (...args) => this.#ask(() => this.#far.detach(...args));

  caller: FarSessions['caller'] = () => this.#ask(() => this.#far.caller());

  subscribe(
    listener: (event: SessionEvent) => void,
    session?: string,
    types?: readonly SessionEvent['type'][],
  ): () => void {
    return this.#far.subscribe((event) => listener(this.#event(event)), session, types);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.#far[Symbol.asyncDispose]();
  }

  #name = (name: string): string => sessionOnHost(this.#host, name);

  #named<S extends SessionState>(state: S): S {
    return { ...state, session: this.#name(state.session) };
  }

  #call({ onProgress, onNamed, ...call }: CallOptions = {}): CallOptions {
    return {
      ...call,
      ...(onProgress && {
        onProgress: (progress) =>
          onProgress({ ...progress, session: this.#name(progress.session) }),
      }),
      ...(onNamed && { onNamed: (name) => onNamed(this.#name(name)) }),
    };
  }

  #event(event: SessionEvent): SessionEvent {
    const session = this.#name(event.session);
    if (event.type === 'renamed') return { ...event, session, to: this.#name(event.to) };
    if (event.type === 'state')
      return { ...event, session, situation: this.#named(event.situation) };
    return { ...event, session };
  }

  async #ask<T>(act: () => Promise<T>): Promise<T> {
    try {
      const answer = await act();
      this.hasAnswered = true;
      return answer;
    } catch (error) {
      throw this.#error(error);
    }
  }

  #error(error: unknown): unknown {
    if (error instanceof SessionNotFound) {
      const { session, open, exited = [] } = error.details;
      const name = session === '*' ? session : this.#name(session);
      return new SessionNotFound(name, open.map(this.#name), exited.map(this.#name));
    }
    if (error instanceof NameTaken) return new NameTaken(this.#name(error.details.name));
    if (error instanceof DaemonLost) return new HostLost(this.#host, 'the bridge has ended');
    if (error instanceof DaemonSilent)
      return new HostLost(this.#host, `it has not answered for ${error.details.waitedMs / 1000} s`);
    return error;
  }
}
