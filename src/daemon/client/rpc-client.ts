/**
 * The asking side of JSON-RPC 2.0, and no more of it than a client of ours needs.
 *
 * vscode-jsonrpc, which the daemon uses, takes 25 ms to load: a fifth of the time that a whole
 * command may take to its first byte.
 */
import type { Socket } from 'node:net';
import { RequestTooLong } from '../../errors.ts';
import { notifyListener } from '../../session/notify-listener.ts';
import { encodeFrame, FrameDecoder, LONGEST_MESSAGE } from '../protocol/frames.ts';

/** What the other side answers where it does not do what was asked. */
export class RpcError extends Error {
  readonly data: unknown;

  constructor(message: string, data: unknown) {
    super(message);
    this.data = data;
  }
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

interface Incoming {
  id?: number;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string; data?: unknown };
}

export class RpcClient {
  readonly #socket: Socket;
  readonly #frames: FrameDecoder;
  readonly #pending = new Map<number, Pending>();
  readonly #listeners = new Map<string, (params: never) => void>();
  #nextId = 1;

  constructor(socket: Socket, longest: number) {
    this.#socket = socket;
    this.#frames = new FrameDecoder(longest);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.once('close', () => {
      for (const { reject } of this.#pending.values()) reject(new Error('the connection ended'));
      this.#pending.clear();
    });
  }

  onNotification<Params>(method: string, listener: (params: Params) => void): void {
    this.#listeners.set(method, listener);
  }

  /** `cancel` tells the other side that nobody waits for the answer any more. */
  request(method: string, params: object): { answer: Promise<unknown>; cancel: () => void } {
    const id = this.#nextId++;
    const message = encodeFrame({ jsonrpc: '2.0', id, method, params });
    const bytes = Buffer.byteLength(message);
    // The other side would cut the connection, and with it all that is under way.
    if (bytes > LONGEST_MESSAGE) throw new RequestTooLong(bytes, LONGEST_MESSAGE);
    const answer = new Promise<unknown>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
    this.#write(message);
    const cancelled = { jsonrpc: '2.0', method: '$/cancelRequest', params: { id } };
    const cancel = () => this.#write(encodeFrame(cancelled));
    return { answer, cancel };
  }

  #write(message: string): void {
    if (this.#socket.writable) this.#socket.write(message);
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#frames.receive(chunk)) this.#take(message);
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : undefined);
    }
  }

  #take({ id, method, params, result, error }: Incoming): void {
    const listener = method === undefined ? undefined : this.#listeners.get(method);
    if (listener !== undefined) notifyListener(listener, params as never);
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (pending === undefined) return;
    this.#pending.delete(id!);
    if (error === undefined) pending.resolve(result);
    else pending.reject(new RpcError(error.message, error.data));
  }
}
