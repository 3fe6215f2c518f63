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
export interface NotedInput extends Omit<InputSnapshot, 'lastPrompt' | 'lastCaller'> {
  lastPrompt?: InputSnapshot['lastPrompt'] | undefined;
  lastCaller?: InputSnapshot['lastCaller'] | undefined;
}

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
  lastPrompt?: InputSnapshot['lastPrompt'] | undefined;
  /** A caller has learned how the program ended. */
  isExitReported?: true;
  /** What others note: see `KeptSession.attachments`. */
  attachments?: readonly Attachment[];
}

export type Attachment = readonly [key: string, value: unknown];

/** The types of what is noted; output is the store's own, with the number 1. */
export const keptRecords = { changeOfFormat2: 2, replySettled: 3, change: 4 } as const;

/** Between the parts of a record: JSON escapes it. */
const SEPARATOR = '\0';
/** Before a text that is JSON already, and stays as it is. */
const TEXT = '=';

/**
 * As JSON, and each attachment behind it. In most daemons this is done before V8 has compiled it, so an
 * encoding of our own takes as long as `JSON.stringify` does for twice as many bytes.
 */
export const encodeChange = (
  change: Omit<SessionChange, 'attachments'>,
  attachments: readonly Attachment[] = [],
): string => {
  let record = JSON.stringify(change);
  for (const [key, value] of attachments) {
    const text = typeof value === 'string' ? TEXT + value : JSON.stringify(value);
    record += SEPARATOR + key + SEPARATOR + text;
  }
  return record;
};

/** Undefined if the record is something else. Throws if it is damaged. */
export const changeIn = ({ type, bytes }: StoredRecord): SessionChange | undefined => {
  const isChange = type === keptRecords.change || type === keptRecords.changeOfFormat2;
  if (!isChange) return undefined;
  const [change = '', ...parts] = bytes.toString().split(SEPARATOR);
  const decoded: SessionChange = JSON.parse(change);
  if (parts.length === 0) return decoded;
  const attachments: Attachment[] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [key = '', text = ''] = parts.slice(at, at + 2);
    attachments.push([key, text.startsWith(TEXT) ? text.slice(TEXT.length) : JSON.parse(text)]);
  }
  return { ...decoded, attachments };
};

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
  if (typed !== undefined)
    input.restore({ ...unchanged(input.snapshot()), ...typed } as InputSnapshot);
  if (lastPrompt !== undefined) input.lastPrompt = lastPrompt;
  if (expected !== undefined) echo.restoreExpected(expected);
  for (const { reader, request, verdict } of reads)
    void readers.get(reader).read(request, hidden.spans(verdict));
};
