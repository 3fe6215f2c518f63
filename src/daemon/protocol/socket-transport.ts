/** Messages on a stream socket, each in a frame. */
import type { Socket } from 'node:net';
import { RequestTooLong } from '../../errors.ts';
import { encodeFrame, FrameDecoder } from './frames.ts';
import type { Transport, TransportClose } from './transport.ts';

export interface SocketTransportOptions {
  /** A longer message of the other side closes the connection. */
  maxMessageBytes: number;
  /** A longer message is not sent: the other side would close the connection. @default no limit */
  maxSentBytes?: number;
  /** If more is waiting for the other side to read, the connection is closed. @default no limit */
  maxQueuedBytes?: number;
}

export class SocketTransport implements Transport {
  onMessage: (message: unknown) => void = () => {};
  onDrained: () => void = () => {};
  onClosed: (close: TransportClose) => void = () => {};
  readonly #socket: Socket;
  readonly #decoder: FrameDecoder;
  readonly #maxSentBytes: number;
  readonly #maxQueuedBytes: number;
  /** Set by this side when it closes the connection. */
  #reason: string | undefined;

  constructor(
    socket: Socket,
    {
      maxMessageBytes,
      maxSentBytes = Number.POSITIVE_INFINITY,
      maxQueuedBytes = Number.POSITIVE_INFINITY,
    }: SocketTransportOptions,
  ) {
    this.#socket = socket;
    this.#decoder = new FrameDecoder(maxMessageBytes);
    this.#maxSentBytes = maxSentBytes;
    this.#maxQueuedBytes = maxQueuedBytes;
    let error = '';
    // An error is always followed by `close`.
    socket.on('error', ({ message }) => {
      error = message;
    });
    socket.on('drain', () => this.onDrained());
    socket.once('close', () => this.onClosed(this.#closeOf(error)));
  }

  get maxMessageBytes(): number {
    return this.#decoder.maxBytes;
  }

  set maxMessageBytes(bytes: number) {
    this.#decoder.maxBytes = bytes;
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  get isOpen(): boolean {
    return this.#socket.writable;
  }

  start(): void {
    this.#socket.on('data', (chunk) => {
      try {
        for (const message of this.#decoder.receive(chunk)) {
          if (this.#socket.destroyed) return;
          this.onMessage(message);
        }
      } catch (error) {
        // Without a valid header and JSON, nobody knows where the next message starts.
        this.destroy(error instanceof Error ? error.message : String(error));
      }
    });
  }

  send(message: object): void {
    if (!this.#socket.writable) return;
    const frame = encodeFrame(message);
    if (frame.length > this.#maxSentBytes / 4) this.#assertNotTooLong(frame);
    this.#socket.write(frame);
    if (this.queuedBytes > this.#maxQueuedBytes) this.destroy('the other side does not read');
  }

  end(): void {
    this.#reason ??= 'it was ended';
    this.#socket.end();
  }

  destroy(reason: string): void {
    this.#reason ??= reason;
    this.#socket.destroy();
  }

  /** Counting bytes takes time, and no frame has more than four for each of its characters. */
  #assertNotTooLong(frame: string): void {
    const bytes = Buffer.byteLength(frame);
    if (bytes > this.#maxSentBytes) throw new RequestTooLong(bytes, this.#maxSentBytes);
  }

  #closeOf(error: string): TransportClose {
    if (this.#reason !== undefined) return { by: 'here', reason: this.#reason };
    const cut = this.#decoder.isInMessage ? 'it closed in the middle of a message' : 'it closed';
    return { by: 'there', reason: error || cut };
  }
}
