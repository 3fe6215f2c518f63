/**
 * What one client has asked, and what it was answered, so that it can ask again after its connection was
 * lost: nothing is done twice, and nothing that was read for it is skipped.
 *
 * A request is noted before it is carried out. The same id gets the same answer again; one that is still
 * being carried out is joined. Answers are kept until the client says that it has them, bounded by bytes
 * and age.
 */
import {
  AnswerGone,
  OutcomeUnknown,
  RequestIdReused,
  TerminalError,
  TooManyRequests,
} from '../../../errors.ts';
import type { EncodedResult } from '../../protocol/json-with-bytes.ts';
import type { DaemonMethod } from '../../protocol/protocol.ts';
import { RpcError, type RpcId, rpcErrorCodes } from '../../protocol/rpc-peer.ts';
import {
  answerAsNoted,
  type ClientLedger,
  type NotedAnswer,
  type NotedRequest,
  notedError,
} from '../keeping/request-ledger.ts';
import {
  beginningOf,
  hasEffect,
  isUnfinishedEffect,
  type KeptRequest,
  mayOpen,
  newRequest,
  noteOf,
  type RequestNote,
} from './kept-request.ts';
import { fingerprintOf, holdsSecret, sessionIn, sizeOf } from './request-contents.ts';

/** More than any client of ours has at once, and few enough to wait for all of them. */
export const MAX_REQUESTS = 256;
/** As much as the longest request. A client that reads its answers has the last one kept, or a few. */
const MAX_BYTES = 16 * 2 ** 20;
/** A client that was away for longer hears that the answer is gone. */
export const KEPT_MS = 10 * 60_000;
/** A note without its answer is small, but a client may never say that it has got one. */
const MAX_NOTES = 4096;

export interface NumberedRequest {
  id: RpcId;
  /** The client has the answers to all before this one. */
  oldest?: number;
  method: DaemonMethod;
  params: object;
}

/** Does what the request asks for. */
export type CarryOut = (begun: {
  signal: AbortSignal;
  onNamed: (session: string) => void;
  onTyped: () => void;
  isTyped?: boolean;
  attachments?: ReadonlyMap<string, unknown>;
}) => Promise<unknown>;

export interface KeptAnswersOptions {
  /** Ids below it are not known here: they belong to the time before. */
  firstId: number;
  /** The screen of a session, for a caller who must see for himself. */
  screenOf(session: string): Promise<string | undefined>;
  /** Begun by a process that has ended since, and perhaps answered. */
  left?: readonly NotedRequest[];
  /** Where requests are noted for another process. @default nowhere */
  ledger?: ClientLedger | undefined;
  /** @default 16 MiB */
  maxBytes?: number;
  /** @default 10 minutes */
  keptMs?: number;
}

export class KeptAnswers {
  readonly #options: Required<KeptAnswersOptions>;
  readonly #requests = new Map<number, KeptRequest>();
  /** A lower id that is not in the map was answered, and its answer has been dropped. */
  #firstId: number;
  #bytes = 0;
  #running = 0;

