/**
 * What has happened to a session since it was written down, other than output: as data that is noted, and
 * done again to the session that goes on. A session that has taken the same output and the same changes, in
 * the same order, is the same.
 */
import type { StoredRecord } from '../../keeper/session-store.ts';
import type { PromptAtEnd } from '../output/hidden-spans.ts';
import type { ReadRequest } from '../output/session-readers.ts';
import type { RestorableParts } from '../snapshot/restore-session.ts';
import type { ExpectedEchoSnapshot, InputSnapshot } from '../snapshot/session-snapshot.ts';

/** The same read at the same place leaves the same reader, and costs less to note than the reader. */
export interface NotedRead {
  reader: string;
  request: ReadRequest;
  verdict: PromptAtEnd;
}

/** Who types, and where, is mostly the same for long: to encode it again costs as much as all the rest. */
export type NotedInput = Omit<InputSnapshot, 'lastPrompt' | 'lastCaller'> &
  Partial<Pick<InputSnapshot, 'lastPrompt' | 'lastCaller'>>;

export interface SessionChange {
  /** How much output the session had been given before, since it was written down. */
  delivered: number;
  /** Some output was held back, since it may be the start of a secret. */
  isHolding?: true;
  /** A value that is masked from now on. */
  secret?: string;
  /** If something is typed: what, and at which prompt. What is absent is as before. */
  input?: NotedInput;
  /** If something is typed. */
  echo?: ExpectedEchoSnapshot;
  reads?: readonly NotedRead[];
  /** If something was read: the prompt that was found then, if it is another one. */
  lastPrompt?: InputSnapshot['lastPrompt'];
  /** A caller has learned how the program ended. */
  isExitReported?: true;
  /** What others note: see `KeptSession.attachments`. */
  attachments?: readonly Attachment[];
}

export type Attachment = readonly [key: string, value: unknown];

export const encodeChange = (change: SessionChange): string => JSON.stringify(change);

export const decodeChange = ({ bytes }: StoredRecord): SessionChange =>
  JSON.parse(bytes.toString());

const unchanged = ({ lastPrompt, lastCaller }: InputSnapshot) => ({
  lastPrompt,
  ...(lastCaller && { lastCaller }),
});

export const redoChange = (
  { masking, input, echo, hidden, readers }: RestorableParts,
  { isHolding, secret, input: typed, lastPrompt, echo: expected, reads = [] }: SessionChange,
): void => {
  // By a timer, or by whoever has typed.
  if (!isHolding) masking.flush();
  if (secret !== undefined) masking.hide(secret);
  if (typed !== undefined) input.restore({ ...unchanged(input.snapshot()), ...typed });
  if (lastPrompt !== undefined) input.lastPrompt = lastPrompt;
  if (expected !== undefined) echo.restoreExpected(expected);
  for (const { reader, request, verdict } of reads)
    void readers.get(reader).read(request, hidden.spans(verdict));
};
