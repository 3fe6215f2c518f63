/** Messages on a stream, such as a socket or the standard streams of a bridge, each in a frame. */
import type { Duplex } from 'node:stream';
import { RequestTooLong } from '../../errors.ts';
import { encodeFrame, FrameDecoder, type FrameFormat } from './frames.ts';
import type { Transport, TransportClose } from './transport.ts';

export interface SocketTransportOptions {
  /** A longer message of the other side closes the connection. */
  maxMessageBytes: number;
  /** A longer message is not sent: the other side would close the connection. @default no limit */
  maxSentBytes?: number;
  /** In which to send until the other side has sent something. @default 'binary' */
  format?: FrameFormat;
  /** If more is waiting for the other side to read, the connection is closed. @default no limit */
  maxQueuedBytes?: number;
}

export class SocketTransport implements Transport {
  onMessage: (message: unknown) => void = () => {};
  onDrained: () => void = () => {};
  onClosed: (close: TransportClose) => void = () => {};
  readonly #socket: Duplex;
  readonly #decoder: FrameDecoder;
  readonly #maxSentBytes: number;
  readonly #maxQueuedBytes: number;
  /** Set by this side when it closes the connection. */
  #reason: string | undefined;

  constructor(
    socket: Duplex,
    {
      maxMessageBytes,
      maxSentBytes = Number.POSITIVE_INFINITY,
      maxQueuedBytes = Number.POSITIVE_INFINITY,
      format = 'binary',
    }: SocketTransportOptions,
  ) {
    this.#socket = socket;
    this.#decoder = new FrameDecoder(maxMessageBytes);
    this.#decoder.format = format;
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
    const frame = encodeFrame(message, this.#decoder.format);
    const bytes = frame.reduce((sum, { length }) => sum + length, 0);
    if (bytes > this.#maxSentBytes) throw new RequestTooLong(bytes, this.#maxSentBytes);
    // One system call for all of it.
    if (frame.length > 1) this.#socket.cork();
    for (const piece of frame) this.#socket.write(piece);
    if (frame.length > 1) this.#socket.uncork();
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

  #closeOf(error: string): TransportClose {
    if (this.#reason !== undefined) return { by: 'here', reason: this.#reason };
    const cut = this.#decoder.isInMessage ? 'it closed in the middle of a message' : 'it closed';
    return { by: 'there', reason: error || cut };
  }
}
