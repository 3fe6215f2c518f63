/**
 * JSON-RPC over a pair of streams, one message per line.
 *
 * The SDK's own transport silently drops a line that is not JSON, and it ends the connection at 10 MB.
 * This one answers both with an error.
 */
import type { Readable, Writable } from 'node:stream';
import {
  isInitializeRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** More than any sensible argument: a terminal takes text, large data belongs into files. */
const MAX_MEGABYTES = 32;
const MAX_MESSAGE_BYTES = MAX_MEGABYTES * 1024 * 1024;

const NEWLINE = 0x0a;

/** Our own callbacks, because the SDK sets `onmessage` and `onclose` itself. */
interface TransportHooks {
  /** Called with everything that is JSON. Returns whether it was served. */
  take(message: unknown): boolean;
  /** Called with every other message before it is served. */
  onReceived(message: JSONRPCMessage): void;
  onClosed(): void;
}

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #hooks: TransportHooks;
  readonly #input: Readable;
  readonly #output: Writable;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #isClosed = false;

  constructor(input: Readable, output: Writable, hooks: TransportHooks) {
    this.#input = input;
    this.#output = output;
    this.#hooks = hooks;
  }

  async start(): Promise<void> {
    const close = () => void this.close();
    this.#input.on('data', (chunk: Buffer) => this.#onData(chunk));
    this.#input.on('end', close);
    this.#input.on('close', close);
    this.#input.on('error', close);
    // EPIPE: the client has disconnected, and nothing more can be sent.
    this.#output.on('error', close);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.write(message);
  }

  write(message: object): void {
    if (!this.#isClosed) this.#output.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
    this.#hooks.onClosed();
  }

  #onData(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#append(chunk.subarray(start, end));
      start = end + 1;
      const line = Buffer.concat(this.#line);
      const isTooLong = this.#lineBytes > MAX_MESSAGE_BYTES;
      this.#line = [];
      this.#lineBytes = 0;
      if (isTooLong)
        this.#sendError(`a message may have ${MAX_MEGABYTES} MB; put large data into a file`);
      else this.#receiveLine(line.toString());
    }
    this.#append(chunk.subarray(start));
  }

  #append(part: Buffer): void {
    this.#lineBytes += part.length;
    // A line that is too long is only counted.
    if (this.#lineBytes > MAX_MESSAGE_BYTES) this.#line = [];
    else this.#line.push(part);
  }

  #receiveLine(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#sendError(`not JSON: ${(error as Error).message}`, ProtocolErrorCode.ParseError);
      return;
    }
    if (this.#hooks.take(value)) return;
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#sendError('not a JSON-RPC 2.0 message', ProtocolErrorCode.InvalidRequest, idOf(value));
      return;
    }
    // The SDK would call the client's mistake an error of its own.
    if ('id' in message && 'method' in message && isWrongInitialize(message)) {
      const needs = 'initialize needs protocolVersion, capabilities and clientInfo';
      this.#sendError(needs, ProtocolErrorCode.InvalidParams, message.id);
      return;
    }
    this.#hooks.onReceived(message);
    this.onmessage?.(message);
  }

  #sendError(reason: string, code = ProtocolErrorCode.InvalidRequest, id: unknown = null): void {
    this.write({ jsonrpc: '2.0', id, error: { code, message: `Refused: ${reason}.` } });
  }
}

const isWrongInitialize = (message: { method: string }): boolean =>
  message.method === 'initialize' && !isInitializeRequest(message);

const idOf = (value: unknown): unknown => {
  const id: unknown = typeof value === 'object' && value !== null && Reflect.get(value, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};