  constructor(options: KeptAnswersOptions) {
    this.#options = {
      left: [],
      ledger: undefined,
      maxBytes: MAX_BYTES,
      keptMs: KEPT_MS,
      ...options,
    };
    this.#firstId = options.firstId;
    for (const { id, method, fingerprint, session, answer, isTyped } of this.#options.left) {
      const digest = fingerprint === undefined ? undefined : () => fingerprint;
      const request = newRequest(id, method, digest, session);
      this.#requests.set(id, { ...request, state: 'cut off', isResumable: isTyped === true });
      if (answer !== undefined) this.#keepNoted(this.#requests.get(id)!, answer);
    }
  }

  /** Effects that were begun and are not known to be done. */
  get unfinished(): RequestNote[] {
    return [...this.#requests.values()].filter(isUnfinishedEffect).map(noteOf);
  }

  /** Resolves when all that has an effect, and is being carried out, is done or only waits. */
  async untilEffectsAreDone(): Promise<void> {
    const effects = [...this.#requests.values()].filter(isUnfinishedEffect);
    await Promise.allSettled(effects.map(({ isTyped, answer }) => !isTyped && answer));
  }

  /** Notes which requests only wait: another process can go on with them. */
  noteTyped(): void {
    const running = [...this.#requests.values()].filter(isUnfinishedEffect);
    for (const each of running) if (each.isTyped) this.#options.ledger?.begin(noteOf(each));
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Carries the request out, unless that was done before. */
  async answer(request: NumberedRequest, carryOut: CarryOut): Promise<unknown> {
    const { id, oldest, method } = request;
    if (typeof id !== 'number' || !Number.isSafeInteger(id))
      throw new RpcError(rpcErrorCodes.invalidRequest, 'An id must be a whole number.');
    if (oldest !== undefined) this.#forgetBefore(oldest);
    const { params } = request;
    let digest = holdsSecret(params) ? fingerprintOf(method, params) : undefined;
    const fingerprint = () => {
      digest ??= fingerprintOf(method, params);
      return digest;
    };
    const known = this.#requests.get(id);
    if (known === undefined) {
      if (id < this.#firstId) throw new AnswerGone(id);
      const begun = newRequest(id, method, fingerprint, sessionIn(params));
      begun.bytes = sizeOf(params);
      return this.#begin(begun, carryOut);
    }
    // Of one that was begun by another process, the contents may not be known.
    known.fingerprint ??= fingerprint;
    const isSame = known.method === method && known.fingerprint() === fingerprint();
    if (!isSame) throw new RequestIdReused(id, known.method);
    return this.#repeat(known, carryOut);
  }

  /** The caller has given up: ends the wait, never the program. */
  cancel(id: number): void {
    this.#requests.get(id)?.abort.abort(new Error('the caller gave up'));
  }

  /** The client is back, and waits for the answers to these requests alone. */
  keepOnly(pending: readonly number[]): void {
    const wanted = new Set(pending);
    for (const id of [...this.#requests.keys()]) if (!wanted.has(id)) this.#forget(id);
  }

  onSessionRenamed(from: string, to: string): void {
    for (const request of this.#requests.values())
      if (request.session === from) request.session = to;
  }

  /** The client has not come back in time: ends its waits. */
  cutOff(): void {
    for (const request of this.#requests.values()) {
      if (request.state !== 'running') continue;
      request.state = 'cut off';
      request.abort.abort(new Error('the client has gone'));
    }
  }

  #keepNoted(request: KeptRequest, noted: NotedAnswer): void {
    request.state = 'answered';
    request.answer = answerAsNoted(noted);
    // An error is for the client who asks for it.
    request.answer.catch(() => {});
    request.answeredMs = performance.now();
    request.bytes = sizeOf(noted);
    this.#bytes += request.bytes;
  }

  #begin(request: KeptRequest, carryOut: CarryOut): Promise<unknown> {
    if (this.#running >= MAX_REQUESTS) throw new TooManyRequests(MAX_REQUESTS);
    this.#requests.set(request.id, request);
    this.#bytes += request.bytes;
    this.#running++;
    const { signal } = request.abort;
    const onNamed = (session: string) => {
      request.session = session;
    };
    const onTyped = () => {
      request.isTyped = true;
    };
    const { ledger } = this.#options;
    const note = ledger && hasEffect(request.method) ? beginningOf(request) : undefined;
    if (note !== undefined) ledger!.begin(note);
    const attachments = note && mayOpen(note.method) ? ledger!.noteFor(note) : undefined;
    const { isTyped = false } = request;
    const begun = { signal, onNamed, onTyped, isTyped, ...(attachments && { attachments }) };
    const answer = carryOut(begun).then(
      (result) => this.#onAnswered(request, result, { result }) ?? result,
      (error: unknown) => {
        this.#onFailed(request, error);
        throw error;
      },
    );
    request.answer = answer;
    return answer;
  }

  #onFailed(request: KeptRequest, error: unknown): void {
    // Its wait was ended by `cutOff`: that is no outcome. Any other error is one.
    if (request.state === 'cut off' && error === request.abort.signal.reason) {
      this.#running--;
      delete request.answer;
    } else {
      const details = error instanceof TerminalError && error.details;
      this.#onAnswered(request, details, notedError(error));
    }
  }

  /** Returns a result as it was noted, if it was. */
  #onAnswered(
    request: KeptRequest,
    answer: unknown,
    noted: NotedAnswer,
  ): EncodedResult | undefined {
    this.#running--;
    request.state = 'answered';
    // The client no longer waits for it.
    if (this.#requests.get(request.id) !== request) return undefined;
    const encoded = this.#options.ledger?.answer(noteOf(request), noted);
    request.answeredMs = performance.now();
    const bytes = encoded?.json.length ?? sizeOf(answer);
    request.bytes += bytes;
    this.#bytes += bytes;
    this.#dropOld();
    return encoded;
  }

  async #repeat(known: KeptRequest, carryOut: CarryOut): Promise<unknown> {
    const { id, method, fingerprint, session } = known;
    // What cannot be cut off, such as a close, still comes to its end.
    if (known.state === 'cut off') await known.answer?.catch(() => {});
    const current = this.#requests.get(id);
    // Meanwhile the client may have said that it no longer waits for it,
    if (current === undefined) throw new AnswerGone(id);
    // or have asked on several connections, one of which has begun it anew.
    if (current !== known) return this.#repeat(current, carryOut);
    if (known.state === 'cut off') {
      const { isResumable: isTyped = false } = known;
      if (hasEffect(method) && !isTyped) return this.#tellUnknown(known);
      // Its note stays until there is the next one: a process after this one must not type it again.
      this.#bytes -= known.bytes;
      return this.#begin({ ...newRequest(id, method, fingerprint, session), isTyped }, carryOut);
    }
    this.#dropOld();
    if (known.answer === undefined) throw new AnswerGone(id);
    return known.answer;
  }

  async #tellUnknown({ method, session }: KeptRequest): Promise<never> {
    const screen = session === undefined ? undefined : await this.#options.screenOf(session);
    throw new OutcomeUnknown(method, session, screen);
  }

  /** Drops answers that are too old, or too much, the oldest first. Their notes stay. */
  #dropOld(): void {
    const { maxBytes, keptMs } = this.#options;
    const oldestMs = performance.now() - keptMs;
    for (const request of this.#requests.values()) {
      if (request.state !== 'answered') continue;
      if (this.#bytes <= maxBytes && request.answeredMs >= oldestMs) continue;
      this.#drop(request);
    }
    if (this.#requests.size > MAX_NOTES) this.#forgetOldestNote();
  }

  /** A request that still runs is not forgotten, however old: its caller waits. */
  #forgetOldestNote(): void {
    for (const { id, state } of this.#requests.values()) {
      if (state === 'running') continue;
      this.#firstId = Math.max(this.#firstId, id + 1);
      this.#forget(id);
      return;
    }
  }

  #drop(request: KeptRequest): void {
    this.#bytes -= request.bytes;
    request.bytes = 0;
    request.state = 'gone';
    delete request.answer;
    // The contents need not be kept either.
    const fingerprint = request.fingerprint?.();
    if (fingerprint !== undefined) request.fingerprint = () => fingerprint;
  }

  #forgetBefore(oldest: number): void {
    this.#firstId = Math.max(this.#firstId, oldest);
    for (const id of this.#requests.keys()) {
      if (id >= oldest) return;
      this.#forget(id);
    }
  }

  #forget(id: number): void {
    const request = this.#requests.get(id);
    if (request === undefined) return;
    this.#requests.delete(id);
    this.#options.ledger?.forget(id);
    if (request.state === 'running') request.abort.abort(new Error('the caller gave up'));
    this.#bytes -= request.bytes;
  }
}
