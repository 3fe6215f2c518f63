/** The client's side of one connection. */
import { connect, type Socket } from 'node:net';
import { DaemonLost } from '../../errors.ts';
import type { CallOptions, CallProgress } from '../../session/sessions.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { isPrivateFolder, isSocketOfOurs } from '../protocol/path-ownership.ts';
import type { Method, MethodParams, MethodResult, Notifications } from '../protocol/protocol.ts';
import { fromRpcError } from '../protocol/remote-error.ts';
import { RpcClient, RpcError } from './rpc-client.ts';

/** The daemon is ours: it is the header's eight digits that end this. */
const LONGEST_ANSWER = 99_999_999;

type OnEvent = (event: Notifications['event']) => void;

export class DaemonConnection {
  readonly #paths: DaemonPaths;
  readonly #socket: Socket;
  readonly #rpc: RpcClient;
  readonly #progress = new Map<number, (progress: CallProgress) => void>();
  #nextProgress = 1;
  #isClosed = false;

  /** Undefined where nobody answers. */
  static async open(paths: DaemonPaths): Promise<DaemonConnection | undefined> {
    const socket = await dial(paths);
    return socket && new DaemonConnection(paths, socket);
  }

  private constructor(paths: DaemonPaths, socket: Socket) {
    this.#paths = paths;
    this.#socket = socket;
    this.#rpc = new RpcClient(socket, LONGEST_ANSWER);
    socket.on('error', () => {});
    this.#rpc.onNotification('progress', ({ token, progress }: Notifications['progress']) =>
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
    this.#rpc.onNotification('event', listener);
  }

  async request<M extends Method>(
    method: M,
    params: MethodParams<M>,
    { signal, actor, reader, onProgress }: CallOptions = {},
  ): Promise<MethodResult<M>> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new DaemonLost(this.#paths.log);
    const progress = onProgress && this.#nextProgress++;
    const asked = { ...params, actor, reader, progress };
    const { answer, cancel } = this.#rpc.request(method, asked);
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
      return (await Promise.race([answer, abandoned])) as MethodResult<M>;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.#isClosed || !(error instanceof RpcError)
        ? new DaemonLost(this.#paths.log)
        : fromRpcError(error);
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
export const isDaemonListening = async (paths: DaemonPaths): Promise<boolean> => {
  const socket = await dial(paths);
  socket?.destroy();
  return socket !== undefined;
};

/** Nobody there, or one that was killed; and, for a moment, one that more want than it can take. */
const nobody = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EAGAIN', 'EPIPE'];

const dial = async (paths: DaemonPaths): Promise<Socket | undefined> => {
  if (!isPrivateFolder(paths.runtimeFolder, 'runtime')) return undefined;
  if (!isSocketOfOurs(paths.socket)) return undefined;
  return new Promise((resolve, reject) => {
    const socket = connect(paths.socket);
    const onError = (error: NodeJS.ErrnoException) =>
      nobody.includes(error.code ?? '') ? resolve(undefined) : reject(error);
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
};
