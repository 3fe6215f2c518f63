/** The client's side of one connection. */
import { connect, type Socket } from 'node:net';
import { DaemonLost } from '../../errors.ts';
import type { Call, Progress } from '../../session/sessions.ts';
import type { Places } from '../protocol/daemon-paths.ts';
import { isPrivateFolder, isSocketOfOurs } from '../protocol/path-ownership.ts';
import type { Answer, Method, Notifications, Params } from '../protocol/protocol.ts';
import { fromRefusal } from '../protocol/remote-error.ts';
import { Asker, Refusal } from './rpc-client.ts';

/** The daemon is ours: it is the header's eight digits that end this. */
const LONGEST_ANSWER = 99_999_999;

type OnEvent = (event: Notifications['event']) => void;

export class Link {
  readonly #places: Places;
  readonly #socket: Socket;
  readonly #asker: Asker;
  readonly #progress = new Map<number, (progress: Progress) => void>();
  #nextProgress = 1;
  #isClosed = false;

  /** Undefined where nobody answers. */
  static async open(places: Places): Promise<Link | undefined> {
    const socket = await dial(places);
    return socket && new Link(places, socket);
  }

  private constructor(places: Places, socket: Socket) {
    this.#places = places;
    this.#socket = socket;
    this.#asker = new Asker(socket, LONGEST_ANSWER);
    socket.on('error', () => {});
    this.#asker.onNotification('progress', ({ token, progress }: Notifications['progress']) =>
      this.#progress.get(token)?.(progress),
    );
    this.onClosed(() => {
      this.#isClosed = true;
    });
  }

  onClosed(closed: () => void): void {
    this.#socket.once('close', closed);
  }

  onEvent(listener: OnEvent): void {
    this.#asker.onNotification('event', listener);
  }

  async request<M extends Method>(
    method: M,
    params: Params<M>,
    { signal, actor, reader, onProgress }: Call = {},
  ): Promise<Answer<M>> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new DaemonLost(this.#places.log);
    const progress = onProgress && this.#nextProgress++;
    const asked = { ...params, actor, reader, progress };
    const { answer, cancel } = this.#asker.request(method, asked);
    if (onProgress) this.#progress.set(progress!, onProgress);
    let giveUp = () => {};
    const abandoned = new Promise<never>((_, reject) => {
      giveUp = () => {
        cancel();
        reject(signal?.reason);
      };
    });
    signal?.addEventListener('abort', giveUp);
    try {
      return (await Promise.race([answer, abandoned])) as Answer<M>;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.#isClosed || !(error instanceof Refusal)
        ? new DaemonLost(this.#places.log)
        : fromRefusal(error);
    } finally {
      signal?.removeEventListener('abort', giveUp);
      if (progress !== undefined) this.#progress.delete(progress);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      this.onClosed(resolve);
      this.#socket.destroy();
    });
  }
}

/** Whether a daemon listens. */
export const answers = async (places: Places): Promise<boolean> => {
  const socket = await dial(places);
  socket?.destroy();
  return socket !== undefined;
};

/** Nobody there, or one that was killed; and, for a moment, one that more want than it can take. */
const nobody = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EAGAIN', 'EPIPE'];

const dial = async (places: Places): Promise<Socket | undefined> => {
  if (!isPrivateFolder(places.runtimeFolder, 'runtime')) return undefined;
  if (!isSocketOfOurs(places.socket)) return undefined;
  return new Promise((resolve, reject) => {
    const socket = connect(places.socket);
    const onError = (error: NodeJS.ErrnoException) =>
      nobody.includes(error.code ?? '') ? resolve(undefined) : reject(error);
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
};
