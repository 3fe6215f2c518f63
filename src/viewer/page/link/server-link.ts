/** The page's connection to its server. It comes back by itself when it was lost. */
import {
  PAGE_PROTOCOL,
  type PageNews,
  type PageParams,
  type PageReply,
  type PageRequestName,
  type PageResults,
  TOKEN_PATH,
  TOKEN_PROTOCOL_PREFIX,
} from '../../page-messages.ts';

export type LinkState =
  | { kind: 'connecting' }
  | { kind: 'connected' }
  /** It tries again. */
  | { kind: 'lost' }
  /** It does not. */
  | { kind: 'refused'; message: string };

export interface ServerLinkListener {
  onState(state: LinkState): void;
  onNews(news: PageNews): void;
  onOutput(watch: number, bytes: Uint8Array): void;
}

/** What a request was answered with, if not with its result. */
export class RequestRefused extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Waiting {
  resolve(result: never): void;
  reject(error: Error): void;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 4000;

export class ServerLink {
  readonly token: string;
  readonly #listener: ServerLinkListener;
  readonly #waiting = new Map<number, Waiting>();
  #socket: WebSocket | undefined;
  #nextId = 1;
  #retryMs = FIRST_RETRY_MS;
  #isOver = false;

  constructor(token: string, listener: ServerLinkListener) {
    this.token = token;
    this.#listener = listener;
  }

  connect(): void {
    this.#listener.onState({ kind: 'connecting' });
    const { protocol, host } = location;
    const url = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/`;
    const socket = new WebSocket(url, [PAGE_PROTOCOL, `${TOKEN_PROTOCOL_PREFIX}${this.token}`]);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      this.#retryMs = FIRST_RETRY_MS;
      this.#listener.onState({ kind: 'connected' });
    };
    socket.onmessage = ({ data }) => this.#onMessage(data);
    socket.onclose = () => void this.#onClose(socket);
    this.#socket = socket;
  }

  request<Name extends PageRequestName>(
    request: Name,
    params: PageParams<Name>,
  ): Promise<PageResults[Name]> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN)
      return Promise.reject(new RequestRefused('NOT_CONNECTED', 'The viewer is not connected.'));
    const id = this.#nextId++;
    socket.send(JSON.stringify({ id, request, params }));
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  /** Nothing more is to be done: a link for one question has been used. */
  end(): void {
    this.#isOver = true;
    this.#socket?.close();
  }

  #onMessage(data: string | ArrayBuffer): void {
    if (typeof data !== 'string') {
      const watch = new DataView(data).getUint32(0);
      this.#listener.onOutput(watch, new Uint8Array(data, 4));
      return;
    }
    const message = JSON.parse(data) as PageNews | PageReply;
    if ('news' in message) {
      this.#listener.onNews(message);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ('result' in message) waiting?.resolve(message.result as never);
    else waiting?.reject(new RequestRefused(message.error.code, message.error.message));
  }

  async #onClose(socket: WebSocket): Promise<void> {
    if (this.#socket !== socket || this.#isOver) return;
    for (const { reject } of this.#waiting.values())
      reject(new RequestRefused('CONNECTION_LOST', 'The connection to the viewer was lost.'));
    this.#waiting.clear();
    const refusal = await this.#refusal();
    if (refusal !== undefined) return this.#listener.onState({ kind: 'refused', message: refusal });
    this.#listener.onState({ kind: 'lost' });
    setTimeout(() => this.connect(), this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }

  /** Why the token is not taken. A WebSocket that is refused does not say. */
  async #refusal(): Promise<string | undefined> {
    try {
      const response = await fetch(TOKEN_PATH, {
        headers: { authorization: `Bearer ${this.token}` },
      });
      return response.status === 401 ? await response.text() : undefined;
    } catch {
      // Nobody is there.
      return undefined;
    }
  }
}
