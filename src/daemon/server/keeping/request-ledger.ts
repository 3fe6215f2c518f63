/**
 * Notes each request with the session that it concerns, where it outlives this process: before it is
 * carried out, and again, with its answer, before that is sent. What a session has been told to do, and
 * what a reader has read of it, is so written down together with what became of it.
 */
import type { KeptSession } from '../../../session/keeping/kept-session.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import {
  decodeJson,
  type EncodedResult,
  encodeJson,
  encodeResult,
} from '../../protocol/json-with-bytes.ts';
import { toRpcError } from '../../protocol/remote-error.ts';
import { RpcError, rpcErrorCodes } from '../../protocol/rpc-peer.ts';
import { hasEffect, type RequestNote } from '../clients/kept-request.ts';
import type { DaemonMemory } from './daemon-memory.ts';

/** How a request has ended, as data. */
export type NotedAnswer =
  | { result: unknown }
  | { error: { code: number; message: string; data: unknown } };

/** Of a process that has ended. */
export interface NotedRequest extends RequestNote {
  /** Absent: it was begun. */
  answer?: NotedAnswer;
}

/** The requests of one client. */
export interface ClientLedger {
  /** What a session that the request opens is written down with. */
  noteFor(request: RequestNote): ReadonlyMap<string, unknown>;
  begin(request: RequestNote): void;
  /** Returns what was noted of a result, to be sent as it is. Undefined if it has to be encoded again. */
  answer(request: RequestNote, answer: NotedAnswer): EncodedResult | undefined;
  forget(id: number): void;
}

const PREFIX = 'request';
const FORGOTTEN = 'forgotten';
/** Only one that comes back asks, and that is mostly soon. */
const MAX_FORGOTTEN = 1000;

export class RequestLedger {
  readonly #sessions: Pick<LocalSessions, 'keptAs'>;
  /** Left by the process before, by client. */
  readonly #left = new Map<string, NotedRequest[]>();
  /** With which session each request of this process was noted. */
  readonly #noted = new Map<string, KeptSession>();
  /** The keys of all requests that somebody may ask for again. */
  readonly #wanted = new Set<string>();
  /** Clients whose requests are forgotten, the first one first. */
  readonly #forgotten = new Set<string>();
  /** For requests whose session is closed, or that concern none or all. */
  memory: DaemonMemory | undefined;

  constructor(sessions: Pick<LocalSessions, 'keptAs'>) {
    this.#sessions = sessions;
  }

