/**
 * The daemon's side of one connection.
 *
 * Its requests end when it ends. Its limits keep a client that sends garbage, sends too much or does
 * not read from harming the daemon and other clients.
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
import { MAX_FRAME_BYTES } from '../protocol/frames.ts';
import type { CallerParams, DaemonMethod, DaemonNotifications } from '../protocol/protocol.ts';
import { findParamsProblem, isDaemonMethod } from '../protocol/validate-params.ts';
import { toErrorResponse } from './error-response.ts';
import { RpcFrameReader, RpcFrameWriter } from './rpc-framing.ts';

/** More than any client of ours has at once, and few enough to wait for all of them. */
const MAX_REQUESTS = 256;
/** A client sends hello as soon as it is connected, but the machine may be busy. */
const HELLO_TIMEOUT_MS = 5000;
const MAX_BYTES_BEFORE_HELLO = 64 * 1024;
/** If more than this is waiting for a client that does not read, output events are left out. */
const QUEUE_FULL_BYTES = 4 * 2 ** 20;
/**
 * Results are never left out, so a client that keeps sending requests and reads nothing is
 * disconnected. This is more than the longest possible message.
 */
const DISCONNECT_BYTES = 128 * 2 ** 20;

/** Carries out requests. */
export interface RequestReceiver {
  handle(method: DaemonMethod, params: never, call: CallOptions): Promise<unknown>;
}

export class ClientConnection {
  readonly #socket: Socket;
  readonly #reader: RpcFrameReader;
  readonly #rpc: MessageConnection;
  readonly #running = new Set<AbortController>();
  /** Resolves when the socket is closed. */
  readonly closed: Promise<void>;
  /** Called when the client has read everything that was sent. */
  readonly onDrained = new Set<() => void>();
  /** Requests that wait until the client has read earlier results, or has gone. */
  #waiting: (() => void)[] = [];
  readonly #helloTimer: NodeJS.Timeout;
  #hasSaidHello = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    this.#reader = new RpcFrameReader(socket, MAX_BYTES_BEFORE_HELLO);
    const silentLogger = { error() {}, warn() {}, info() {}, log() {} };
    const writer = new RpcFrameWriter(socket, DISCONNECT_BYTES);
    this.#rpc = createMessageConnection(this.#reader, writer, silentLogger);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    // An error is always followed by `close`.
    socket.on('error', () => {});
    socket.on('drain', () => {
      for (const listener of this.onDrained) listener();
      this.#resumeWaiting();
    });
    // An interval, because a request such as `stop` may be running without a hello.
    this.#helloTimer = setInterval(() => {
      if (this.#running.size === 0) this.destroy();
    }, HELLO_TIMEOUT_MS);
  }

  /** Handles requests until the client has gone. */
  serve(receiver: RequestReceiver, onClosed: () => void): void {
    this.#rpc.onClose(() => {
      clearInterval(this.#helloTimer);
      for (const request of this.#running) request.abort(new Error('the client has gone'));
      this.#resumeWaiting();
      this.#rpc.dispose();
      onClosed();
    });
    this.#rpc.onRequest((method, params, token) =>
      this.#handleRequest(receiver, method, params, token),
    );
    this.#rpc.listen();
  }

  get hasSaidHello(): boolean {
    return this.#hasSaidHello;
  }

  /** Called after `hello`: the client may now send longer messages. */
  acceptHello(): void {
    this.#hasSaidHello = true;
    this.#reader.maxBytes = MAX_FRAME_BYTES;
    clearInterval(this.#helloTimer);
  }

  isFull(): boolean {
    return this.#socket.writableLength > QUEUE_FULL_BYTES;
  }

  notify<N extends keyof DaemonNotifications>(name: N, params: DaemonNotifications[N]): void {
    if (this.#socket.writable) void this.#rpc.sendNotification(name, params);
  }

  /** Closes the connection after everything in the queue has been sent. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  async #handleRequest(
    receiver: RequestReceiver,
    method: string,
    params: unknown,
    token: CancellationToken,
  ): Promise<unknown> {
    const request = new AbortController();
    token.onCancellationRequested(() => request.abort(new Error('the caller gave up')));
    if (this.#running.size >= MAX_REQUESTS)
      return toErrorResponse(new TooManyRequests(MAX_REQUESTS));
    if (!isDaemonMethod(method))
      return new ResponseError(ErrorCodes.MethodNotFound, `There is no request "${method}".`);
    const problem = findParamsProblem(method, params);
    if (problem !== undefined) return new ResponseError(ErrorCodes.InvalidParams, problem);
    this.#running.add(request);
    try {
      if (this.isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      request.signal.throwIfAborted();
      const call = this.#callOptions(params as CallerParams, request.signal);
      return await receiver.handle(method, params as never, call);
    } catch (error) {
      return toErrorResponse(error);
    } finally {
      this.#running.delete(request);
    }
  }

  #callOptions({ actor, reader, progress: token }: CallerParams, signal: AbortSignal): CallOptions {
    return {
      signal,
      ...(actor !== undefined && { actor }),
      ...(reader !== undefined && { reader }),
      ...(token !== undefined && {
        onProgress: (progress) => this.notify('progress', { token, progress }),
      }),
    };
  }

  #resumeWaiting(): void {
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
