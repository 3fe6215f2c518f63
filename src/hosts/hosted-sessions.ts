/**
 * The sessions of this machine and of hosts, in one: that of a host is called `box/python3`.
 *
 * A host is connected to when it is first meant. From then on its sessions are listed with the others.
 */
import { DaemonNotRunning, SessionNotFound, UnknownHost, UnusableArgument } from '../errors.ts';
import type { Caller } from '../session/caller.ts';
import type {
  OpenOptions,
  ReadOptions,
  RunOptions,
  SendOptions,
  WaitOptions,
} from '../session/options/options.ts';
import { callDefaults } from '../session/options/options.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionResult,
  SessionSummary,
  Sessions,
  UnreachableHost,
} from '../session/sessions.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import { type FarSessions, HostSessions } from './host-sessions.ts';
import { splitSessionName } from './session-address.ts';

export interface HostedSessionsOptions {
  local: Sessions;
  /** The names of the hosts. */
  hosts: readonly string[];
  /** Whether a host that is none of these may be used. @default no */
  accepts?: (host: string) => boolean;
  /** Called once for each host that is used. */
  connect(host: string): FarSessions;
}

interface Subscription {
  listener: (event: SessionEvent) => void;
  types: readonly SessionEvent['type'][] | undefined;
  ends: (() => void)[];
}

/** What answers later than this is listed as unreachable: nobody waits for a list. */
const LIST_MS = 5000;
/** So that a wait on several machines can end at once: the first one that holds is then asked itself. */
const NO_LINE = '$^';

export class HostedSessions implements Sessions {
  readonly hosts: readonly string[];
  readonly #local: Sessions;
  readonly #connect: HostedSessionsOptions['connect'];
  readonly #accepts: (host: string) => boolean;
  readonly #used = new Map<string, HostSessions>();
  /** Those to all sessions: a host that is used later joins them. */
  readonly #subscriptions = new Set<Subscription>();

  constructor({ local, hosts, connect, accepts = () => false }: HostedSessionsOptions) {
    this.#accepts = accepts;
    this.#local = local;
    this.hosts = hosts;
    this.#connect = connect;
  }

  async open({ host, ...options }: OpenOptions = {}, call?: CallOptions): Promise<SessionResult> {
    return this.#machine(host).open(options, call);
  }

  send(session: string, input: SendOptions, call?: CallOptions): Promise<SessionResult> {
    return this.#of(session, (sessions, name) => sessions.send(name, input, call));
  }

