/**
 * JSON-RPC over a pair of streams, one message a line.
 *
 * The SDK's own transport drops a line that is no JSON without a word and ends the connection at
 * 10 MB; a client is better served by an answer.
 */
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** More than any argument that makes sense: a terminal takes text, and files are for the rest. */
const MAX_MEGABYTES = 32;
const MAX_MESSAGE_BYTES = MAX_MEGABYTES * 1024 * 1024;

const NEWLINE = 0x0a;

/** The SDK takes the transport's own callbacks for itself. */
interface Hooks {
  /** Every message, before it is served. */
  received(message: JSONRPCMessage): void;
  closed(): void;
}

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #hooks: Hooks;
  readonly #input: Readable;
  readonly #output: Writable;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #isClosed = false;

  constructor(input: Readable, output: Writable, hooks: Hooks) {
    this.#input = input;
    this.#output = output;
    this.#hooks = hooks;
  }

  async start(): Promise<void> {
    const close = () => void this.close();
    this.#input.on('data', (chunk: Buffer) => this.#take(chunk));
    this.#input.on('end', close);
    this.#input.on('close', close);
    this.#input.on('error', close);
    // EPIPE: the client has gone, and nothing can be told to it any more.
    this.#output.on('error', close);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input.pause();
    this.onclose?.();
    this.#hooks.closed();
  }

  #take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#append(chunk.subarray(from, end));
      from = end + 1;
      const line = Buffer.concat(this.#line);
      const isTooLong = this.#lineBytes > MAX_MESSAGE_BYTES;
      this.#line = [];
      this.#lineBytes = 0;
      if (isTooLong)
        this.#refuse(`a message may have ${MAX_MEGABYTES} MB; put large data into a file`);
      else this.#receive(line.toString());
    }
    this.#append(chunk.subarray(from));
  }

  #append(part: Buffer): void {
    this.#lineBytes += part.length;
    // The rest of a line that is too long is only counted.
    if (this.#lineBytes > MAX_MESSAGE_BYTES) this.#line = [];
    else this.#line.push(part);
  }

  #receive(line: string): void {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (error) {
      this.#refuse(`not JSON: ${(error as Error).message}`, ProtocolErrorCode.ParseError);
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse('not a JSON-RPC 2.0 message', ProtocolErrorCode.InvalidRequest, idOf(value));
      return;
    }
    this.#hooks.received(message);
    this.onmessage?.(message);
  }

  #refuse(reason: string, code = ProtocolErrorCode.InvalidRequest, id: unknown = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message: `Refused: ${reason}.` } });
  }

  #write(message: object): void {
    if (!this.#isClosed) this.#output.write(`${JSON.stringify(message)}\n`);
  }
}

const idOf = (value: unknown): unknown => {
  const id: unknown = typeof value === 'object' && value !== null && Reflect.get(value, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
};
