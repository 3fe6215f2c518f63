/**
 * The messages between daemon and client, as data.
 *
 * `hello`, `status`, `retire` and `stop` must never change: a client can send them to a daemon with
 * which it has no protocol in common. Everything else may change with the protocol on which both agree
 * in `hello`.
 */

import type { ReadOptions, SendOptions, WaitOptions } from '../../session/options/options.ts';
import type { OpenRequest, RunRequest } from '../../session/options/requests.ts';
import type { Secret } from '../../session/secrets/secrets.ts';
import type {
  CallProgress,
  RunResult,
  SessionEvent,
  SessionResult,
  SessionSummary,
} from '../../session/sessions.ts';
import type { CloseOptions, CloseResult } from '../../system/terminal/terminal.ts';
import { asPlainBytes } from './json-with-bytes.ts';

export interface ProtocolRange {
  oldest: number;
  newest: number;
}

/** 1: text frames, bytes as base64. 2: binary frames. A release speaks those of the one before it. */
export const PROTOCOLS: ProtocolRange = { oldest: 1, newest: 2 };

/** The newest protocol that both sides speak; undefined if there is none. */
export const agreeOnProtocol = (ours: ProtocolRange, theirs: ProtocolRange): number | undefined => {
  const newest = Math.min(ours.newest, theirs.newest);
  return newest >= Math.max(ours.oldest, theirs.oldest) ? newest : undefined;
};

/** How many subscriptions one client may have. Every event is sent once for each subscription. */
export const MAX_SUBSCRIBERS = 64;

interface Requests {
  hello: { params: HelloParams; result: HelloResult };
  status: { params: object; result: DaemonStatus };
  /** Ends the daemon if it has no sessions and no other clients. */
  retire: { params: object; result: { retired: boolean } };
  /** Ends the daemon and its sessions. The response is sent when the sessions have ended. */
  stop: { params: object; result: { ended: string[] } };

  open: { params: CallerParams & { request: OpenRequest }; result: SessionResult };
  send: { params: CallerParams & { session: string; input: ResolvedSend }; result: SessionResult };
  run: { params: CallerParams & { request: RunRequest }; result: RunResult };
  type: { params: CallerParams & { session: string; bytes: WireBytes }; result: null };
  take: { params: CallerParams & { session: string }; result: null };
  giveBack: { params: CallerParams & { session: string }; result: null };
  read: { params: CallerParams & { session: string; options: ReadOptions }; result: SessionResult };
  wait: { params: CallerParams & { options: WaitOptions }; result: SessionResult };
  list: { params: object; result: SessionSummary[] };
  resize: { params: { session: string; cols: number; rows: number }; result: null };
  signal: { params: { session: string; signal: string }; result: null };
  close: { params: { session: string; options: CloseOptions }; result: CloseResult };
  closeAll: { params: { options: CloseOptions }; result: CloseResult };
  subscribe: { params: SubscriptionFilter & { subscription: number }; result: null };
  unsubscribe: { params: { subscription: number }; result: null };
}

export type DaemonMethod = keyof Requests;
export type MethodParams<M extends DaemonMethod> = Requests[M]['params'];
export type MethodResult<M extends DaemonMethod> = Requests[M]['result'];

/** Messages that the daemon sends without a request. */
export interface DaemonNotifications {
  /** `number`: counts the events of a client that has said its id. */
  event: { subscription: number; event: SessionEvent; number?: number };
  progress: { token: number; progress: CallProgress };
}

/** Sent by a client that will not come back. */
export const GOODBYE = 'goodbye';

/** The client has already looked up the secret by its name. */
type ResolvedSend = Omit<SendOptions, 'secret'> & { secret?: Secret };

/** Who makes the call. */
export interface CallerParams {
  actor?: string;
  reader?: string;
  /** The token of `progress` notifications. Absent if the caller does not want them. */
  progress?: number;
}

export interface SubscriptionFilter {
  session?: string;
  types?: readonly SessionEvent['type'][];
}

interface HelloParams {
  /** All that a client of protocol 1 says. */
  protocol: number;
  protocols?: ProtocolRange;
  version: string;
  client?: ClientIdentity;
}

/** Who a client is, and how far it has come, for one that comes back when its connection is lost. */
export interface ClientIdentity {
  /** Random, and the same on all its connections. */
  id: string;
  /** The requests for whose answers it still waits. */
  pending: readonly number[];
  /** The number of the last event that it has got, or 0. */
  lastEvent: number;
}

interface HelloResult {
  /** On which both agree. A daemon of protocol 1 does not say it. */
  protocol?: number;
  version: string;
  pid: number;
  /** Another process has another one. Absent if the daemon keeps no answers for this client. */
  daemon?: string;
  /** The client's subscriptions are still there, and it misses no event. */
  resumed?: boolean;
  /** Sessions of a daemon that crashed. Only the first client gets them. */
  lost: JournaledSession[];
}

export interface DaemonStatus {
  version: string;
  pid: number;
  /** The command line of the daemon's own version. */
  program: string;
  startedAt: string;
  clients: number;
  sessions: JournaledSession[];
  lost: JournaledSession[];
}

export interface JournaledSession {
  name: string;
  command: readonly string[];
  recording?: string;
}

/** Bytes as they are; as base64 from a client or daemon that speaks protocol 1. */
export type WireBytes = Uint8Array | string;

export const fromWireBytes = (bytes: WireBytes): Uint8Array =>
  typeof bytes === 'string' ? Buffer.from(bytes, 'base64') : bytes;

/** An event with its bytes as they can be sent. */
export const toWireEvent = (event: SessionEvent): SessionEvent =>
  'bytes' in event ? { ...event, bytes: asPlainBytes(event.bytes) } : event;

export const fromWireEvent = (event: SessionEvent): SessionEvent =>
  'bytes' in event ? { ...event, bytes: fromWireBytes(event.bytes as WireBytes) } : event;