  /** A session is about to be released, and what was noted with it must outlive it. */
  keepNotes(attachments: ReadonlyMap<string, unknown>): void {
    for (const [key, value] of attachments) {
      // It may have been answered since.
      const isNew = this.memory?.get(key) === undefined;
      if (isNew && this.#wanted.has(key)) this.memory?.set(key, value);
    }
  }

  /** It will not come back, and nobody else asks for its answers. */
  forgetClient(client: string): void {
    const start = `${PREFIX} ${client} `;
    const isIts = (key: string) => key.startsWith(start);
    this.#left.delete(client);
    for (const key of this.#wanted) if (isIts(key)) this.#wanted.delete(key);
    for (const [key, kept] of this.#noted) {
      if (!isIts(key)) continue;
      kept.attachments.delete(key);
      this.#noted.delete(key);
    }
    for (const key of [...(this.memory?.keys() ?? [])])
      if (isIts(key)) this.memory?.set(key, undefined);
    this.#rememberForgotten(client);
  }

  /** Whether it may have asked for what is not noted any more, in this process or one before it. */
  isForgotten(client: string): boolean {
    return this.#forgotten.has(client);
  }

  #rememberForgotten(client: string): void {
    this.#forgotten.add(client);
    this.memory?.set(`${FORGOTTEN} ${client}`, true);
    if (this.#forgotten.size <= MAX_FORGOTTEN) return;
    const first = this.#forgotten.values().next().value!;
    this.#forgotten.delete(first);
    this.memory?.set(`${FORGOTTEN} ${first}`, undefined);
  }

  /** Those that have not come back since the process before has ended. */
  forgetLeft(): void {
    for (const client of [...this.#left.keys()]) this.forgetClient(client);
  }

  /** Takes what was written down with a session. */
  takeOver(attachments: ReadonlyMap<string, unknown>, kept?: KeptSession): void {
    for (const [key, value] of attachments) {
      const [kind, client = ''] = key.split(' ');
      if (kind === FORGOTTEN) this.#forgotten.add(client);
      const request = kind === PREFIX ? readNote(value) : undefined;
      if (request === undefined) continue;
      if (kept !== undefined) this.#noted.set(key, kept);
      this.#wanted.add(key);
      this.#left.set(client, [...(this.#left.get(client) ?? []), request]);
    }
  }

  /** What a client had asked of the process before. Known once: from then on it is the client's. */
  takeLeft(client: string): readonly NotedRequest[] {
    const left = this.#left.get(client) ?? [];
    this.#left.delete(client);
    // One that was noted in two places, as begun and as answered, is answered.
    const isAnswered = ({ answer }: NotedRequest) => Number(answer !== undefined);
    return left.sort((one, other) => one.id - other.id || isAnswered(one) - isAnswered(other));
  }

  of(client: string): ClientLedger {
    const keyOf = (id: number) => `${PREFIX} ${client} ${id}`;
    return {
      noteFor: (request) => new Map([[keyOf(request.id), encodeNote(request)]]),
      begin: (request) => {
        const key = keyOf(request.id);
        this.#wanted.add(key);
        const kept = this.#find(request.session);
        if (kept !== undefined) {
          this.#noted.set(key, kept);
          // Nothing of a `send` is done before it types, unless it was typed before.
          const note = encodeNote(request);
          if (request.method === 'send' && !request.isTyped) kept.attachBeforeTyping(key, note);
          else kept.noteAttachment(key, note);
        }
        // Any other one without a session is noted with the session that it opens, or does nothing.
        else if (request.method === 'closeAll') this.memory?.set(key, encodeNote(request));
      },
      answer: (request, answer) => {
        const key = keyOf(request.id);
        const kept = this.#find(sessionIn(answer) ?? request.session);
        const before = this.#noted.get(key);
        if (before !== kept) before?.attachments.delete(key);
        const isNoted = kept !== undefined || hasEffect(request.method);
        if (!isNoted) return undefined;
        const { note, result } = encodeAnswered(request, answer);
        if (kept === undefined) {
          this.memory?.set(key, note);
          return result;
        }
        this.#noted.set(key, kept);
        if (request.method === 'run') kept.writeDownWith(key, note);
        else kept.noteAttachment(key, note);
        return result;
      },
      forget: (id) => {
        const key = keyOf(id);
        this.#wanted.delete(key);
        this.#noted.get(key)?.attachments.delete(key);
        this.#noted.delete(key);
        this.memory?.set(key, undefined);
      },
    };
  }

  #find(session: string | undefined): KeptSession | undefined {
    const kept = session === undefined ? undefined : this.#sessions.keptAs(session);
    return kept?.isKept ? kept : undefined;
  }
}

const encodeNote = (request: RequestNote): string => JSON.stringify(request);

/** The result is encoded once, to be noted and to be sent. */
const encodeAnswered = (
  request: RequestNote,
  answer: NotedAnswer,
): { note: string; result?: EncodedResult } => {
  const result = 'result' in answer ? encodeResult(answer.result) : undefined;
  const json = result ? `{"result":${result.json}}` : encodeJson(answer, 'base64').json;
  return {
    note: `${encodeNote(request).slice(0, -1)},"answer":${json}}`,
    ...(result && { result }),
  };
};

/** Undefined if it is none: what is noted between two bases has no checksum. Format 2 has objects. */
export const readNote = (noted: unknown): NotedRequest | undefined => {
  try {
    const value = typeof noted === 'string' ? decodeJson(noted, Buffer.alloc(0)) : noted;
    return isNotedRequest(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const isNotedRequest = (value: unknown): value is NotedRequest => {
  const { id, method, fingerprint = '' } = (value ?? {}) as Partial<NotedRequest>;
  return Number.isSafeInteger(id) && typeof method === 'string' && typeof fingerprint === 'string';
};

const sessionIn = (answer: NotedAnswer): string | undefined => {
  const result = 'result' in answer ? answer.result : undefined;
  return (result as { session?: string } | null | undefined)?.session;
};

export const notedError = (thrown: unknown): NotedAnswer => {
  const error = toRpcError(thrown);
  if (error instanceof RpcError)
    return { error: { code: error.rpcCode, message: error.message, data: error.data } };
  return {
    error: {
      code: rpcErrorCodes.internalError,
      message: String((error as Error).message),
      data: undefined,
    },
  };
};

export const answerAsNoted = async (answer: NotedAnswer): Promise<unknown> => {
  if ('result' in answer) return answer.result;
  const { code, message, data } = answer.error;
  throw new RpcError(code, message, data);
};
