/**
 * The daemon's side of one connection.
 *
 * Its requests end when it ends. Its limits keep a client that sends garbage, sends too much or does
 * not read from harming the daemon and other clients.
 */
import type { Socket } from 'node:net';
import { TooManyRequests } from '../../errors.ts';
import type { Caller } from '../../session/caller.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { MAX_FRAME_BYTES } from '../protocol/frames.ts';
import type { CallerParams, DaemonMethod, DaemonNotifications } from '../protocol/protocol.ts';
import { toRpcError } from '../protocol/remote-error.ts';
import { RpcError, RpcPeer, rpcErrorCodes } from '../protocol/rpc-peer.ts';
import { SocketTransport } from '../protocol/socket-transport.ts';
import type { Transport } from '../protocol/transport.ts';
import { findParamsProblem, isDaemonMethod } from '../protocol/validate-params.ts';
import { examinePeer, type Peer, plainClient } from './identify-caller.ts';

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
  /** What the kernel knew of the other side when it had just connected. */
  readonly peer: Peer;
  readonly #transport: Transport;
  readonly #rpc: RpcPeer;
  /** Resolves when the connection is closed. */
  readonly closed: Promise<void>;
  /** Called when the client has read everything that was sent. */
  readonly onDrained = new Set<() => void>();
  /** Requests that wait until the client has read earlier results, or has gone. */
  #waiting: (() => void)[] = [];
  readonly #helloTimer: NodeJS.Timeout;
  #caller: Caller | undefined;
  #resolveClosed = () => {};

  constructor(socket: Socket) {
    this.peer = examinePeer(socket);
    this.#transport = new SocketTransport(socket, {
      maxMessageBytes: MAX_BYTES_BEFORE_HELLO,
      maxQueuedBytes: DISCONNECT_BYTES,
    });
    this.#rpc = new RpcPeer(this.#transport);
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    this.#transport.onDrained = () => {
      for (const listener of this.onDrained) listener();
      this.#resumeWaiting();
    };
    // An interval, because a request such as `stop` may be running without a hello.
    this.#helloTimer = setInterval(() => {
      if (this.#rpc.runningRequests === 0) this.destroy('it said no hello');
    }, HELLO_TIMEOUT_MS);
  }

  /** Handles requests until the client has gone. */
  serve(receiver: RequestReceiver, onClosed: () => void): void {
    this.#rpc.onClosed = () => {
      clearInterval(this.#helloTimer);
      this.#resumeWaiting();
      onClosed();
      this.#resolveClosed();
    };
    this.#rpc.onRequest = (method, params, signal) =>
      this.#handleRequest(receiver, method, params, signal);
    this.#transport.start();
  }

  get hasSaidHello(): boolean {
    return this.#caller !== undefined;
  }

  /** Who is at the other side. Undefined before its hello. */
  get caller(): Caller | undefined {
    return this.#caller;
  }

  /** Called after `hello`: the client may now send longer messages. */
  acceptHello(caller: Caller): void {
    this.#caller = caller;
    this.#transport.maxMessageBytes = MAX_FRAME_BYTES;
    clearInterval(this.#helloTimer);
  }

  onSessionRenamed(from: string, to: string): void {
    if (this.#caller?.inside?.session === from)
      this.#caller = { ...this.#caller, inside: { session: to } };
  }

  isFull(): boolean {
    return this.#transport.queuedBytes > QUEUE_FULL_BYTES;
  }

  notify<N extends keyof DaemonNotifications>(name: N, params: DaemonNotifications[N]): void {
    this.#rpc.notify(name, params);
  }

  /** Closes the connection after everything in the queue has been sent. */
  end(): void {
    this.#transport.end();
  }

  destroy(reason: string): void {
    this.#transport.destroy(reason);
  }

  async #handleRequest(
    receiver: RequestReceiver,
    method: string,
    params: unknown,
    signal: AbortSignal,
  ): Promise<unknown> {
    try {
      if (this.#rpc.runningRequests > MAX_REQUESTS) throw new TooManyRequests(MAX_REQUESTS);
      if (!isDaemonMethod(method))
        throw new RpcError(rpcErrorCodes.methodNotFound, `There is no request "${method}".`);
      const problem = findParamsProblem(method, params);
      if (problem !== undefined) throw new RpcError(rpcErrorCodes.invalidParams, problem);
      if (this.isFull()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      signal.throwIfAborted();
      const call = this.#callOptions(params as CallerParams, signal);
      return await receiver.handle(method, params as never, call);
    } catch (error) {
      throw toRpcError(error);
    }
  }

  #callOptions(
    { actor, reader, client, progress: token }: CallerParams,
    signal: AbortSignal,
  ): CallOptions {
    return {
      signal,
      ...(this.#caller && {
        caller: { ...this.#caller, ...(client && { client: plainClient(client) }) },
      }),
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
