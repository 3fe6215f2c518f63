/** Fits output into a number of tokens: its beginning and its end, and between them how much is gone. */
import type { Taken } from '../shared/unread-output.ts';
import { omission } from '../shared/unread-output.ts';

/** As the contract counts them. */
const BYTES_PER_TOKEN = 4;

export const tokens = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN);

export const truncateMiddle = (
  { text, bytes: produced, omitted }: Taken,
  maxTokens: number,
): string => {
  const bytes = Buffer.from(text);
  const budget = maxTokens * BYTES_PER_TOKEN;
  if (bytes.length <= budget) return text;
  const cut = cutMiddle(bytes, budget);
  const warning = `Warning: truncated output (original token count: ${tokens(produced)})\n`;
  if (omitted === 0) return `${warning}Total output lines: ${countLines(text)}\n\n${cut}`;
  const marker = omission(omitted);
  return `${warning}${cut.includes(marker) ? '' : marker.trimStart()}\n${cut}`;
};

const cutMiddle = (bytes: Buffer, budget: number): string => {
  const headEnd = boundaryBefore(bytes, Math.floor(budget / 2));
  const tailStart = boundaryAfter(bytes, bytes.length - (budget - Math.floor(budget / 2)));
  const gone = tokens(bytes.length - budget);
  return `${bytes.toString('utf8', 0, headEnd)}…${gone} tokens truncated…${bytes.toString('utf8', tailStart)}`;
};

const isInside = (bytes: Buffer, at: number) => at < bytes.length && (bytes[at]! & 0xc0) === 0x80;

const boundaryBefore = (bytes: Buffer, at: number): number => {
  let boundary = at;
  while (boundary > 0 && isInside(bytes, boundary)) boundary--;
  return boundary;
};

const boundaryAfter = (bytes: Buffer, at: number): number => {
  let boundary = at;
  while (isInside(bytes, boundary)) boundary++;
  return boundary;
};

/** A line feed at the end begins no further line. */
const countLines = (text: string): number => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.length - 1 : lines.length;
};
