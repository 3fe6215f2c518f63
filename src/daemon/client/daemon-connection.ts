/** The client's side of one connection. */
import { connect, type Socket } from 'node:net';
import { DaemonLost } from '../../errors.ts';
import type { Caller } from '../../session/caller.ts';
import type { CallOptions, CallProgress } from '../../session/sessions.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { type FrameFormat, MAX_FRAME_BYTES } from '../protocol/frames.ts';
import { isPrivateFolder, isSocketOfThisUser } from '../protocol/path-ownership.ts';
import type {
  DaemonMethod,
  DaemonNotifications,
  MethodParams,
  MethodResult,
} from '../protocol/protocol.ts';
import { restoreError } from '../protocol/remote-error.ts';
import { RpcConnectionLost, RpcError, RpcPeer } from '../protocol/rpc-peer.ts';
import { SocketTransport } from '../protocol/socket-transport.ts';
import type { Transport } from '../protocol/transport.ts';

/** As long as the eight digits of the header allow: the daemon is trusted. */
const MAX_RESPONSE_BYTES = 99_999_999;

type OnEvent = (event: DaemonNotifications['event']) => void;

export class DaemonConnection {
  /** As whom the daemon knows us. Set after the hello. */
  caller: Caller | undefined;
  readonly #paths: DaemonPaths;
  readonly #transport: Transport;
  readonly #rpc: RpcPeer;
  readonly #progressListeners = new Map<number, (progress: CallProgress) => void>();
  readonly #onClosed = new Set<() => void>();
  #nextProgressToken = 1;
  #isClosed = false;

  /** Undefined if no daemon is listening. */
  static async open(
    paths: DaemonPaths,
    format: FrameFormat = 'binary',
  ): Promise<DaemonConnection | undefined> {
    const socket = await openSocket(paths);
    return socket && new DaemonConnection(paths, socket, format);
  }

  private constructor(paths: DaemonPaths, socket: Socket, format: FrameFormat) {
    this.#paths = paths;
    this.#transport = new SocketTransport(socket, {
      maxMessageBytes: MAX_RESPONSE_BYTES,
      maxSentBytes: MAX_FRAME_BYTES,
      format,
    });
    this.#rpc = new RpcPeer(this.#transport);
    this.#rpc.onNotification('progress', ({ token, progress }: DaemonNotifications['progress']) =>
      this.#progressListeners.get(token)?.(progress),
    );
    this.#rpc.onClosed = () => {
      this.#isClosed = true;
      for (const listener of this.#onClosed) listener();
    };
    this.#transport.start();
  }

  onClosed(listener: () => void): void {
    this.#onClosed.add(listener);
  }

  onEvent(listener: OnEvent): void {
    this.#rpc.onNotification('event', listener);
  }

  async request<M extends DaemonMethod>(
    method: M,
    params: MethodParams<M>,
    { signal, actor, reader, caller, onProgress }: CallOptions = {},
  ): Promise<MethodResult<M>> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw new DaemonLost(this.#paths.log);
    const progress = onProgress && this.#nextProgressToken++;
    if (onProgress) this.#progressListeners.set(progress!, onProgress);
    try {
      const asked = { ...params, actor, reader, client: caller?.client, progress };
      return (await this.#rpc.request(method, asked, signal)) as MethodResult<M>;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof RpcError) throw restoreError(error);
      throw error instanceof RpcConnectionLost ? new DaemonLost(this.#paths.log) : error;
    } finally {
      if (progress !== undefined) this.#progressListeners.delete(progress);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      this.onClosed(resolve);
      this.#transport.destroy('the client is done');
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
