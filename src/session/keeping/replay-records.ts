/** Brings a session that was written down to where its process was when it was killed. */
import { OUTPUT_RECORD, type StoredRecord } from '../../keeper/session-store.ts';
import type { TerminalReplyQueue } from '../input/reply-queue.ts';
import type { MaskedOutput } from '../secrets/masked-output.ts';
import { keptRecords } from './kept-session.ts';

interface ReplayedParts {
  masking: MaskedOutput;
  replies: TerminalReplyQueue;
}

/**
 * Nothing is typed but the replies that were still to be typed. `missing`: so many bytes of output after
 * the records are lost.
 */
export const replayRecords = (
  { masking, replies }: ReplayedParts,
  records: readonly StoredRecord[],
  missing = 0,
): void => {
  replies.isReplaying = true;
  for (const { type, bytes } of records) {
    if (type === OUTPUT_RECORD) masking.receive(bytes);
    if (type === keptRecords.secret) masking.hide(bytes.toString());
    if (type === keptRecords.replySettled) replies.forgetFirst();
  }
  if (missing > 0) masking.receive(Buffer.from(noticeOf(missing)));
  replies.isReplaying = false;
  replies.flush();
};

/** It stands in the output, so whoever reads on from there is told. */
const noticeOf = (missing: number): string =>
  `\r\n[repartee: ${missing} bytes of output are missing here, since the daemon was killed]\r\n`;
