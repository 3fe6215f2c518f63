/**
 * Notes each request with the session that it concerns, where it outlives this process: before it is
 * carried out, and again, with its answer, before that is sent. What a session has been told to do, and
 * what a reader has read of it, is so written down together with what became of it.
 */
import type { KeptSession } from '../../../session/keeping/kept-session.ts';
import type { LocalSessions } from '../../../session/local-sessions.ts';
import { toRpcError } from '../../protocol/remote-error.ts';
import { RpcError, rpcErrorCodes } from '../../protocol/rpc-peer.ts';
import type { RequestNote } from '../clients/kept-request.ts';

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
  /** `session`: which the answer tells of. */
  answer(request: RequestNote, answer: NotedAnswer): void;
  forget(id: number): void;
}

const PREFIX = 'request';

export class RequestLedger {
  readonly #sessions: Pick<LocalSessions, 'keptAs'>;
  /** Left by the process before, by client. */
  readonly #left = new Map<string, NotedRequest[]>();
  /** With which session each request was noted. */
  readonly #noted = new Map<string, KeptSession>();

  constructor(sessions: Pick<LocalSessions, 'keptAs'>) {
    this.#sessions = sessions;
  }

  /** Takes what was written down with a session. */
  takeOver(kept: KeptSession): void {
    for (const [key, value] of kept.attachments) {
      const [kind, client = ''] = key.split(' ');
      if (kind !== PREFIX || !isNotedRequest(value)) continue;
      this.#noted.set(key, kept);
      this.#left.set(client, [...(this.#left.get(client) ?? []), value]);
    }
  }

  /** What a client had asked of the process before. Known once: from then on it is the client's. */
  takeLeft(client: string): readonly NotedRequest[] {
    const left = this.#left.get(client) ?? [];
    this.#left.delete(client);
    return left.sort((one, other) => one.id - other.id);
  }

  of(client: string): ClientLedger {
    const keyOf = (id: number) => `${PREFIX} ${client} ${id}`;
    return {
      noteFor: (request) => new Map([[keyOf(request.id), request]]),
      begin: (request) => {
        const kept = this.#find(request.session);
        if (kept === undefined) return;
        this.#noted.set(keyOf(request.id), kept);
        kept.note(keyOf(request.id), request);
      },
      answer: (request, answer) => {
        const key = keyOf(request.id);
        const kept = this.#find(sessionIn(answer) ?? request.session);
        if (kept === undefined) return;
        const before = this.#noted.get(key);
        if (before !== kept) before?.attachments.delete(key);
        this.#noted.set(key, kept);
        kept.attachments.set(key, { ...request, answer });
        kept.writeDown();
      },
      forget: (id) => {
        const key = keyOf(id);
        this.#noted.get(key)?.attachments.delete(key);
        this.#noted.delete(key);
      },
    };
  }

  #find(session: string | undefined): KeptSession | undefined {
    return session === undefined ? undefined : this.#sessions.keptAs(session);
  }
}

/** What is noted between two bases has no checksum. */
const isNotedRequest = (value: unknown): value is NotedRequest => {
  const { id, method, fingerprint } = (value ?? {}) as Partial<NotedRequest>;
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
