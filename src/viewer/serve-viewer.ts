/** Serves the page, its WebSocket and the recordings to those who have the link. */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { drained } from '../http/drained.ts';
import { bearerToken, createPageGate } from '../http/http-gate.ts';
import { type ListenAddress, listenOn } from '../http/listen.ts';
import { userName } from '../session/caller.ts';
import { PageConnection } from './page-connection.ts';
import { commonHeaders, readPageFiles } from './page-files.ts';
import {
  MAX_PAGE_MESSAGE_BYTES,
  PAGE_PROTOCOL,
  type PagePurpose,
  RECORDING_START_HEADER,
  recordingPath,
  TOKEN_PATH,
  TOKEN_PROTOCOL_PREFIX,
} from './page-messages.ts';
import { SharedView } from './shared-view.ts';
import { type Grant, ViewerAccess } from './viewer-access.ts';
import type { ViewerSessions } from './viewer-sessions.ts';

export interface ViewerOptions extends ListenAddress {
  /** Called for each page, and once for what all look at: a slow page must not hold others up. */
  connect(): Promise<ViewerSessions>;
  /** The folder of recordings. Absent: none are shown. */
  recordings?: string;
  /** Every link is one to look only. */
  isReadOnly?: boolean;
  /** Where the page was built. @default beside this file */
  pageFolder?: string;
}

export interface OneTimePage {
  url: string;
  /** Resolves when the person has done what it is for. */
  done: Promise<void>;
}

export interface RunningViewer {
  /** With which everything can be done. Absent if it is to look only. */
  url?: string;
  readOnlyUrl: string;
  /** A link for one question alone, which works once. */
  linkFor(only: PagePurpose): OneTimePage;
  close(): Promise<void>;
}

/** Each has a connection to the daemon. */
const MAX_PAGES = 32;
/** A browser that has vanished without closing is noticed within two of these. */
const PING_MS = 30_000;
/** How long a page has to read the last that was sent to it. */
const GOODBYE_MS = 1000;
/** A page that takes nothing from its socket must not fill our memory. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;

export const serveViewer = async (options: ViewerOptions): Promise<RunningViewer> => {
  const access = new ViewerAccess(options);
  const viewSessions = await options.connect();
  const files = readPageFiles(options.pageFolder);
  const view = new SharedView(viewSessions, options.recordings);
  const server = createHttpServer();
  const { origin, port } = await listenOn(server, options);
  const refuse = createPageGate(options.host, port);
  const pages = new ViewerPages(options, view);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAGE_MESSAGE_BYTES,
    handleProtocols: () => PAGE_PROTOCOL,
  });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refuse(request.headers);
    if (refusal) return sendText(response, refusal.status, refusal.message);
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return sendText(response, 405, 'Only GET is served here.');
    const { pathname } = new URL(request.url ?? '/', origin);
    if (pathname === TOKEN_PATH) {
      const reason = access.refusal(bearerToken(request.headers));
      return reason === undefined ? sendText(response, 204, '') : sendText(response, 401, reason);
    }
    const recording = recordingOf(pathname);
    if (recording !== undefined) {
      if (!access.opensAll(bearerToken(request.headers)))
        return sendText(response, 401, 'Give the token as "Authorization: Bearer TOKEN".');
      return sendRecording(response, view, recording);
    }
    const file = files(pathname);
    if (file === undefined) return sendText(response, 404, 'There is nothing here.');
    response.writeHead(200, { ...commonHeaders, ...file.headers });
    response.end(file.body);
  };
  server.on('request', (request, response) => {
    answer(request, response).catch((error: unknown) => {
      console.error('repartee view: a request failed:', error);
      if (response.headersSent) response.destroy();
      else sendText(response, 500, 'Repartee failed; the terminal of `repartee view` says more.');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refuse(request.headers, { needsOrigin: true });
    if (refusal) return refuseUpgrade(socket, refusal.status, refusal.message);
    const token = tokenOf(request);
    if (token === undefined || access.refusal(token) !== undefined)
      return refuseUpgrade(socket, 401, 'The token is missing or wrong.');
    if (pages.count >= MAX_PAGES)
      return refuseUpgrade(socket, 503, `${MAX_PAGES} pages are open already.`);
    const grant = access.use(token);
    if (grant === undefined) return refuseUpgrade(socket, 401, 'This link was used.');
    sockets.handleUpgrade(request, socket, head, (page) => pages.add(page, grant));
  });

  const linkTo = (path: string, token: string) => `${origin}${path}#token=${token}`;
  return {
    ...(access.token !== undefined && { url: linkTo('/', access.token) }),
    readOnlyUrl: linkTo('/', access.readOnlyToken),
    linkFor: (only) => {
      const { token, done } = access.addLink(only);
      return { url: linkTo(`/${only.kind}/`, token), done };
    },
    async close() {
      await pages.close();
      view.close();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await viewSessions[Symbol.asyncDispose]();
    },
  };
};

class ViewerPages {
  readonly #options: ViewerOptions;
  readonly #view: SharedView;
  /** By the numbers that tell the names of their actors apart. */
  readonly #pages = new Map<number, { socket: WebSocket; gone: Promise<void> }>();

  constructor(options: ViewerOptions, view: SharedView) {
    this.#options = options;
    this.#view = view;
  }

  get count(): number {
    return this.#pages.size;
  }

  add(socket: WebSocket, grant: Grant): void {
    let number = 1;
    while (this.#pages.has(number)) number++;
    const actor = `${userName()} in the browser${number === 1 ? '' : ` (page ${number})`}`;
    const gone = this.#serve(socket, grant, actor).finally(() => this.#pages.delete(number));
    this.#pages.set(number, { socket, gone });
  }

  async close(): Promise<void> {
    const pages = [...this.#pages.values()];
    for (const { socket } of pages) socket.close();
    // A browser that does not answer must not hold us up.
    const timer = setTimeout(() => {
      for (const { socket } of pages) socket.terminate();
    }, GOODBYE_MS);
    await Promise.all(pages.map(({ gone }) => gone));
    clearTimeout(timer);
  }

  /** Until the page is gone. */
  async #serve(socket: WebSocket, grant: Grant, actor: string): Promise<void> {
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    socket.on('error', () => socket.terminate());
    const stopPinging = pingUntilGone(socket);
    const early: string[] = [];
    let page: PageConnection | undefined;
    // The page may ask before we are connected.
    socket.on('message', (data, isBinary) => {
      if (isBinary) socket.terminate();
      else if (page === undefined) early.push(data.toString());
      else void page.onText(data.toString());
    });
    const sessions = await this.#options.connect().catch((error: unknown) => {
      // The page tries again, and says meanwhile that it cannot reach us.
      console.error('repartee view:', (error as Error).message);
      socket.terminate();
    });
    if (sessions !== undefined) {
      const send = (data: string | Uint8Array) => {
        if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate();
        else if (socket.readyState === socket.OPEN) socket.send(data);
      };
      page = new PageConnection(
        { sendText: send, sendBytes: send },
        { sessions, view: this.#view, grant, actor },
      );
      for (const text of early) void page.onText(text);
    }
    await closed;
    stopPinging();
    await page?.close();
    await sessions?.[Symbol.asyncDispose]();
  }
}

