/**
 * All that the page and its server say to each other, as data. Both sides import this file.
 *
 * The page asks (`PageRequest`), and each request gets a `PageReply`. The server also sends `PageNews` at
 * any time. Output is sent as bytes: the number of the watch in four bytes, then what the program printed.
 */
import type { ApprovalRequest } from '../session/input/approval.ts';
import {
  boolean,
  integerFrom,
  number,
  type ObjectField,
  object,
  options,
  string,
  strings,
  type ValueOf,
} from '../session/options/fields.ts';
import type { SessionState } from '../session/sessions.ts';

const session = string;
const size = { cols: integerFrom(1), rows: integerFrom(1) };
const none = options({});

export const pageRequests = {
  /** News of all sessions from now on, and miniatures of these. */
  overview: object({ miniatures: strings }, {}),
  leaveOverview: none,

  /** The screen of a session and all that happens there, under a number that the page has chosen. */
  watch: object({ session, watch: number }, {}),
  leave: none,
  /** So many bytes of output are on the page's screen. */
  shown: object({ watch: number, bytes: number }, {}),
  timeline: object({ session }, {}),

  type: object({ session, text: string }, { isBinary: boolean }),
  typeSecret: object({ session, value: string }, {}),
  take: object({ session }, {}),
  giveBack: object({ session }, {}),
  /** The page shows the session in a window of this size. */
  fit: object({ session, ...size }, {}),
  leaveSize: object({ session }, {}),
  resize: object({ session, ...size }, {}),
  signal: object({ session, signal: string }, {}),
  close: object({ session }, { force: boolean }),

  answer: object({ id: number, answer: string }, {}),

  /** The recordings themselves are fetched: `recordingPath`. */
  recordings: options({ search: string }),
} as const satisfies Record<string, ObjectField<unknown>>;

export type PageRequestName = keyof typeof pageRequests;
export type PageParams<Name extends PageRequestName> = ValueOf<(typeof pageRequests)[Name]>;

/** What a view-only link may not ask for. */
export const actingRequests: readonly PageRequestName[] = [
  ...(['type', 'typeSecret', 'take', 'giveBack', 'fit', 'leaveSize', 'resize'] as const),
  ...(['signal', 'close', 'answer'] as const),
];

export interface PageRequest<Name extends PageRequestName = PageRequestName> {
  id: number;
  request: Name;
  params: PageParams<Name>;
}

export interface PageResults {
  overview: null;
  leaveOverview: null;
  watch: null;
  leave: null;
  shown: null;
  timeline: SessionTimeline;
  type: null;
  typeSecret: null;
  take: null;
  giveBack: null;
  fit: null;
  leaveSize: null;
  resize: null;
  signal: null;
  close: { survivors: string[] };
  answer: null;
  recordings: RecordingSummary[];
}

export type PageReply =
  | { id: number; result: PageResults[PageRequestName] }
  | { id: number; error: { code: string; message: string } };

/** A session as the overview shows it. */
export interface ListedSession extends SessionState {
  /** Who has opened it, and the folder that it works in: it is grouped by both. */
  openedBy: string;
  folder: string;
  pid: number;
  /** When its state began, in milliseconds since 1970. */
  since: number;
  /** It was in that state before the viewer was started: nobody knows since when. */
  isSinceBefore?: true;
  unread: number;
  isRecorded: boolean;
}

/** A run of cells in one style. Colours: of the palette by number, or `#rrggbb`. */
export type MiniatureRun = readonly [
  text: string,
  foreground?: number | string | null,
  background?: number | string | null,
];

export interface Miniature {
  session: string;
  cols: number;
  rows: readonly (readonly MiniatureRun[])[];
}

/** Something that happened in a session, in the order of time. */
export type TimelineEntry = {
  /** A later entry with the same number takes its place. */
  number: number;
  /** In milliseconds since 1970. */
  at: number;
} & (
  | { kind: 'input'; actor: string; text: string; hidden?: true; secret?: string }
  | { kind: 'command'; text: string; exitCode?: number; tookMs?: number; isOver: boolean }
  | { kind: 'state'; state: SessionState }
  | { kind: 'keyboard'; actor: string; isTaken: boolean }
  | { kind: 'approval'; text: string }
  | { kind: 'trouble'; text: string }
  | { kind: 'exit'; exitCode?: number; signal?: string }
);

export interface SessionTimeline {
  entries: TimelineEntry[];
  /** What to play to see the screen at a moment. Absent if the session is not recorded. */
  recording?: string;
}

/** Where a recording is fetched, with the token as `Authorization: Bearer`. */
export const recordingPath = (name: string): string => `/recordings/${encodeURIComponent(name)}`;

/** In the answer: when the recording begins, in milliseconds since 1970. */
export const RECORDING_START_HEADER = 'x-recording-start';

/** Says with 204 that the token is good, and with 401 why it is not. */
export const TOKEN_PATH = '/token';

export interface RecordingSummary {
  name: string;
  session: string;
  command: string;
  /** In milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  bytes: number;
  cols: number;
  rows: number;
  /** The session that it is of is open, and it grows. */
  isOpen?: true;
  /** The line in which the searched text was found. */
  found?: string;
  /** Why it cannot be played. */
  trouble?: string;
}

export type PageNews =
  /** The first message. */
  | {
      news: 'hello';
      version: string;
      /** The name under which this page types, and takes the keyboard. */
      actor: string;
      isReadOnly: boolean;
      canApprove: boolean;
      hasRecordings: boolean;
      /** The page is for this alone. */
      only?: PagePurpose;
    }
  | { news: 'sessions'; all: ListedSession[] }
  | { news: 'changed'; changed: ListedSession[]; gone: string[] }
  | { news: 'miniatures'; miniatures: Miniature[] }
  | { news: 'approvals'; waiting: ApprovalRequest[] }
  | {
      news: 'screen';
      watch: number;
      dump: string;
      cols: number;
      rows: number;
      /** Output was left out before it, since the page did not keep up. */
      isAfterGap: boolean;
    }
  | { news: 'resized'; watch: number; cols: number; rows: number }
  | { news: 'state'; watch: number; state: ListedSession }
  | { news: 'entry'; watch: number; entry: TimelineEntry }
  | { news: 'renamed'; watch: number; to: string }
  | { news: 'closed'; watch: number }
  /** The sessions cannot be reached now. */
  | { news: 'trouble'; message: string }
  | { news: 'well' };

/** A page for one question alone. */
export type PagePurpose =
  | { kind: 'secret'; session: string; state?: SessionState }
  | { kind: 'approve'; approval: ApprovalRequest };

/** The WebSocket's subprotocols: this one, and one with the token. */
export const PAGE_PROTOCOL = 'repartee';
export const TOKEN_PROTOCOL_PREFIX = 'token.';

/** More than anybody pastes at once; the page sends it in pieces. */
export const MAX_PAGE_MESSAGE_BYTES = 1024 * 1024;
