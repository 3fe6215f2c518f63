/** Lets vscode-jsonrpc, which the daemon uses, read and write our frames. */
import type { Socket } from 'node:net';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Message,
} from 'vscode-jsonrpc/node';
import { encodeFrame, FrameDecoder } from '../protocol/frames.ts';

export class RpcFrameReader extends AbstractMessageReader {
  readonly #socket: Socket;
  readonly #decoder: FrameDecoder;

  constructor(socket: Socket, maxBytes: number) {
    super();
    this.#socket = socket;
    this.#decoder = new FrameDecoder(maxBytes);
  }

  set maxBytes(bytes: number) {
    this.#decoder.maxBytes = bytes;
  }

  override listen(callback: DataCallback) {
    const onData = (chunk: Buffer) => {
      try {
        for (const message of this.#decoder.receive(chunk)) {
          if (this.#socket.destroyed) return;
          callback(message as Message);
        }
      } catch (error) {
        // Without a valid header and JSON, nobody knows where the next message starts.
        this.fireError(error);
        this.#socket.destroy();
      }
    };
    const onClose = () => this.fireClose();
    this.#socket.on('data', onData).on('close', onClose);
    return { dispose: () => void this.#socket.off('data', onData).off('close', onClose) };
  }
}

export class RpcFrameWriter extends AbstractMessageWriter {
  readonly #socket: Socket;
  readonly #maxQueuedBytes: number;

  /** If more than `maxQueuedBytes` are waiting to be read, the socket is destroyed. */
  constructor(socket: Socket, maxQueuedBytes: number) {
    super();
    this.#socket = socket;
    this.#maxQueuedBytes = maxQueuedBytes;
  }

  async write(message: Message): Promise<void> {
    if (this.#socket.destroyed) return;
    this.#socket.write(encodeFrame(message));
    if (this.#socket.writableLength > this.#maxQueuedBytes) this.#socket.destroy();
  }

  end(): void {
    this.#socket.end();
  }
}
