/** What the log in a session's memory consists of. */

/** A number from 1 to 255 that the log's users give a meaning to. */
export type RecordType = number;
/** The one type that the store itself writes. */
export const OUTPUT_RECORD: RecordType = 1;

export interface StoredRecord {
  type: RecordType;
  bytes: Buffer;
}

/** Four bytes: the length, and in the highest the type. */
export const RECORD_HEADER_BYTES = 4;
const MAX_RECORD_BYTES = 2 ** 24 - 1;

export const writeRecord = (
  memory: Buffer,
  at: number,
  type: RecordType,
  content: Uint8Array | string,
  length: number,
): void => {
  if (length > MAX_RECORD_BYTES) throw new RangeError('a record is too long');
  memory.writeUInt32LE(((type << 24) | length) >>> 0, at);
  if (typeof content === 'string') memory.write(content, at + RECORD_HEADER_BYTES);
  else memory.set(content, at + RECORD_HEADER_BYTES);
};

/** Copies, since the memory is used again. Undefined if the log does not consist of whole records. */
export const parseRecords = (log: Buffer, withOutput: boolean): StoredRecord[] | undefined => {
  const records: StoredRecord[] = [];
  for (let at = 0; at < log.length; ) {
    if (at + RECORD_HEADER_BYTES > log.length) return undefined;
    const header = log.readUInt32LE(at);
    const from = at + RECORD_HEADER_BYTES;
    at = from + (header & MAX_RECORD_BYTES);
    if (at > log.length) return undefined;
    const type = header >>> 24;
    if (type === OUTPUT_RECORD && !withOutput) continue;
    records.push({ type, bytes: Buffer.from(log.subarray(from, at)) });
  }
  return records;
};
