/** JSON for messages that hold bytes, NaN and Infinity, which JSON itself has not. */

/** `base64`: bytes become strings. `apart`: they are left out of the JSON, and named in it by place. */
export type BytesEncoding = 'base64' | 'apart';

export interface JsonWithBytes {
  json: string;
  /** Those that were left out, in order. */
  bytes: readonly Uint8Array[];
}

/** A result as the JSON that it is sent as: it was noted, too, and is encoded once for both. */
export class EncodedResult {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** Undefined if there is anything in it that JSON has not. */
export const encodeResult = (result: unknown): EncodedResult | undefined =>
  isPlain(result) ? new EncodedResult(JSON.stringify(result ?? null)) : undefined;

export const encodeJson = (message: object, encoding: BytesEncoding): JsonWithBytes => {
  const { result } = message as { result?: unknown };
  if (result instanceof EncodedResult) {
    const rest = JSON.stringify({ ...message, result: undefined });
    return { json: `${rest.slice(0, -1)},"result":${result.json}}`, bytes: [] };
  }
  // To ask for each value takes twice as long as to encode it.
  if (isPlain(message)) return { json: JSON.stringify(message), bytes: [] };
  const bytes: Uint8Array[] = [];
  let at = 0;
  const json = JSON.stringify(message, (_key, value: unknown) => {
    if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) };
    if (!(value instanceof Uint8Array)) return value;
    if (encoding === 'base64') return toBase64(value);
    bytes.push(value);
    const placed = { $bytes: [at, value.length] };
    at += value.length;
    return placed;
  });
  return { json, bytes };
};

/** Whether JSON has everything that is in it. */
const isPlain = (value: unknown): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isPlain);
  if (ArrayBuffer.isView(value) || 'toJSON' in value) return false;
  for (const key in value) if (!isPlain(value[key as keyof typeof value])) return false;
  return true;
};

/** `bytes`: all that was left out, one after another. Those of the message are views of it. */
export const decodeJson = (json: string, bytes: Buffer): unknown => {
  const isPlain = bytes.length === 0 && !json.includes('"$number"') && !json.includes('"$bytes"');
  if (isPlain) return JSON.parse(json);
  return JSON.parse(json, (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$number' in value) return Number(value.$number);
    return '$bytes' in value ? bytesAt(value.$bytes, bytes) : value;
  });
};

const bytesAt = (place: unknown, bytes: Buffer): Uint8Array => {
  const [at, length] = Array.isArray(place) ? place : [];
  const isInside = [at, length].every((part) => Number.isInteger(part) && part >= 0);
  if (!isInside || at + length > bytes.length) throw new Error('bytes that are not in the message');
  const { buffer, byteOffset } = bytes;
  return new Uint8Array(buffer, byteOffset + at, length);
};

/** A Buffer would turn itself into a list of numbers before it can be left out. */
export const asPlainBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

const toBase64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');
