/**
 * The only way out of a sandbox whose profile names hosts: an HTTP proxy that decides about each request
 * by itself. Requests are parsed by Node and written anew, so the host gets nothing but what was decided.
 */
import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { type Duplex, pipeline } from 'node:stream';
import { type HostPort, HostRules, parseHostPort } from './host-rules.ts';
import { HostRefused, type ResolveName, reachHost } from './reach-host.ts';

export interface SandboxProxyOptions {
  hosts: readonly string[];
  /** @default as the system does */
  resolve?: ResolveName;
}

const MAX_HEADER_BYTES = 16 * 1024;
/** For a request to be said: who is slower holds one of the connections for nothing. */
const HEADERS_MS = 10_000;
/**
 * On each side. npm uses 15 at once, pnpm 64. Each takes a descriptor of the process that holds all sessions,
 * and one client could ask for many hosts without waiting for an answer.
 */
export const MAX_CONNECTIONS = 128;

/** Not for the host but for us: RFC 9110, 7.6.1. We frame the body anew. */
const hopByHop = [
  'connection',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

export class SandboxProxy {
  readonly server: Server;
  readonly #rules: HostRules;
  readonly #resolve: ResolveName | undefined;
  readonly #open = new Set<Duplex>();
  /** Hosts that are connected, or are being. */
  #hosts = 0;

  constructor({ hosts, resolve }: SandboxProxyOptions) {
    this.#rules = new HostRules(hosts);
    this.#resolve = resolve;
    this.server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_MS,
        // An upload may take as long as it likes.
        requestTimeout: 0,
        connectionsCheckingInterval: 1000,
        // A leniency of this process must not become one of the proxy.
        insecureHTTPParser: false,
      },
      (asked, answer) => void this.#forward(asked, answer),
    );
    this.server.maxConnections = MAX_CONNECTIONS;
    this.server.on('connection', (socket) => this.#track(socket));
    this.server.on('connect', (asked, socket, head) => void this.#tunnel(asked, socket, head));
    // The listening socket is ours alone. Nobody can be told if the kernel runs out of something.
    this.server.on('error', () => {});
  }

  close(): void {
    this.server.close();
    for (const stream of this.#open) stream.destroy();
  }

  async #tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    client.on('error', () => client.destroy());
    try {
      const target = parseHostPort(url);
      if (target === undefined) throw new BadRequest('CONNECT wants host:port');
      const host = await this.#reach(target, client);
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      host.write(head);
      pipeline(client, host, client, () => {});
    } catch (error) {
      const { status, message } = explain(error);
      const body = `${message}\n`;
      client.end(
        `HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
  }

  async #forward(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    let socket: Socket | undefined;
    try {
      const { target, authority, path } = targetOf(asked);
      const encoding = asked.headers['transfer-encoding'];
      if (encoding !== undefined && encoding.toLowerCase() !== 'chunked')
        throw new BadRequest('the only transfer encoding is chunked');
      const host = await this.#reach(target, answer);
      socket = host;
      const forwarded = request({
        method: asked.method!,
        path,
        setHost: false,
        createConnection: () => host,
        maxHeaderSize: MAX_HEADER_BYTES,
      });
      passHeaders(asked, (name, value) => forwarded.setHeader(name, value));
      forwarded.setHeader('Host', authority);
      forwarded.setHeader('Connection', 'close');
      // Otherwise Node would write the body of a GET without saying how long it is.
      if (encoding !== undefined) forwarded.setHeader('Transfer-Encoding', 'chunked');
      forwarded.on('response', (response) => {
        answer.statusCode = response.statusCode!;
        answer.statusMessage = response.statusMessage!;
        passHeaders(response, (name, value) => answer.setHeader(name, value));
        pipeline(response, answer, () => host.destroy());
      });
      forwarded.on('error', (error) => {
        host.destroy();
        if (answer.headersSent) answer.destroy();
        else refuse(answer, error);
      });
      answer.on('close', () => host.destroy());
      // A host that answers early must not end the client's connection: what it says is still to come.
      asked.pipe(forwarded);
    } catch (error) {
      socket?.destroy();
      refuse(answer, error);
    }
  }

  /** `client`: with its end the connection is no longer wanted. */
  async #reach(target: HostPort, client: Duplex | ServerResponse): Promise<Socket> {
    if (this.#hosts >= MAX_CONNECTIONS)
      throw new HostRefused(503, `More than ${MAX_CONNECTIONS} connections are open.`);
    this.#hosts++;
    const release = () => this.#hosts--;
    const host = await reachHost(target, this.#rules, this.#resolve).catch((error: unknown) => {
      release();
      throw error;
    });
    host.once('close', release);
    this.#track(host);
    host.on('error', () => host.destroy());
    if (client.destroyed || !this.server.listening) {
      host.destroy();
      throw new BadRequest('nobody waits for the answer');
    }
    return host;
  }

  #track(stream: Duplex): void {
    this.#open.add(stream);
    stream.once('close', () => this.#open.delete(stream));
  }
}

class BadRequest extends Error {}

const explain = (error: unknown): { status: number; message: string } => ({
  status: error instanceof HostRefused ? error.status : error instanceof BadRequest ? 400 : 502,
  message: `Repartee's sandbox: ${(error as Error).message}`,
});

const refuse = (answer: ServerResponse, error: unknown): void => {
  const { status, message } = explain(error);
  // What is left of the request is not read as another one.
  answer.writeHead(status, { 'Content-Type': 'text/plain', Connection: 'close' });
  answer.end(`${message}\n`);
};

/** The host is the one in the request's target, whatever its header says: RFC 9112, 3.2.2. */
const targetOf = ({
  url = '',
}: IncomingMessage): { target: HostPort; authority: string; path: string } => {
  const [, authority = '', rest = ''] = /^http:\/\/([^/?#]*)([^#]*)/i.exec(url) ?? [];
  const target = parseHostPort(authority, 80);
  if (target === undefined)
    throw new BadRequest('this is a proxy: ask for http://host:port/path, or with CONNECT');
  return { target, authority, path: rest.startsWith('/') ? rest : `/${rest}` };
};

const passHeaders = (
  message: IncomingMessage,
  pass: (name: string, value: string | string[]) => void,
): void => {
  const named = (message.headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase());
  for (const [name, values = []] of Object.entries(message.headersDistinct))
    if (!hopByHop.includes(name) && !named.includes(name))
      pass(name, values.length === 1 ? values[0]! : values);
};
