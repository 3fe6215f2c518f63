/** One request of a client: what was asked, and how far it has come. */
import type { DaemonMethod } from '../../protocol/protocol.ts';

/** Requests without an effect. If they were cut off before they had read anything, they are repeated. */
const reads: readonly DaemonMethod[] = [
  'read',
  'wait',
  'list',
  'leastSandbox',
  'permitOpen',
  'permitInput',
];

export const hasEffect = (method: DaemonMethod): boolean => !reads.includes(method);

/** What it opens is written down with its note. */
export const mayOpen = (method: DaemonMethod): boolean => method === 'open' || method === 'run';

/** A request that was begun, as data: what is left of it if this process ends before it is done. */
export interface RequestNote {
  id: number;
  method: DaemonMethod;
  /** Absent if it was not known yet when the request was begun. */
  fingerprint?: string;
  /** Known for a new session once it has its name. */
  session?: string;
  /** Of a `send`: its input is typed, and it only waits. */
  isTyped?: boolean;
}

export interface KeptRequest {
  readonly id: number;
  readonly method: DaemonMethod;
  /** Made of the contents when it is asked for: most requests come once. Absent if they are not known. */
  fingerprint: (() => string) | undefined;
  session?: string;
  isTyped?: boolean;
  /** It was typed by a process that has ended since: another one can go on with the wait. */
  isResumable?: boolean;
  readonly abort: AbortController;
  /** `cut off`: begun, and nobody knows how far it came. `gone`: the answer is no longer kept. */
  state: 'running' | 'answered' | 'cut off' | 'gone';
  /** While it runs and while it is kept. */
  answer?: Promise<unknown>;
  answeredMs: number;
  /** Of the contents and the answer. */
  bytes: number;
}

export const newRequest = (
  id: number,
  method: DaemonMethod,
  fingerprint: (() => string) | undefined,
  session: string | undefined,
): KeptRequest => ({
  id,
  method,
  fingerprint,
  ...(session !== undefined && { session }),
  abort: new AbortController(),
  state: 'running',
  answeredMs: 0,
  bytes: 0,
});

export const noteOf = ({
  id,
  method,
  fingerprint,
  session,
  isTyped,
}: KeptRequest): RequestNote => ({
  id,
  method,
  ...(fingerprint && { fingerprint: fingerprint() }),
  ...(session !== undefined && { session }),
  ...(isTyped && { isTyped }),
});

/**
 * The same when it is begun. The contents of a `send` are digested while its program works: what became of
 * one that is cut off meanwhile is not known anyway.
 */
export const beginningOf = (request: KeptRequest): RequestNote => {
  if (request.method !== 'send' || request.isTyped) return noteOf(request);
  setImmediate(() => request.fingerprint?.());
  const { id, method, session } = request;
  return session === undefined ? { id, method } : { id, method, session };
};

/** Whether it was begun, is not known to be done, and has an effect. */
export const isUnfinishedEffect = ({ state, method }: KeptRequest): boolean =>
  (state === 'running' || state === 'cut off') && hasEffect(method);
