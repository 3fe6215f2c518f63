/**
 * Which sessions are a client's own: those that it has opened, and those that it has named since.
 *
 * A daemon has the sessions of all clients of a user. What a client asks without a name (wait for any,
 * close all, list) is about its own, so that agents do not take each other's output. Any session can be
 * used by its name: so does a client that was restarted.
 */
import { NameTaken, SessionNotFound, TooManySubscribers } from '../../errors.ts';
import { describeCaller } from '../../session/caller.ts';
import type { OpenOptions } from '../../session/options/options.ts';
import type {
  CallOptions,
  SessionEvent,
  SessionResult,
  SessionSummary,
  Sessions,
} from '../../session/sessions.ts';
import type { CloseOptions, CloseResult } from '../../system/terminal/terminal.ts';

export interface ListedSessions {
  own: SessionSummary[];
  others: SessionSummary[];
}

export class ClientSessions {
  readonly #sessions: Sessions;
  /** The programs of named sessions. A session can be renamed, and its name taken by another. */
  readonly #named = new Set<number>();
  /** Names that were looked up before. */
  readonly #known = new Set<string>();

  constructor(sessions: Sessions) {
    this.#sessions = sessions;
  }

  async list(): Promise<ListedSessions> {
    const all = await this.#sessions.list();
    const isOwn = (summary: SessionSummary) => this.#isOwn(summary);
    return { own: all.filter(isOwn), others: all.filter((summary) => !isOwn(summary)) };
  }

  /** A session in this process has no pid of a client. */
  #isOwn({ openedBy, pid }: SessionSummary): boolean {
    return openedBy.pid === undefined || openedBy.pid === process.pid || this.#named.has(pid);
  }

  /** Makes a session the client's own. Returns a hint if it was another's until now. */
  async name(session: string): Promise<string> {
    if (this.#known.has(session)) return '';
    // What is wrong is told by the call itself.
    const { others } = await this.list().catch(() => ({ others: [] }));
    this.#known.add(session);
    const found = others.find((summary) => summary.session === session);
    if (found === undefined) return '';
    this.#named.add(found.pid);
    return `${session} was opened by ${describeCaller(found.openedBy)}, not by you.`;
  }

  /** Names are unique among all clients: one that is taken gets a number, and a hint says so. */
  async open(options: OpenOptions, call: CallOptions): Promise<[SessionResult, hint: string]> {
    const result = await this.#openUnderFreeName(options, call);
    const { session } = result;
    this.#known.add(session);
    const [, wanted = options.name] =
      options.name === undefined ? (NUMBERED.exec(session) ?? []) : [];
    if (wanted === undefined || wanted === session) return [result, ''];
    return [
      result,
      (await this.#isOpen(wanted))
        ? `There is a session ${wanted} already: this one is ${session}.`
        : '',
    ];
  }

  /** A list would look into every program, and after each of a hundred opens that takes seconds. */
  async #isOpen(name: string): Promise<boolean> {
    try {
      return await new Promise((resolve) => {
        // The first event says whether there is such a session. It may come before `subscribe` returns.
        const onEvent = ({ type }: SessionEvent) => {
          resolve(type === 'opened');
          queueMicrotask(() => unsubscribe());
        };
        const unsubscribe = this.#sessions.subscribe(onEvent, name, ['opened', 'closed']);
      });
    } catch (error) {
      if (!(error instanceof TooManySubscribers)) throw error;
      return (await this.#sessions.list()).some(({ session }) => session === name);
    }
  }

  async #openUnderFreeName(options: OpenOptions, call: CallOptions): Promise<SessionResult> {
    const { name } = options;
    for (let number = 2; ; number++)
      try {
        const numbered = number === 2 ? name : `${name?.slice(0, MAX_BASE)}-${number - 1}`;
        return await this.#sessions.open(
          { ...options, ...(numbered !== undefined && { name: numbered }) },
          call,
        );
      } catch (error) {
        if (!(error instanceof NameTaken) || name === undefined) throw error;
      }
  }

  /** What a wait without names waits for: all but those whose exit was told. */
  async awaited(): Promise<string[]> {
    const { own, others } = await this.list();
    const unreported = own.filter(({ isExitReported }) => !isExitReported);
    const awaited = unreported.length > 0 ? unreported : own;
    if (awaited.length === 0) throw new SessionNotFound('*', namesOf(others));
    return namesOf(awaited);
  }

  async closeOwn(options: CloseOptions): Promise<[names: string[], CloseResult]> {
    const names = namesOf((await this.list()).own);
    const closed = await Promise.all(names.map((name) => this.close(name, options)));
    const survivors = closed.flatMap((each) => each.survivors);
    // Several sessions name the same process if each of them may have started it.
    return [names, { survivors: [...new Map(survivors.map((each) => [each.pid, each])).values()] }];
  }

  close(name: string, options: CloseOptions): Promise<CloseResult> {
    this.#known.delete(name);
    return this.#sessions.close(name, options);
  }
}

/** The longest name has 64 characters, and the number needs some of them. */
const MAX_BASE = 59;

/** As made from the program's name: python3-2. */
const NUMBERED = /^(.+)-\d+$/;

const namesOf = (summaries: readonly SessionSummary[]): string[] =>
  summaries.map(({ session }) => session);
