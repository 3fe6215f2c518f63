/** Brings a session that was written down to where its process was when it was killed. */
import { OUTPUT_RECORD, type StoredRecord } from '../../keeper/session-store.ts';
import type { RestorableParts } from '../snapshot/restore-session.ts';
import { changeIn, keptRecords, redoChange } from './session-change.ts';

/**
 * Nothing is typed but the replies that were still to be typed. `missing`: so many bytes of output after
 * the records are lost. Returns whether a caller has learned how the program ended.
 */
export const replayRecords = (
  parts: RestorableParts,
  records: readonly StoredRecord[],
  missing = 0,
): { isExitReported: boolean } => {
  const { replies } = parts;
  replies.isReplaying = true;
  const output = new NotedOutput(parts);
  let isExitReported = false;
  for (const record of records) {
    if (record.type === OUTPUT_RECORD) output.add(record.bytes);
    if (record.type === keptRecords.replySettled) output.settleReply();
    const change = changeIn(record);
    if (change !== undefined) {
      output.deliverUpTo(change.delivered);
      redoChange(parts, change);
      isExitReported ||= change.isExitReported === true;
    }
  }
  output.deliverUpTo(Number.POSITIVE_INFINITY);
  if (missing > 0) parts.masking.receive(Buffer.from(noticeOf(missing)));
  replies.isReplaying = false;
  replies.flush();
  return { isExitReported };
};

/** Output is noted when it is read. Some of it may have been delivered after later changes. */
class NotedOutput {
  readonly #parts: RestorableParts;
  readonly #pending: Buffer[] = [];
  #delivered = 0;
  /** Replies that were typed or dropped, and whose queries were not delivered yet. */
  #settledReplies = 0;

  constructor(parts: RestorableParts) {
    this.#parts = parts;
  }

  add(bytes: Buffer): void {
    this.#pending.push(bytes);
  }

  /** The process before this one has typed or dropped the next reply. */
  settleReply(): void {
    this.#settledReplies++;
    this.#forgetSettled();
  }

  deliverUpTo(end: number): void {
    while (this.#pending.length > 0 && this.#delivered < end) {
      const [first] = this.#pending as [Buffer];
      const part = first.subarray(0, end - this.#delivered);
      if (part.length < first.length) this.#pending[0] = first.subarray(part.length);
      else this.#pending.shift();
      this.#deliver(part);
    }
  }

  #deliver(bytes: Buffer): void {
    const { masking, screen } = this.#parts;
    masking.receive(bytes);
    // Nothing is skipped: what was skipped before depends on who looked when.
    screen.catchUp();
    this.#delivered += bytes.length;
    this.#forgetSettled();
  }

  #forgetSettled(): void {
    const { replies } = this.#parts;
    for (; this.#settledReplies > 0 && replies.hasPending; this.#settledReplies--)
      replies.forgetFirst();
  }
}

/** It stands in the output, so whoever reads on from there is told. */
const noticeOf = (missing: number): string =>
  `\r\n[repartee: ${missing} bytes of output are missing here, since the daemon was killed]\r\n`;
