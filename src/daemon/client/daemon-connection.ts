/** The client's side of one connection. */
import { DaemonLost, DaemonSilent } from '../../errors.ts';
import { MAX_TIMER_MS } from '../../session/options/options.ts';
import type { CallOptions, CallProgress } from '../../session/sessions.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { type FrameFormat, MAX_FRAME_BYTES } from '../protocol/frames.ts';
import {
  type DaemonMethod,
  type DaemonNotifications,
  GOODBYE,
  type MethodParams,
  type MethodResult,
} from '../protocol/protocol.ts';
import { restoreError } from '../protocol/remote-error.ts';
import { RequestIds } from '../protocol/request-ids.ts';
import { CANCEL, RpcConnectionLost, RpcError, RpcPeer } from '../protocol/rpc-peer.ts';
import { SocketTransport } from '../protocol/socket-transport.ts';
import type { Transport } from '../protocol/transport.ts';
import { findDaemonProcess } from './daemon-process.ts';
import { openDaemonSocket } from './find-daemon.ts';
import { SilenceWatch } from './silence-watch.ts';
import { UserQuestions } from './user-questions.ts';

/** As long as the eight digits of the header allow: the daemon is trusted. */
const MAX_RESPONSE_BYTES = 99_999_999;
/** A daemon that runs answers within milliseconds, on a busy machine within seconds. */
const ANSWER_MS = 20_000;
/** How long after its own timeout the answer to a call is overdue. */
const OVERDUE_MS = 1000;
/** No method: a daemon of any version answers it with an error, which is an answer. */
const PING = 'ping';

export type OnDaemonEvent = (event: DaemonNotifications['event']) => void;

/** Returns undefined if no daemon is listening. */
export type OpenTransport = (format: FrameFormat) => Promise<Transport | undefined>;

export interface DaemonConnectionOptions {
  /** @default 'binary' */
  format?: FrameFormat;
  /** Of a client that goes on with them on its next connection. @default new ones */
  ids?: RequestIds;
  /** Needed from the start: what was missed may arrive with the answer to `hello`. */
  onEvent?: OnDaemonEvent;
  /** @default that of the socket */
  openTransport?: OpenTransport;
  /** How long the daemon may be silent while something is asked of it. @default 20000 */
  answerMs?: number;
}

