/** Serves MCP over streamable HTTP, at /mcp, to all clients that have the token. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { createHttpGate } from '../../http/http-gate.ts';
import { type ListenAddress, listenOn } from '../../http/listen.ts';
import { limitSessions } from '../limit-sessions.ts';
import { logToStderr } from '../log-to-stderr.ts';
import type { ResourceChange, ResourceChanges } from '../resource-changes.ts';
import { createMcpServer, type McpServerContext } from '../server.ts';
import { HttpConnections } from './http-connections.ts';
import { readRequestBody, sendWebResponse, toWebRequest } from './web-streams.ts';

export interface HttpOptions extends ListenAddress {
  token: string;
}

export interface RunningHttpServer {
  url: string;
  close(): Promise<void>;
}

/** Enough for arguments of 10 MB, however they are escaped. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const serveHttp = async (
  context: McpServerContext,
  { host, port, token }: HttpOptions,
): Promise<RunningHttpServer> => {
  const checkHeaders = createHttpGate(token, host);
  const connections = new HttpConnections(() => createMcpServer(context, { era: 'legacy' }));
  const modern = createMcpHandler((request) => createMcpServer(context, request), {
    legacy: 'reject',
    bus: busOf(context.changes),
    onerror: (error) => logToStderr(error.message),
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = checkHeaders(request.headers);
    if (refusal) return sendError(response, refusal.status, refusal.message);
    if (new URL(request.url ?? '/', 'http://here').pathname !== '/mcp')
      return sendError(response, 404, 'MCP is served at /mcp.');
    const body = request.method === 'POST' ? await readRequestBody(request, MAX_BODY_BYTES) : '';
    if (body === undefined)
      return sendError(response, 413, `A request may have ${MAX_BODY_BYTES} bytes.`);
    const message = parseJson(body);
    if (message instanceof SyntaxError)
      return sendError(response, 400, `The body is not JSON: ${message.message}`, -32700);
    const disconnected = new AbortController();
    response.once('close', () => disconnected.abort());
    const webRequest = toWebRequest(request, disconnected.signal);
    const isLegacy = request.method !== 'POST' || (await isLegacyRequest(webRequest, message));
    const webResponse = isLegacy
      ? await connections.handle(webRequest, message)
      : await modern.fetch(webRequest, { parsedBody: message });
    await sendWebResponse(webResponse, response);
  };

  const server = createHttpServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      logToStderr('a request failed:', error);
      if (!response.headersSent)
        sendError(response, 500, 'Repartee failed; its log on stderr says more.');
      else response.destroy();
    });
  });
  const { origin } = await listenOn(server, { host, port });
  return {
    url: `${origin}/mcp`,
    async close() {
      await modern.close();
      await connections.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
};

/** All clients with the token share this limit, since we cannot tell them apart. */
const MAX_SESSIONS = 32;

export const limitSessionsForHttp = (
  sessions: McpServerContext['sessions'],
): McpServerContext['sessions'] => limitSessions(sessions, MAX_SESSIONS);

/** Sends changes to the listening streams of 2026-era clients. */
const busOf = (changes: ResourceChanges): ServerEventBus => ({
  publish() {},
  subscribe(listener) {
    const onChange = (change: ResourceChange) =>
      listener(
        change.kind === 'list'
          ? { kind: 'resources_list_changed' }
          : { kind: 'resource_updated', uri: change.uri },
      );
    const unsubscribes = [changes.listenToList(onChange), changes.listenToResources(onChange)];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  },
});

/** Returns the error instead of throwing it. An empty body is `undefined`. */
const parseJson = (body: string): unknown => {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch (error) {
    return error;
  }
};

const sendError = (
  response: ServerResponse,
  status: number,
  message: string,
  code = -32000,
): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    // The rest of an unread body would be taken for the next request.
    connection: 'close',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
};
