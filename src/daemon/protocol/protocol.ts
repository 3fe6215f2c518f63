/**
 * What daemon and client say to one another, as data.
 *
 * `hello`, `status`, `retire` and `stop` must stay as they are for ever: they are what a client of
 * another version can still say. All else may change with PROTOCOL or the package's version, since
 * only equals go on after `hello`.
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
import type { CloseOptions, CloseResult } from '../../system/terminal/channel.ts';
import type { SubscriptionFilter } from '../server/subscriber-queue.ts';

export const PROTOCOL = 1;

/** Of one client: every event is sent to it so often. */
export const MOST_SUBSCRIBERS = 64;

interface Requests {
  hello: { params: Hello; result: Welcome };
  status: { params: object; result: DaemonStatus };
  /** Ends a daemon that nobody needs: one without sessions and without other clients. */
  retire: { params: object; result: { retired: boolean } };
  /** Ends the daemon and its sessions. The answer comes when the sessions have ended. */
  stop: { params: object; result: { ended: string[] } };

  open: { params: CallFields & { request: OpenRequest }; result: SessionResult };
  send: { params: CallFields & { session: string; input: ReadySend }; result: SessionResult };
  run: { params: CallFields & { request: RunRequest }; result: RunResult };
  type: { params: CallFields & { session: string; bytes: Base64 }; result: null };
  take: { params: CallFields & { session: string }; result: null };
  giveBack: { params: CallFields & { session: string }; result: null };
  read: { params: CallFields & { session: string; options: ReadOptions }; result: SessionResult };
  wait: { params: CallFields & { options: WaitOptions }; result: SessionResult };
  list: { params: object; result: SessionSummary[] };
  resize: { params: { session: string; cols: number; rows: number }; result: null };
  signal: { params: { session: string; signal: string }; result: null };
  close: { params: { session: string; options: CloseOptions }; result: CloseResult };
  closeAll: { params: { options: CloseOptions }; result: CloseResult };
  subscribe: { params: SubscriptionFilter & { subscription: number }; result: null };
  unsubscribe: { params: { subscription: number }; result: null };
}

export type Method = keyof Requests;
export type MethodParams<M extends Method> = Requests[M]['params'];
export type MethodResult<M extends Method> = Requests[M]['result'];

/** What the daemon says unasked. */
export interface Notifications {
  event: { subscription: number; event: WireEvent };
  progress: { token: number; progress: CallProgress };
}

/** A secret has been found where it was asked for. */
type ReadySend = Omit<SendOptions, 'secret'> & { secret?: Secret };

/** Who asks; `progress` is there where the caller wants to hear of it, under this number. */
export interface CallFields {
  actor?: string;
  reader?: string;
  progress?: number;
}

interface Hello {
  protocol: number;
  version: string;
}

interface Welcome {
  version: string;
  pid: number;
  /** Sessions of a daemon that crashed, told to the first who comes. */
  lost: SessionEntry[];
}

export interface DaemonStatus {
  version: string;
  pid: number;
  /** How to use the daemon's own version. */
  program: string;
  startedAt: string;
  clients: number;
  sessions: SessionEntry[];
  lost: SessionEntry[];
}

export interface SessionEntry {
  name: string;
  command: readonly string[];
  recording?: string;
}

type Base64 = string;

/** JSON has no bytes. */
export type WireEvent = SessionEvent extends infer Event
  ? Event extends { bytes: Uint8Array }
    ? Omit<Event, 'bytes'> & { bytes: Base64 }
    : Event
  : never;

export const toWire = (event: SessionEvent): WireEvent =>
  'bytes' in event ? { ...event, bytes: base64(event.bytes) } : event;

export const fromWire = (event: WireEvent): SessionEvent =>
  'bytes' in event ? { ...event, bytes: fromBase64(event.bytes) } : event;

export const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): Base64 =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

export const fromBase64 = (text: Base64): Uint8Array => Buffer.from(text, 'base64');
