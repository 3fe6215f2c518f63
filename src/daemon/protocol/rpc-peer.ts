/**
 * JSON-RPC 2.0 on a transport, for both sides: requests, responses, notifications, cancellation.
 *
 * By hand, since a library for it takes 25 ms to load, a fifth of the time that a whole command may
 * take until its first byte of output, and cannot carry bytes.
 */
import { notifyListener } from '../../session/notify-listener.ts';
import { settleOnce } from '../../session/wait/settle-once.ts';
import { RequestIds } from './request-ids.ts';
import type { Transport, TransportClose } from './transport.ts';

/** The codes of JSON-RPC itself, and one of ours for errors that carry their own code. */
export const rpcErrorCodes = {
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  applicationError: -32001,
} as const;

/** An error response, received or to be sent. */
export class RpcError extends Error {
  readonly rpcCode: number;
  readonly data: unknown;

  constructor(rpcCode: number, message: string, data?: unknown) {
    super(message);
    this.rpcCode = rpcCode;
    this.data = data;
  }
}

/** The connection ended before the response came: what became of the request is not known. */
export class RpcConnectionLost extends Error {}

/** Carries out one request. What it throws is sent as an error response. */
export type OnRpcRequest = (
  method: string,
  params: unknown,
  signal: AbortSignal,
  numbers: RequestNumbers,
) => Promise<unknown>;

export type RpcId = number | string;

export interface RequestNumbers {
  id: RpcId;
  /** The oldest request for whose answer the other side still waits. */
  oldest?: number;
}

interface RpcMessage {
  id?: unknown;
  oldest?: unknown;
  method?: unknown;
  params?: unknown;
  result?: unknown;
  error?: unknown;
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export const CANCEL = '$/cancelRequest';

export class RpcPeer {
  onRequest: OnRpcRequest = async (method) => {
    throw new RpcError(rpcErrorCodes.methodNotFound, `There is no request "${method}".`);
  };
  onClosed: (close: TransportClose) => void = () => {};
  /** Called for each message, of whatever kind. */
  onMessage = () => {};
  readonly #transport: Transport;
  readonly #listeners = new Map<string, (params: never) => void>();
  readonly #pending = new Map<RpcId, PendingRequest>();
  /** Requests of the other side that are being carried out. */
  readonly #running = new Map<RpcId, AbortController>();
  readonly #ids: RequestIds;
  #closed: TransportClose | undefined;

  /** `ids`: of a client that goes on with them on its next connection. */
  constructor(transport: Transport, ids = new RequestIds()) {
    this.#transport = transport;
    this.#ids = ids;
    transport.onMessage = (message) => this.#receive(message);
    transport.onClosed = (close) => {
      this.#closed = close;
      for (const { reject } of [...this.#pending.values()])
        reject(new RpcConnectionLost(close.reason));
      for (const request of this.#running.values()) request.abort(new Error('the client has gone'));
      this.onClosed(close);
    };
  }

  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** How many requests of the other side are being carried out. */
  get runningRequests(): number {
    return this.#running.size;
  }

  onNotification<Params>(method: string, listener: (params: Params) => void): void {
    this.#listeners.set(method, listener);
  }

  notify(method: string, params: object): void {
    this.#transport.send({ jsonrpc: '2.0', method, params });
  }

  /**
   * When the signal aborts, the other side is told that the result is no longer needed. `ownId`: taken
   * by the caller, who asks again with it if the connection is lost.
   */
  request(method: string, params: object, signal?: AbortSignal, ownId?: number): Promise<unknown> {
    const id = ownId ?? this.#ids.take();
    return settleOnce<unknown>(
      ({ resolve, reject, onSettled }) => {
        this.#pending.set(id, { resolve, reject });
        onSettled(() => {
          if (ownId === undefined) this.#ids.settle(id);
          const isAbandoned = this.#pending.delete(id) && signal?.aborted;
          if (isAbandoned) this.notify(CANCEL, { id });
        });
        if (this.#closed !== undefined) reject(new RpcConnectionLost(this.#closed.reason));
        else this.#send({ jsonrpc: '2.0', id, oldest: this.#ids.oldest, method, params }, reject);
      },
      { signal },
    );
  }

  #send(message: object, onError: (error: unknown) => void): void {
    try {
      this.#transport.send(message);
    } catch (error) {
      // It is too long: the other side would have closed the connection.
      onError(error);
    }
  }

  #receive(message: unknown): void {
    this.onMessage();
    if (!isObject(message)) {
      this.#refuse(null, 'a message must be an object');
      return;
    }
    const { id, oldest, method, params } = message as RpcMessage;
    if (typeof method === 'string') {
      if (id === undefined) this.#onNotification(method, params);
      else if (isRpcId(id) && isOldestBefore(id, oldest))
        void this.#serve({ id, ...(oldest !== undefined && { oldest }) }, method, params);
      else if (isRpcId(id)) this.#refuse(id, 'oldest must be a whole number, and not above the id');
      else this.#refuse(null, 'an id must be a number or a string');
    } else if ('result' in message || 'error' in message) {
      // A response without an id of ours is not answered: two peers would answer each other for ever.
      if (isRpcId(id)) this.#settle(id, message as RpcMessage);
    } else this.#refuse(isRpcId(id) ? id : null, 'a message must have a method or a result');
  }

  #refuse(id: RpcId | null, reason: string): void {
    const error = { code: rpcErrorCodes.invalidRequest, message: `Invalid message: ${reason}.` };
    this.#transport.send({ jsonrpc: '2.0', id, error });
  }

  #onNotification(method: string, params: unknown): void {
    if (method === CANCEL && isObject(params) && isRpcId(params.id))
      this.#running.get(params.id)?.abort(new Error('the caller gave up'));
    const listener = this.#listeners.get(method);
    if (listener !== undefined) notifyListener(listener, params as never);
  }

  async #serve(numbers: RequestNumbers, method: string, params: unknown): Promise<void> {
    const { id } = numbers;
    if (this.#running.has(id)) return this.#refuse(id, 'a request with this id is running');
    const request = new AbortController();
    this.#running.set(id, request);
    try {
      const result = await this.onRequest(method, params, request.signal, numbers);
      this.#transport.send({ jsonrpc: '2.0', id, result: result ?? null });
    } catch (error) {
      this.#transport.send({ jsonrpc: '2.0', id, error: toErrorObject(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  #settle(id: RpcId, { result, error }: RpcMessage): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error === undefined) pending?.resolve(result);
    else {
      const { code, message, data } = isObject(error) ? error : {};
      pending?.reject(new RpcError(Number(code), String(message), data));
    }
  }
}

const toErrorObject = (error: unknown) => {
  if (error instanceof RpcError)
    return { code: error.rpcCode, message: error.message, data: error.data };
  const message = error instanceof Error ? error.message : String(error);
  return { code: rpcErrorCodes.internalError, message };
};

/** Only a client that numbers its requests says which is the oldest. */
const isOldestBefore = (id: RpcId, oldest: unknown): oldest is number | undefined =>
  oldest === undefined ||
  (Number.isSafeInteger(oldest) && typeof id === 'number' && (oldest as number) <= id);

const isRpcId = (id: unknown): id is RpcId => typeof id === 'number' || typeof id === 'string';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
