/**
 * Clients of the 2025 era over HTTP: each says hello once and bears the id it is given from then on.
 *
 * One that goes without a word would stay for ever, so the longest unused makes room for a new one;
 * if it does come back, the protocol tells it to say hello again.
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
  /** In the order of their use. */
  readonly #transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  constructor(newServer: () => Server) {
    this.#newServer = newServer;
  }

  async handle(request: Request, body: unknown): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null && isInitializeRequest(body)) return this.#hello(request, body);
    if (id === null)
      return refusal(400, 'Send initialize first, then Mcp-Session-Id with each request.');
    const transport = this.#transports.get(id);
    if (transport === undefined) return refusal(404, 'This session is not known. Initialize anew.');
    this.#transports.delete(id);
    this.#transports.set(id, transport);
    return transport.handleRequest(request, { parsedBody: body });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#transports.values()].map((transport) => transport.close()));
  }

  async #hello(request: Request, body: unknown): Promise<Response> {
    const [unused] = this.#transports.values();
    if (this.#transports.size >= MAX_CONNECTIONS) await unused?.close();
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

const refusal = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status });
