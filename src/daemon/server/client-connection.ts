/**
 * The daemon's side of one connection: what came over it ends with it, and whatever comes over it
 * harms nobody else.
 */
import type { Socket } from 'node:net';
import {
  type CancellationToken,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import { TooManyRequests } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { LONGEST_MESSAGE } from '../protocol/frames.ts';
import type { CallFields, Method, Notifications } from '../protocol/protocol.ts';
import { isMethod, validateParams } from '../protocol/validate-params.ts';
import { errorResponse } from './error-response.ts';
import { FrameReader, FrameWriter } from './rpc-framing.ts';

/** More than any client of ours has under way at once, and little enough to wait for all. */
const MOST_REQUESTS = 256;
/** A client says hello as soon as it is connected; the machine may be busy. */
const HELLO_MS = 5000;
const LONGEST_BEFORE_HELLO = 64 * 1024;
/** So much may be under way to a client that does not read; then output is left out for it. */
const MOST_OUTGOING = 4 * 2 ** 20;
/**
 * Results are never left out: a client that asks on and on and reads nothing is cut off. More than
 * the longest message there can be.
 */
const OUTGOING_LIMIT = 128 * 2 ** 20;

export type RequestCallback = (
  method: Method,
  params: never,
  call: CallOptions,
) => Promise<unknown>;

export class ClientConnection {
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  readonly #rpc: MessageConnection;
  readonly #underWay = new Set<AbortController>();
  /** Resolves when the other side has taken all there is for it, or has gone, or was cut off. */
  readonly closed: Promise<void>;
  /** Called when all that was sent has been taken. */
  readonly onDrained = new Set<() => void>();
  /** Requests that wait until earlier answers have been read, or nobody is left to read them. */
  #waiting: (() => void)[] = [];
  readonly #helloLimit: NodeJS.Timeout;
  #isGreeted = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#reader = new FrameReader(socket, LONGEST_BEFORE_HELLO);
    const silent = { error() {}, warn() {}, info() {}, log() {} };
    const writer = new FrameWriter(socket, OUTGOING_LIMIT);
    this.#rpc = createMessageConnection(this.#reader, writer, silent);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    // An error is always followed by `close`.
    socket.on('error', () => {});
    socket.on('drain', () => {
      for (const drained of this.onDrained) drained();
      this.#goOn();
    });
    this.#helloLimit = setInterval(() => {
      if (this.#underWay.size === 0) this.destroy();
    }, HELLO_MS);
  }

  /** Answers what comes, until the other side has gone. */
  serve(answer: RequestCallback, closed: () => void): void {
    this.#rpc.onClose(() => {
      clearInterval(this.#helloLimit);
      for (const request of this.#underWay) request.abort(new Error('the client has gone'));
      this.#goOn();
      this.#rpc.dispose();
      closed();
    });
    this.#rpc.onRequest((method, params, token) => this.#request(answer, method, params, token));
    this.#rpc.listen();
  }

  get isGreeted(): boolean {
    return this.#isGreeted;
  }

  /** The other side has said who it is, and may say more. */
  greet(): void {
    this.#isGreeted = true;
    this.#reader.longest = LONGEST_MESSAGE;
    clearInterval(this.#helloLimit);
  }

  isFull(): boolean {
    return this.#socket.writableLength > MOST_OUTGOING;
  }

  notify<N extends keyof Notifications>(name: N, params: Notifications[N]): void {
    if (this.#socket.writable) void this.#rpc.sendNotification(name, params);
  }

  /** After what is under way has been sent. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async #request(
    answer: RequestCallback,
    method: string,
    params: unknown,
    token: CancellationToken,
  ): Promise<unknown> {
    const request = new AbortController();
    token.onCancellationRequested(() => request.abort(new Error('the caller gave up')));
    if (this.#underWay.size >= MOST_REQUESTS)
      return errorResponse(new TooManyRequests(MOST_REQUESTS));
    if (!isMethod(method))
      return new ResponseError(ErrorCodes.MethodNotFound, `There is no request "${method}".`);
    const wrong = validateParams(method, params);
    if (wrong !== undefined) return new ResponseError(ErrorCodes.InvalidParams, wrong);
    this.#underWay.add(request);
    try {
      if (this.isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      request.signal.throwIfAborted();
      const call = this.#callOf(params as CallFields, request.signal);
      return await answer(method, params as never, call);
    } catch (error) {
      return errorResponse(error);
    } finally {
      this.#underWay.delete(request);
    }
  }

  #callOf({ actor, reader, progress: token }: CallFields, signal: AbortSignal): CallOptions {
    return {
      signal,
      ...(actor !== undefined && { actor }),
      ...(reader !== undefined && { reader }),
      ...(token !== undefined && {
        onProgress: (progress) => this.notify('progress', { token, progress }),
      }),
    };
  }

  #goOn(): void {
    for (const goOn of this.#waiting.splice(0)) goOn();
  }
}
