/** A client that can send anything, and that reads only when the test wants it to. */
import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { PROTOCOLS } from '../../../src/daemon/protocol/protocol.ts';
import { PACKAGE_VERSION } from '../../../src/package-version.ts';
import { until } from '../until.ts';
import type { OwnDaemon } from './own-daemon.ts';

interface Message {
  id?: number;
  method?: string;
  params?: { event?: Record<string, unknown> };
  result?: unknown;
  error?: { message: string; data?: { code: string } };
}

export class RawClient {
  readonly socket: Socket;
  readonly messages: Message[] = [];
  receivedBytes = 0;
  #unread = Buffer.alloc(0);
  #nextId = 1;

  constructor({ paths }: OwnDaemon) {
    this.socket = connect(paths.socket);
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => this.#receive(chunk));
    onTestFinished(() => void this.socket.destroy());
  }

  /** A client that has said hello. */
  static async withHello(daemon: OwnDaemon): Promise<RawClient> {
    const client = new RawClient(daemon);
    await client.request('hello', { protocol: PROTOCOLS.newest, version: PACKAGE_VERSION });
    return client;
  }

  send(message: object): void {
    this.socket.write(frame(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }

  async request(method: string, params: object): Promise<Message> {
    const id = this.sendRequest(method, params);
    await until(`${method} is answered`, () => this.response(id) !== undefined, 30_000);
    return this.response(id)!;
  }

  /** Does not wait for the response. Returns its id. */
  sendRequest(method: string, params: object): number {
    const id = this.#nextId++;
    this.send({ id, method, params });
    return id;
  }

  response(id: number): Message | undefined {
    return this.messages.find((message) => message.id === id);
  }

  #receive(chunk: Buffer): void {
    this.receivedBytes += chunk.length;
    this.#unread = Buffer.concat([this.#unread, chunk]);
    while (true) {
      const end = this.#unread.indexOf('\r\n\r\n');
      if (end === -1) return;
      const bytes = Number(/\d+/.exec(this.#unread.toString('latin1', 0, end))?.[0]);
      if (this.#unread.length < end + 4 + bytes) return;
      this.messages.push(JSON.parse(this.#unread.toString('utf8', end + 4, end + 4 + bytes)));
      this.#unread = this.#unread.subarray(end + 4 + bytes);
    }
  }
}

export const frame = (body: string): string =>
  `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
