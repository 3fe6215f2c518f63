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
import type { Progress, Result, RunResult, SessionEvent, Summary } from '../../session/sessions.ts';
import type { Closed, CloseOptions } from '../../system/terminal/channel.ts';
import type { Interest } from '../server/subscriber-queue.ts';

export const PROTOCOL = 1;

/** Of one client: every event is sent to it so often. */
export const MOST_SUBSCRIBERS = 64;

interface Requests {
  hello: { params: Hello; result: Welcome };
  status: { params: object; result: Status };
  /** Ends a daemon that nobody needs: one without sessions and without other clients. */
  retire: { params: object; result: { retired: boolean } };
  /** Ends the daemon and its sessions. The answer comes when the sessions have ended. */
  stop: { params: object; result: { ended: string[] } };

  open: { params: Asked & { request: OpenRequest }; result: Result };
  send: { params: Asked & { session: string; input: ReadySend }; result: Result };
  run: { params: Asked & { request: RunRequest }; result: RunResult };
  type: { params: Asked & { session: string; bytes: Base64 }; result: null };
  take: { params: Asked & { session: string }; result: null };
  giveBack: { params: Asked & { session: string }; result: null };
  read: { params: Asked & { session: string; options: ReadOptions }; result: Result };
  wait: { params: Asked & { options: WaitOptions }; result: Result };
  list: { params: object; result: Summary[] };
  resize: { params: { session: string; cols: number; rows: number }; result: null };
  signal: { params: { session: string; signal: string }; result: null };
  close: { params: { session: string; options: CloseOptions }; result: Closed };
  closeAll: { params: { options: CloseOptions }; result: Closed };
  subscribe: { params: Interest & { subscription: number }; result: null };
  unsubscribe: { params: { subscription: number }; result: null };
}

export type Method = keyof Requests;
export type Params<M extends Method> = Requests[M]['params'];
export type Answer<M extends Method> = Requests[M]['result'];

/** What the daemon says unasked. */
export interface Notifications {
  event: { subscription: number; event: WireEvent };
  progress: { token: number; progress: Progress };
}

/** A secret has been found where it was asked for. */
type ReadySend = Omit<SendOptions, 'secret'> & { secret?: Secret };

/** Who asks; `progress` is there where the caller wants to hear of it, under this number. */
export interface Asked {
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
  lost: LivingSession[];
}

export interface Status {
  version: string;
  pid: number;
  /** How to use the daemon's own version. */
  program: string;
  startedAt: string;
  clients: number;
  sessions: LivingSession[];
  lost: LivingSession[];
}

export interface LivingSession {
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
