/**
 * The connections of 2025-era clients over HTTP. Each client sends `initialize` once and then an id
 * with every request.
 *
 * A client that disappears without closing would stay for ever, so a new client replaces the least
 * recently used one. If that one does come back, it gets a 404 and must initialize again.
 */
import { randomUUID } from 'node:crypto';
import {
  isInitializeRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

const MAX_CONNECTIONS = 64;

export class HttpConnections {
  readonly #newServer: () => Server;
  /** Least recently used first. */
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(newServer: () => Server) {
    this.#newServer = newServer;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null && isInitializeRequest(body)) return this.#initialize(request, body);
    if (id === null)
      return errorResponse(400, 'Send initialize first, then Mcp-Session-Id with each request.');
    const transport = this.#transports.get(id);
    if (transport === undefined)
      return errorResponse(404, 'This session is not known. Initialize anew.');
    this.#transports.delete(id);
    this.#transports.set(id, transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
  }

  async #initialize(request: Request, body: unknown): Promise<Response> {
    const [leastRecentlyUsed] = this.#transports.values();
    if (this.#transports.size >= MAX_CONNECTIONS) await leastRecentlyUsed?.close();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void this.#transports.set(id, transport),
    });
    const server = this.#newServer();
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) this.#transports.delete(transport.sessionId);
      onclose?.();
    };
    return transport.handleRequest(request, { parsedBody: body });
  }
}

const errorResponse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status });
