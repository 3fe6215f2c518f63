/**
 * The messages between daemon and client, as data.
 *
 * `hello`, `status`, `retire`, `stop` and `restart` must never change: a client can send them to a daemon
 * with which it has no protocol in common. Everything else may change with the protocol on which both
 * agree in `hello`.
 */

import type { Caller } from '../../session/caller.ts';
import type { ApprovalRequest } from '../../session/input/approval.ts';
import type { OptionsOf, ValueOf, ValuesOf } from '../../session/options/fields.ts';
import type {
  CallProgress,
  RunResult,
  SessionEvent,
  SessionResult,
  SessionSummary,
} from '../../session/sessions.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';
import type { AuditVerdict } from './audit-verdict.ts';
import type { OutsideInputAnswer } from './gated-input.ts';
import { asPlainBytes } from './json-with-bytes.ts';
import type {
  callerFields,
  filterFields,
  identityFields,
  requestParams,
} from './request-params.ts';

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

/** Which size a session has while several people are attached. */
export const sizeRules = ['smallest', 'latest'] as const;
export type SizeRule = (typeof sizeRules)[number];

interface Results {
  hello: HelloResult;
  status: DaemonStatus;
  /** Ends the daemon if it has no sessions and no other clients. */
  retire: { retired: boolean };
  /** Ends the daemon and its sessions. The response is sent when the sessions have ended. */
  stop: { ended: string[] };
  /**
   * Executes the daemon's program in its process, so that its sessions go on; that of the client, if the
   * client is newer. The response is sent before that: the next connection is the new program's.
   */
  restart: null;

  open: SessionResult;
  send: SessionResult;
  run: RunResult;
  type: null;
  take: null;
  giveBack: null;
  read: SessionResult;
  wait: SessionResult;
  list: SessionSummary[];
  resize: null;
  rename: null;
  /** This client shows the session in a window of this size. Repeated when the size changes. */
  attach: null;
  detach: null;
  signal: null;
  close: CloseResult;
  closeAll: CloseResult;
  subscribe: null;
  unsubscribe: null;

  /** What waits for a person's answer. With `after`, the response is sent when there is something new. */
  approvals: { version: number; waiting: ApprovalRequest[] };
  /** A person's answer. */
  answer: null;
  /** What the user of a client has answered to a `question` that the client was sent. */
  answerAsUser: null;
  /** Until the daemon ends. Only a person can do it. */
  switchPolicyOff: null;
  verifyAudit: AuditVerdict;

  /** The policy for sessions that the client keeps itself. */
  leastSandbox: { profile?: string };
  permitOpen: null;
  permitInput: OutsideInputAnswer;
}

export type DaemonMethod = keyof Results;
export type MethodParams<M extends DaemonMethod> = ValuesOf<typeof requestParams>[M];
export type MethodResult<M extends DaemonMethod> = Results[M];

export type CallerParams = OptionsOf<typeof callerFields>;
export type SubscriptionFilter = OptionsOf<typeof filterFields>;

/** Messages that the daemon sends without a request. */
export interface DaemonNotifications {
  /** `number`: counts the events of a client that has said its id. */
  event: { subscription: number; event: SessionEvent; number?: number };
  progress: { token: number; progress: CallProgress };
  /** To be put to the client's user. It waits until `answered`. */
  question: { token: number; question: ApprovalRequest };
  answered: { id: number };
}

/** Sent by a client that will not come back. */
export const GOODBYE = 'goodbye';

/** Who a client is, and how far it has come, for one that comes back when its connection is lost. */
export type ClientIdentity = ValueOf<typeof identityFields>;

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
  /** As whom the daemon knows this client. */
  caller?: Caller;
}

export interface DaemonStatus {
  version: string;
  pid: number;
  /** Its sessions outlive it, and it can be restarted. Absent if not. */
  kept?: boolean;
  /** The command line of the daemon's own version. */
  program: string;
  startedAt: string;
  clients: number;
  /** Who they are. A daemon of version 0.1.0 does not say it. */
  callers?: Caller[];
  sessions: JournaledSession[];
  lost: JournaledSession[];
}

export interface JournaledSession {
  name: string;
  command: readonly string[];
  recording?: string;
  /** Why it was lost, if that is known. */
  reason?: string;
  /** It was lost, but its program runs until the session is closed. */
  isAside?: true;
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
