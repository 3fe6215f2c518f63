/** Frames as the daemon's side of vscode-jsonrpc reads and writes them. */
import type { Socket } from 'node:net';
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Message,
} from 'vscode-jsonrpc/node';
import { encodeFrame, FrameDecoder } from '../protocol/frames.ts';

export class FrameReader extends AbstractMessageReader {
  readonly #socket: Socket;
  readonly #frames: FrameDecoder;

  constructor(socket: Socket, longest: number) {
    super();
    this.#socket = socket;
    this.#frames = new FrameDecoder(longest);
  }

  set longest(bytes: number) {
    this.#frames.longest = bytes;
  }

  override listen(callback: DataCallback) {
    const onData = (chunk: Buffer) => {
      try {
        for (const message of this.#frames.receive(chunk)) {
          if (this.#socket.destroyed) return;
          callback(message as Message);
        }
      } catch (error) {
        // What has no length, no JSON or no sense has no end either: nothing after it can be read.
        this.fireError(error);
        this.#socket.destroy();
      }
    };
    const onClose = () => this.fireClose();
    this.#socket.on('data', onData).on('close', onClose);
    return { dispose: () => void this.#socket.off('data', onData).off('close', onClose) };
  }
}

export class FrameWriter extends AbstractMessageWriter {
  readonly #socket: Socket;
  readonly #limit: number;

  /** A socket on which more than `limit` waits to be read is cut. */
  constructor(socket: Socket, limit: number) {
    super();
    this.#socket = socket;
    this.#limit = limit;
  }

  async write(message: Message): Promise<void> {
    if (this.#socket.destroyed) return;
    this.#socket.write(encodeFrame(message));
    if (this.#socket.writableLength > this.#limit) this.#socket.destroy();
  }

  end(): void {
    this.#socket.end();
  }
}
