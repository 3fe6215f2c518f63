/** The client's side of one connection. */
import { connect, type Socket } from 'node:net';
import { DaemonLost } from '../../errors.ts';
import type { CallOptions, CallProgress } from '../../session/sessions.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { isPrivateFolder, isSocketOfThisUser } from '../protocol/path-ownership.ts';
import type {
  DaemonMethod,
  DaemonNotifications,
  MethodParams,
  MethodResult,
} from '../protocol/protocol.ts';
import { restoreError } from '../protocol/remote-error.ts';
import { RpcClient, RpcError } from './rpc-client.ts';

/** As long as the eight digits of the header allow: the daemon is trusted. */
const MAX_RESPONSE_BYTES = 99_999_999;

type OnEvent = (event: DaemonNotifications['event']) => void;

export class DaemonConnection {
  readonly #paths: DaemonPaths;
  readonly #socket: Socket;
  readonly #rpc: RpcClient;
  readonly #progressListeners = new Map<number, (progress: CallProgress) => void>();
  #nextProgressToken = 1;
  #isClosed = false;

  /** Undefined if no daemon is listening. */
  static async open(paths: DaemonPaths): Promise<DaemonConnection | undefined> {
    const socket = await openSocket(paths);
    return socket && new DaemonConnection(paths, socket);
  }

  private constructor(paths: DaemonPaths, socket: Socket) {
    this.#paths = paths;
    this.#socket = socket;
    this.#rpc = new RpcClient(socket, MAX_RESPONSE_BYTES);
    socket.on('error', () => {});
    this.#rpc.onNotification('progress', ({ token, progress }: DaemonNotifications['progress']) =>
      this.#progressListeners.get(token)?.(progress),
    );
    this.onClosed(() => {
      this.#isClosed = true;
    });
  }

  onClosed(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  onEvent(listener: OnEvent): void {
    this.#rpc.onNotification('event', listener);
  }

  async request<M extends DaemonMethod>(
    method: M,
    params: MethodParams<M>,
    { signal, actor, reader, onProgress }: CallOptions = {},
  ): Promise<MethodResult<M>> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new DaemonLost(this.#paths.log);
    const progress = onProgress && this.#nextProgressToken++;
    const { result, cancel } = this.#rpc.request(method, { ...params, actor, reader, progress });
    if (onProgress) this.#progressListeners.set(progress!, onProgress);
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => {
        cancel();
        reject(signal?.reason);
      };
    });
    signal?.addEventListener('abort', onAbort);
    try {
      return (await Promise.race([result, aborted])) as MethodResult<M>;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw this.#isClosed || !(error instanceof RpcError)
        ? new DaemonLost(this.#paths.log)
        : restoreError(error);
    } finally {
      signal?.removeEventListener('abort', onAbort);
      if (progress !== undefined) this.#progressListeners.delete(progress);
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

export const isDaemonListening = async (paths: DaemonPaths): Promise<boolean> => {
  const socket = await openSocket(paths);
  socket?.destroy();
  return socket !== undefined;
};

/** No daemon, a killed one, or (for a moment) one with more connections waiting than it accepts. */
const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EAGAIN', 'EPIPE'];

const openSocket = async (paths: DaemonPaths): Promise<Socket | undefined> => {
  if (!isPrivateFolder(paths.runtimeFolder, 'runtime')) return undefined;
  if (!isSocketOfThisUser(paths.socket)) return undefined;
  return new Promise((resolve, reject) => {
    const socket = connect(paths.socket);
    const onError = (error: NodeJS.ErrnoException) =>
      NOT_LISTENING.includes(error.code ?? '') ? resolve(undefined) : reject(error);
    socket.once('error', onError);
    socket.once('connect', () => {
      socket.off('error', onError);
      resolve(socket);
    });
  });
};
