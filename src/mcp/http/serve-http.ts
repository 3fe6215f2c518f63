/** Serves many clients over streamable HTTP, at /mcp, to whoever has the token. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  createMcpHandler,
  isLegacyRequest,
  type ServerEventBus,
} from '@modelcontextprotocol/server';
import { UnusableAddress } from '../../errors.ts';
import { limitSessions } from '../limit-sessions.ts';
import { log } from '../log.ts';
import type { ResourceChange, ResourceChanges } from '../resource-changes.ts';
import { createServer, type ServerContext } from '../server.ts';
import { HttpConnections } from './http-connections.ts';
import { createGate } from './http-gate.ts';
import { bodyOf, sendWebResponse, toWebRequest } from './web-streams.ts';

export interface HttpOptions {
  host: string;
  /** 0: any that is free. */
  port: number;
  token: string;
}

export interface RunningHttpServer {
  url: string;
  close(): Promise<void>;
}

/** Arguments of 10 MB pass, however they are escaped. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

export const serveHttp = async (
  offer: ServerContext,
  { host, port, token }: HttpOptions,
): Promise<RunningHttpServer> => {
  const refusalOf = createGate(token, host);
  const connections = new HttpConnections(() => createServer(offer, { era: 'legacy' }));
  const modern = createMcpHandler((context) => createServer(offer, context), {
    legacy: 'reject',
    bus: busOf(offer.changes),
    onerror: (error) => log(error.message),
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refusalOf(request.headers);
    if (refusal) return refuse(response, refusal.status, refusal.message);
    if (new URL(request.url ?? '/', 'http://here').pathname !== '/mcp')
      return refuse(response, 404, 'MCP is served at /mcp.');
    const body = request.method === 'POST' ? await bodyOf(request, MAX_BODY_BYTES) : '';
    if (body === undefined)
      return refuse(response, 413, `A request may have ${MAX_BODY_BYTES} bytes.`);
    const message = parsed(body);
    if (message instanceof SyntaxError)
      return refuse(response, 400, `The body is not JSON: ${message.message}`, -32700);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const webRequest = toWebRequest(request, gone.signal);
    const isLegacy = request.method !== 'POST' || (await isLegacyRequest(webRequest, message));
    const webResponse = isLegacy
      ? await connections.handle(webRequest, message)
      : await modern.fetch(webRequest, { parsedBody: message });
    await sendWebResponse(webResponse, response);
  };

  const server = createHttpServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      log('a request failed:', error);
      if (!response.headersSent)
        refuse(response, 500, 'Repartee failed; its log on stderr says more.');
      else response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new UnusableAddress(host, port, remedies[error.code ?? ''] ?? error.message)),
    );
    server.listen(port, host, resolve);
  });
  const { port: chosen } = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${shown}:${chosen}/mcp`,
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

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has that port. Take another, or 0 for any that is free',
  EACCES: 'only root may have that port. Take one from 1024 on, or 0 for any that is free',
  EADDRNOTAVAIL:
    'this machine does not have that address. 127.0.0.1 is for clients on this machine',
  ENOTFOUND: 'nobody knows that name. 127.0.0.1 is for clients on this machine',
};

/** All who have the token are one client to us, and share what one may open. */
const MAX_SESSIONS = 32;

export const limitedForHttp = (sessions: ServerContext['sessions']): ServerContext['sessions'] =>
  limitSessions(sessions, MAX_SESSIONS);

/** Each listening stream of the 2026 era hears of the changes directly. */
const busOf = (changes: ResourceChanges): ServerEventBus => ({
  publish() {},
  subscribe(listener) {
    const onChange = (change: ResourceChange) =>
      listener(
        change.kind === 'list'
          ? { kind: 'resources_list_changed' }
          : { kind: 'resource_updated', uri: change.uri },
      );
    const stops = [changes.listenToList(onChange), changes.listenToResources(onChange)];
    return () => {
      for (const stop of stops) stop();
    };
  },
});

const parsed = (body: string): unknown => {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch (error) {
    return error;
  }
};

const refuse = (response: ServerResponse, status: number, message: string, code = -32000): void => {
  response.writeHead(status, {
    'content-type': 'application/json',
    // What is left of a body that is not read would be taken for the next request.
    connection: 'close',
    ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  });
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
};
