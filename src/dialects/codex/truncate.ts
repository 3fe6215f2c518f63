/** Fits output into a number of tokens: its beginning, how much was removed, its end. */
import { omittedBytesMarker, type TakenUnreadOutput } from '../shared/unread-output.ts';

/** openai/codex counts every four bytes as one token. */
const BYTES_PER_TOKEN = 4;

export const codexTokenCount = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

export const truncateInTheMiddle = (
  { text, bytes: produced, omitted }: TakenUnreadOutput,
  maxTokens: number,
): string => {
  const bytes = Buffer.from(text);
  const budget = maxTokens * BYTES_PER_TOKEN;
  if (bytes.length <= budget) return text;
  const cut = cutMiddle(bytes, budget);
  // As in the original: without a gap the decoded text is counted, which is longer where bytes are no UTF-8.
  const count = codexTokenCount(omitted === 0 ? bytes.length : produced);
  const warning = `Warning: truncated output (original token count: ${count})\n`;
  if (omitted === 0) return `${warning}Total output lines: ${countLines(text)}\n\n${cut}`;
  const marker = omittedBytesMarker(omitted);
  return `${warning}${cut.includes(marker) ? '' : marker.trimStart()}\n${cut}`;
};

const cutMiddle = (bytes: Buffer, budget: number): string => {
  const headEnd = boundaryBefore(bytes, Math.floor(budget / 2));
  const tailStart = boundaryAfter(bytes, bytes.length - (budget - Math.floor(budget / 2)));
  const removed = codexTokenCount(bytes.length - budget);
  return `${bytes.toString('utf8', 0, headEnd)}…${removed} tokens truncated…${bytes.toString('utf8', tailStart)}`;
};

/** UTF-8: every byte of a character but its first is 10xxxxxx. */
const isContinuation = (bytes: Buffer, index: number) =>
  index < bytes.length && (bytes[index]! & 0xc0) === 0x80;

const boundaryBefore = (bytes: Buffer, index: number): number => {
  let boundary = index;
  while (boundary > 0 && isContinuation(bytes, boundary)) boundary--;
  return boundary;
};

const boundaryAfter = (bytes: Buffer, index: number): number => {
  let boundary = index;
  while (isContinuation(bytes, boundary)) boundary++;
  return boundary;
};

/** A line feed at the end does not start another line. */
const countLines = (text: string): number => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
};
