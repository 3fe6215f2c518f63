/**
 * The daemon's side of one connection.
 *
 * Its limits keep a client that sends garbage, sends too much or does not read from harming the daemon
 * and other clients.
 */
import { TooManyRequests } from '../../../errors.ts';
import { type Caller, insideRenamed } from '../../../session/caller.ts';
import type { Confinement } from '../../../session/confinement.ts';
import type { CallOptions } from '../../../session/sessions.ts';
import { MAX_FRAME_BYTES } from '../../protocol/frames.ts';
import {
  type CallerParams,
  type DaemonMethod,
  type DaemonNotifications,
  GOODBYE,
} from '../../protocol/protocol.ts';
import { toRpcError } from '../../protocol/remote-error.ts';
import {
  CANCEL,
  type RequestNumbers,
  RpcError,
  RpcPeer,
  rpcErrorCodes,
} from '../../protocol/rpc-peer.ts';
import type { Transport } from '../../protocol/transport.ts';
import { findParamsProblem, isDaemonMethod } from '../../protocol/validate-params.ts';
import { type Peer, plainClient } from './identify-caller.ts';
import { MAX_REQUESTS } from './kept-answers.ts';

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

/** What a transport must allow until `hello`, and at most. */
export const CLIENT_LIMITS = {
  maxMessageBytes: MAX_BYTES_BEFORE_HELLO,
  maxQueuedBytes: DISCONNECT_BYTES,
};

/** Carries out requests. */
export interface RequestReceiver {
  handle(
    method: DaemonMethod,
    params: never,
    call: CallOptions,
    numbers: RequestNumbers,
  ): Promise<unknown>;
  /** The caller no longer waits for the answer, which another connection may have asked for. */
  cancel(id: number): void;
  /** The client will not come back. */
  leave(): void;
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
  #confinement: Confinement = {};
  #resolveClosed = () => {};

  constructor(transport: Transport, peer: Peer) {
    this.peer = peer;
    this.#transport = transport;
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
    this.#rpc.onRequest = (method, params, signal, numbers) =>
      this.#handleRequest(receiver, method, params, signal, numbers);
    this.#rpc.onNotification<{ id: number } | undefined>(CANCEL, (params) =>
      receiver.cancel(Number(params?.id)),
    );
    this.#rpc.onNotification(GOODBYE, () => receiver.leave());
    this.#transport.start();
  }

  /** Who is at the other side. Undefined before its hello. */
  get caller(): Caller | undefined {
    return this.#caller;
  }

  /** Called after `hello`: the client may now send longer messages. */
  acceptHello(caller: Caller, confinement: Confinement): void {
    this.#caller = caller;
    this.#confinement = confinement;
    this.#transport.maxMessageBytes = MAX_FRAME_BYTES;
    clearInterval(this.#helloTimer);
  }

  /** How far its programs may go. */
  get confinement(): Confinement {
    return this.#confinement;
  }

  onSessionRenamed(from: string, to: string): void {
    this.#caller = this.#caller && insideRenamed(this.#caller, from, to);
  }

  get queuedBytes(): number {
    return this.#transport.queuedBytes;
  }

  isFull(): boolean {
    return this.queuedBytes > QUEUE_FULL_BYTES;
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
    numbers: RequestNumbers,
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
      return await receiver.handle(method, params as never, call, numbers);
    } catch (error) {
      throw toRpcError(error);
    }
  }

  #callOptions(
    { actor, reader, program, progress: token }: CallerParams,
    signal: AbortSignal,
  ): CallOptions {
    return {
      signal,
      confinement: this.#confinement,
      ...(this.#caller && {
        caller: program ? { ...this.#caller, client: plainClient(program) } : this.#caller,
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
