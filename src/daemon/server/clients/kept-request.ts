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

/** A request that was begun, as data: what is left of it if this process ends before it is done. */
export interface RequestNote {
  id: number;
  method: DaemonMethod;
  fingerprint: string;
  /** Known for a new session once it has its name. */
  session?: string;
  /** Of a `send`: its input is typed, and it only waits. */
  isTyped?: boolean;
}

export interface KeptRequest {
  readonly id: number;
  readonly method: DaemonMethod;
  /** Made of the contents when it is asked for: most requests come once. */
  fingerprint: () => string;
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
  fingerprint: () => string,
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
  fingerprint: fingerprint(),
  ...(session !== undefined && { session }),
  ...(isTyped && { isTyped }),
});

/** Whether it was begun, is not known to be done, and has an effect. */
export const isUnfinishedEffect = ({ state, method }: KeptRequest): boolean =>
  (state === 'running' || state === 'cut off') && hasEffect(method);
