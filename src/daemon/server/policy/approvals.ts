/** What waits for a person's answer. */
import { NotAPerson, RefusedByPolicy, UnusableArgument } from '../../../errors.ts';
import { type Caller, type Door, describeCaller } from '../../../session/caller.ts';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Asking,
  approvalAnswers,
} from '../../../session/input/approval.ts';

/** A person who is there has read it by then, and most clients wait no longer than that. */
export const APPROVAL_MS = 60_000;
/** An agent that does not wait for answers must not fill a person's screen. */
const MAX_WAITING = 100;

export interface GivenAnswer {
  answer: ApprovalAnswer | 'nobody';
  /** Who gave it, and where. */
  by?: string;
  door?: Door;
}

interface Waiting {
  request: ApprovalRequest;
  settle(given: GivenAnswer): void;
}

export class Approvals {
  readonly #waiting = new Map<number, Waiting>();
  readonly #onChange = new Set<() => void>();
  readonly #timeoutMs: number;
  #lastId = 0;
  /** Grows with every change. */
  #version = 0;

  constructor(timeoutMs = APPROVAL_MS) {
    this.#timeoutMs = timeoutMs;
  }

  get waiting(): ApprovalRequest[] {
    return [...this.#waiting.values()].map(({ request }) => request);
  }

  get version(): number {
    return this.#version;
  }

  /** Resolves when there is something else to see than at this version. */
  async untilChangedSince(version: number, signal?: AbortSignal): Promise<void> {
    while (this.#version === version) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => {
        const done = () => {
          this.#onChange.delete(done);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        this.#onChange.add(done);
        signal?.addEventListener('abort', done);
      });
    }
  }

  /**
   * Resolves with a person's answer, or when nobody has given one in time. The user of the caller's program
   * is asked as well; whoever answers first decides.
   */
  async ask(
    request: Omit<ApprovalRequest, 'id' | 'askedAt' | 'expiresAt'>,
    { signal, askUser }: Asking,
    caller: Caller,
  ): Promise<GivenAnswer> {
    if (this.#waiting.size >= MAX_WAITING)
      throw new RefusedByPolicy(
        'typed',
        `${MAX_WAITING} questions wait for a person already. Wait for their answers.`,
        { rule: request.rule, why: request.why },
      );
    signal?.throwIfAborted();
    const id = ++this.#lastId;
    const now = Date.now();
    const asked: ApprovalRequest = {
      ...request,
      id,
      askedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + this.#timeoutMs).toISOString(),
    };
    let stop = () => {};
    const answered = new AbortController();
    try {
      return await new Promise<GivenAnswer>((resolve, reject) => {
        const timer = setTimeout(() => resolve({ answer: 'nobody' }), this.#timeoutMs);
        const onAbort = () => reject(signal?.reason);
        signal?.addEventListener('abort', onAbort);
        stop = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        };
        this.#waiting.set(id, { request: asked, settle: resolve });
        this.#changed();
        if (askUser !== undefined && hasUser(caller))
          void answerOfUser(asked, askUser, caller, answered.signal).then(
            (given) => given && resolve(given),
          );
      });
    } finally {
      stop();
      answered.abort();
      this.#waiting.delete(id);
      this.#changed();
    }
  }

  answer(id: number, answer: string, caller: Caller): void {
    // What runs inside a session of ours is that session's agent, whatever it says.
    if (caller.inside !== undefined || caller.kind !== 'person')
      throw new NotAPerson(caller.inside?.session);
    const waiting = this.#waiting.get(id);
    if (waiting === undefined)
      throw new UnusableArgument('id', `nothing waits for an answer under the number ${id}`);
    const { answers } = waiting.request;
    const given = approvalAnswers.find((each) => each === answer);
    if (given === undefined || !answers.includes(given))
      throw new UnusableArgument('answer', `it must be one of: ${answers.join(', ')}`);
    waiting.settle({ answer: given, by: describeCaller(caller), door: caller.door });
  }

  #changed(): void {
    this.#version++;
    for (const listener of [...this.#onChange]) listener();
  }
}

/**
 * A client that we know to run outside our sessions is a program of the user's, which asks him about its own
 * commands too. What runs inside one would answer itself; one that cannot be seen may run there.
 */
const hasUser = ({ inside, pid }: Caller): boolean => inside === undefined && pid !== undefined;

/** Undefined if there is none. */
const answerOfUser = async (
  request: ApprovalRequest,
  askUser: NonNullable<Asking['askUser']>,
  caller: Caller,
  signal: AbortSignal,
): Promise<GivenAnswer | undefined> => {
  const answers = request.answers.filter((each) => each !== 'rule');
  // A client that cannot ask is as one whose user is away.
  const answer = await askUser({ ...request, answers }, signal).catch(() => undefined);
  if (answer === undefined || !answers.includes(answer)) return undefined;
  return { answer, by: `the user of ${describeCaller(caller)}`, door: caller.door };
};