export class DaemonConnection {
  readonly format: FrameFormat;
  readonly #paths: DaemonPaths;
  readonly #transport: Transport;
  readonly #rpc: RpcPeer;
  readonly #ids: RequestIds;
  readonly #progressListeners = new Map<number, (progress: CallProgress) => void>();
  readonly #questions = new UserQuestions((id, answer) =>
    this.request('answerAsUser', { id, answer }),
  );
  readonly #onClosed = new Set<() => void>();
  readonly #silenceWatch: SilenceWatch;
  #isClosed = false;
  /** Why it was closed, if the daemon had stopped answering. */
  #silence: DaemonSilent | undefined;

  /** Undefined if no daemon is listening. */
  static async open(
    paths: DaemonPaths,
    options: DaemonConnectionOptions = {},
  ): Promise<DaemonConnection | undefined> {
    const { format = 'binary', answerMs } = options;
    const { openTransport = socketTransports(paths, answerMs) } = options;
    const transport = await openTransport(format);
    return transport && new DaemonConnection(paths, transport, { ...options, format });
  }

  private constructor(paths: DaemonPaths, transport: Transport, options: DaemonConnectionOptions) {
    const { format = 'binary', ids = new RequestIds(), onEvent = () => {} } = options;
    this.format = format;
    this.#paths = paths;
    this.#transport = transport;
    this.#ids = ids;
    this.#rpc = new RpcPeer(this.#transport, ids);
    this.#rpc.onNotification('event', onEvent);
    this.#rpc.onNotification('progress', ({ token, progress }: DaemonNotifications['progress']) =>
      this.#progressListeners.get(token)?.(progress),
    );
    this.#rpc.onNotification<DaemonNotifications['question']>('question', (asked) =>
      this.#questions.onQuestion(asked),
    );
    this.#rpc.onNotification<DaemonNotifications['answered']>('answered', (answered) =>
      this.#questions.onAnswered(answered),
    );
    this.#silenceWatch = new SilenceWatch({
      limitMs: options.answerMs ?? ANSWER_MS,
      isWaiting: () => this.#rpc.isWaiting,
      ping: () => void this.#rpc.request(PING, {}).catch(() => {}),
      daemonPid: () => findDaemonProcess(paths.lock),
      onSilent: (silentMs) => {
        this.#silence = new DaemonSilent(silentMs, paths.log, findDaemonProcess(paths.lock));
        this.#transport.destroy('the daemon is silent');
      },
    });
    this.#rpc.onMessage = () => this.#silenceWatch.onMessage();
    this.#rpc.onClosed = () => {
      this.#isClosed = true;
      this.#silenceWatch.stop();
      this.#questions.withdrawAll();
      for (const listener of this.#onClosed) listener();
    };
    this.#transport.start();
  }

  /** The daemon is there, but does not answer: another connection would be of no use. */
  get isSilent(): boolean {
    return this.#silence !== undefined;
  }

  onClosed(listener: () => void): void {
    this.#onClosed.add(listener);
  }

  /** `ownId`: taken by the caller, who asks again with it if the connection is lost. */
  async request<M extends DaemonMethod>(
    method: M,
    params: MethodParams<M>,
    { signal, actor, reader, caller, onProgress, askUser }: CallOptions = {},
    ownId?: number,
  ): Promise<MethodResult<M>> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw this.#lossError();
    this.#silenceWatch.start();
    const id = ownId ?? this.#ids.take();
    // The tokens are the id, so that they are the same when the client asks again.
    const progress = onProgress && id;
    if (onProgress) this.#progressListeners.set(id, onProgress);
    const asks = askUser && id;
    if (askUser) this.#questions.add(id, askUser);
    const stopTimer = this.#expectAnswerWithin(timeoutOf(params));
    try {
      const asked = { ...params, actor, reader, program: caller?.client, progress, asks };
      return (await this.#rpc.request(method, asked, signal, id)) as MethodResult<M>;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof RpcError) throw restoreError(error);
      throw error instanceof RpcConnectionLost ? this.#lossError() : error;
    } finally {
      stopTimer();
      if (ownId === undefined) this.#ids.settle(id);
      if (progress !== undefined) this.#progressListeners.delete(id);
      if (asks !== undefined) this.#questions.delete(id);
    }
  }

  /** Returns how to stop expecting it. */
  #expectAnswerWithin(timeoutMs: number | undefined): () => void {
    if (timeoutMs === undefined || timeoutMs > MAX_TIMER_MS - OVERDUE_MS) return () => {};
    const overdueMs = timeoutMs + OVERDUE_MS;
    const timer = setTimeout(() => this.#silenceWatch.onOverdue(overdueMs), overdueMs).unref();
    return () => clearTimeout(timer);
  }

  #lossError(): DaemonLost | DaemonSilent {
    return this.#silence ?? new DaemonLost(this.#paths.log);
  }

  /** For a request that was sent on an earlier connection, and whose caller has given up since. */
  cancel(id: number): void {
    this.#rpc.notify(CANCEL, { id });
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return resolve();
      this.onClosed(resolve);
      this.#rpc.notify(GOODBYE, {});
      this.#transport.destroy('the client is done');
    });
  }
}

/** How long a call may wait, if its caller has said so. */
const timeoutOf = (params: object): number | undefined => {
  const { request, input, options } = params as Record<string, { timeoutMs?: number } | undefined>;
  return (request ?? input ?? options)?.timeoutMs;
};

const socketTransports =
  (paths: DaemonPaths, answerMs = ANSWER_MS): OpenTransport =>
  async (format) => {
    const socket = await openDaemonSocket(paths, answerMs);
    if (socket === undefined) return undefined;
    const limits = { maxMessageBytes: MAX_RESPONSE_BYTES, maxSentBytes: MAX_FRAME_BYTES };
    return new SocketTransport(socket, { ...limits, format });
  };
