/**
 * The client side of JSON-RPC 2.0, with only what our client needs.
 *
 * vscode-jsonrpc, which the daemon uses, takes 25 ms to load: a fifth of the time that a whole
 * command may take until its first byte of output.
 */
import type { Socket } from 'node:net';
import { RequestTooLong } from '../../errors.ts';
import { notifyListener } from '../../session/notify-listener.ts';
import { encodeFrame, FrameDecoder, MAX_FRAME_BYTES } from '../protocol/frames.ts';

/** An error response to a request. */
export class RpcError extends Error {
  readonly data: unknown;

  constructor(message: string, data: unknown) {
    super(message);
    this.data = data;
  }
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface IncomingMessage {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string; data?: unknown };
}

export class RpcClient {
  readonly #socket: Socket;
  readonly #decoder: FrameDecoder;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #listeners = new Map<string, (params: never) => void>();
  #nextId = 1;

  constructor(socket: Socket, maxResponseBytes: number) {
    this.#socket = socket;
    this.#decoder = new FrameDecoder(maxResponseBytes);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.once('close', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('the connection ended'));
      this.#pending.clear();
    });
  }

  onNotification<Params>(method: string, listener: (params: Params) => void): void {
    this.#listeners.set(method, listener);
  }

  /** `cancel` tells the daemon that the result is no longer needed. */
  request(method: string, params: object): { result: Promise<unknown>; cancel: () => void } {
    const id = this.#nextId++;
    const frame = encodeFrame({ jsonrpc: '2.0', id, method, params });
    const bytes = Buffer.byteLength(frame);
    // The daemon would close the connection, which would end all other requests too.
    if (bytes > MAX_FRAME_BYTES) throw new RequestTooLong(bytes, MAX_FRAME_BYTES);
    const result = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#write(frame);
    const cancellation = { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } };
    const cancel = () => this.#write(encodeFrame(cancellation));
    return { result, cancel };
  }

  #write(frame: string): void {
    if (this.#socket.writable) this.#socket.write(frame);
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#decoder.receive(chunk)) this.#dispatch(message);
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : undefined);
    }
  }

  #dispatch({ id, method, params, result, error }: IncomingMessage): void {
    const listener = method === undefined ? undefined : this.#listeners.get(method);
    if (listener !== undefined) notifyListener(listener, params as never);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id!);
    if (error === undefined) pending.resolve(result);
    else pending.reject(new RpcError(error.message, error.data));
  }
}