  async run(
    command: string,
    { host, session, ...options }: RunOptions = {},
    call?: CallOptions,
  ): Promise<RunResult> {
    if (session === undefined) return this.#machine(host).run(command, options, call);
    return this.#of(session, (sessions, name) =>
      sessions.run(command, { ...options, session: name }, call),
    );
  }

  type(session: string, bytes: Uint8Array, call?: CallOptions): Promise<void> {
    return this.#of(session, (sessions, name) => sessions.type(name, bytes, call));
  }

  take(session: string, call?: CallOptions): Promise<void> {
    return this.#of(session, (sessions, name) => sessions.take(name, call));
  }

  giveBack(session: string, call?: CallOptions): Promise<void> {
    return this.#of(session, (sessions, name) => sessions.giveBack(name, call));
  }

  read(session: string, options?: ReadOptions, call?: CallOptions): Promise<SessionResult> {
    return this.#of(session, (sessions, name) => sessions.read(name, options, call));
  }

  async wait(options: WaitOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    const names = options.sessions ?? (await this.#unreportedOrAll());
    const machines = new Set(names.map((name) => splitSessionName(name).host));
    if (machines.size > 1) return this.#waitOnSeveral(names, options, call);
    const [host] = machines;
    const ownNames = names.map((name) => splitSessionName(name).name);
    // No names at all, or the names of one machine, are that machine's to judge.
    return this.#machine(host).wait({ ...options, sessions: ownNames }, call);
  }

  /** With the sessions of the hosts that are used. */
  async list(): Promise<SessionSummary[]> {
    // One that is lost is told by whoever asks it; `reachHosts` says why.
    const listHost = (host: HostSessions) => within(LIST_MS, host.list()).catch(() => undefined);
    const far = [...this.#used.values()].map(listHost);
    const [local, ...others] = await Promise.all([this.#listLocal(), ...far]);
    return [...local, ...others.flatMap((listed) => listed ?? [])];
  }

  /** Where no daemon runs, there are no sessions. */
  #listLocal(): Promise<SessionSummary[]> {
    return this.#local.list().catch((error) => {
      if (error instanceof DaemonNotRunning) return [];
      throw error;
    });
  }

  async reachHosts(): Promise<UnreachableHost[]> {
    return (await this.listHosts()).unreachable;
  }

  /** The sessions of all hosts, without those of this machine. @internal */
  async listHosts(): Promise<{ sessions: SessionSummary[]; unreachable: UnreachableHost[] }> {
    const sessions: SessionSummary[] = [];
    const unreachable: UnreachableHost[] = [];
    const listHost = async (host: string) => {
      try {
        const listed = await within(LIST_MS, this.listOn(host));
        if (listed !== undefined) sessions.push(...listed);
        else unreachable.push({ host, reason: `it has not answered for ${LIST_MS / 1000} s` });
      } catch (error) {
        unreachable.push({ host, reason: (error as Error).message });
      }
    };
    await Promise.all(this.hosts.map(listHost));
    return { sessions, unreachable };
  }

  /** However long that takes: a person may have to log in. @internal */
  async listOn(host: string): Promise<SessionSummary[]> {
    return this.#host(host).list();
  }

  resize(session: string, cols: number, rows: number): Promise<void> {
    return this.#of(session, (sessions, name) => sessions.resize(name, cols, rows));
  }

  async rename(session: string, to: string): Promise<void> {
    const [from, target] = [splitSessionName(session), splitSessionName(to)];
    if (target.host !== undefined && target.host !== from.host)
      throw new UnusableArgument('to', 'a session stays on its machine');
    await this.#machine(from.host).rename(from.name, target.name);
  }

  signal(session: string, signal: string): Promise<void> {
    return this.#of(session, (sessions, name) => sessions.signal(name, signal));
  }

  close(session: string, options?: CloseOptions): Promise<CloseResult> {
    return this.#of(session, (sessions, name) => sessions.close(name, options));
  }

  /** Of the hosts, those that are used. */
  async closeAll(options?: CloseOptions): Promise<CloseResult> {
    // What was never reached has no sessions of ours.
    const far = [...this.#used.values()].filter(({ hasAnswered }) => hasAnswered);
    const machines = [this.#local, ...far].map((sessions) => sessions.closeAll(options));
    // One that is lost must not keep the others from being closed.
    await Promise.allSettled(machines);
    const closed = await Promise.all(machines);
    return { survivors: closed.flatMap(({ survivors }) => survivors) };
  }

  subscribe(
    listener: (event: SessionEvent) => void,
    session?: string,
    types?: readonly SessionEvent['type'][],
  ): () => void {
    if (session !== undefined) {
      const { host, name } = splitSessionName(session);
      return this.#machine(host).subscribe(listener, name, types);
    }
    const subscription: Subscription = { listener, types, ends: [] };
    this.#subscriptions.add(subscription);
    for (const machine of [this.#local, ...this.#used.values()])
      subscription.ends.push(machine.subscribe(listener, undefined, types));
    return () => {
      this.#subscriptions.delete(subscription);
      for (const end of subscription.ends) end();
    };
  }

  /** We show the session in a window of this size. @internal */
  attach: FarSessions['attach'] = (session, ...rest) =>
    this.#of(session, (sessions, name) => (sessions as FarSessions).attach(name, ...rest));

  /** @internal */
  detach: FarSessions['detach'] = (session) =>
    this.#of(session, (sessions, name) => (sessions as FarSessions).detach(name));

  /** As whom the machine of a session knows us. @internal */
  callerAt(session: string): Promise<Caller | undefined> {
    return this.#of(session, (sessions) => (sessions as FarSessions).caller());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const machines = [this.#local, ...this.#used.values()];
    await Promise.all(machines.map((sessions) => sessions[Symbol.asyncDispose]()));
  }

  #machine(host: string | undefined): Sessions {
    return host === undefined ? this.#local : this.#host(host);
  }

  #host(name: string): HostSessions {
    const used = this.#used.get(name);
    if (used !== undefined) return used;
    if (!this.hosts.includes(name) && !this.#accepts(name)) throw new UnknownHost(name, this.hosts);
    const host = new HostSessions(name, this.#connect(name));
    this.#used.set(name, host);
    for (const { listener, types, ends } of this.#subscriptions)
      ends.push(host.subscribe(listener, undefined, types));
    return host;
  }

  async #of<T>(session: string, act: (sessions: Sessions, name: string) => Promise<T>): Promise<T> {
    const { host, name } = splitSessionName(session);
    return act(this.#machine(host), name);
  }

  async #unreportedOrAll(): Promise<string[]> {
    const all = await this.list();
    const unreported = all.filter(({ isExitReported }) => !isExitReported);
    const names = (unreported.length > 0 ? unreported : all).map(({ session }) => session);
    if (names.length === 0) throw new SessionNotFound('*', []);
    return names;
  }

  /**
   * Each session is waited for without taking its output (a search does not). Otherwise two that hold at
   * the same moment would both give their output, and only one of them is returned.
   */
  async #waitOnSeveral(
    names: readonly string[],
    options: WaitOptions,
    call: CallOptions,
  ): Promise<SessionResult> {
    const startedMs = performance.now();
    const { sessions: _, timeoutMs = callDefaults.waitMs, ...condition } = options;
    const until = condition.until ?? 'ready';
    while (true) {
      const leftMs = Math.max(0, timeoutMs - (performance.now() - startedMs));
      const first = new AbortController();
      const signal = AbortSignal.any([first.signal, ...(call.signal ? [call.signal] : [])]);
      const asked = { ...condition, until, timeoutMs: leftMs, search: NO_LINE };
      const waits = names.map((name) => this.read(name, asked, { ...call, signal }));
      const { session, timedOut } = await Promise.race(waits).finally(() => {
        first.abort(new Error('another session was first'));
        for (const wait of waits) wait.catch(() => {});
      });
      const rest = { ...condition, until, sessions: [session], timeoutMs: 0 };
      const result = await this.wait(rest, call);
      // It may hold no more: then the others are waited for again.
      const isOver = timedOut || !result.timedOut || performance.now() - startedMs >= timeoutMs;
      if (!isOver) continue;
      return { ...result, elapsedMs: Math.round(performance.now() - startedMs) };
    }
  }
}

/** Undefined if it takes longer. */
const within = <T>(ms: number, promise: Promise<T>): Promise<T | undefined> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};