const pingUntilGone = (socket: WebSocket): (() => void) => {
  let hasAnswered = true;
  socket.on('pong', () => {
    hasAnswered = true;
  });
  const timer = setInterval(() => {
    if (!hasAnswered) return socket.terminate();
    hasAnswered = false;
    socket.ping();
  }, PING_MS);
  return () => clearInterval(timer);
};

/** The token comes as a subprotocol: a page can set no header, and a URL would be in logs. */
const tokenOf = (request: IncomingMessage): string | undefined =>
  request.headers['sec-websocket-protocol']
    ?.split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(TOKEN_PROTOCOL_PREFIX))
    ?.slice(TOKEN_PROTOCOL_PREFIX.length);

const recordingOf = (pathname: string): string | undefined => {
  const prefix = recordingPath('');
  if (!pathname.startsWith(prefix)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(prefix.length));
  } catch {
    return undefined;
  }
};

const sendRecording = async (
  response: ServerResponse,
  { recordings }: SharedView,
  name: string,
): Promise<void> => {
  const recording = await recordings?.open(name);
  if (recording === undefined) return sendText(response, 404, 'This recording is no longer there.');
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': 'application/x-asciicast',
    [RECORDING_START_HEADER]: String(recording.startedAt),
  });
  for await (const line of recording.lines) {
    if (response.destroyed) return;
    if (!response.write(line)) await drained(response);
  }
  response.end();
};

const sendText = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, {
    ...commonHeaders,
    'content-type': 'text/plain; charset=utf-8',
    connection: 'close',
  });
  response.end(text);
};

const refuseUpgrade = (socket: Duplex, status: number, message: string): void => {
  socket.on('error', () => {});
  socket.end(
    `HTTP/1.1 ${status} Refused\r\ncontent-type: text/plain\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(message)}\r\n\r\n${message}`,
  );
};
