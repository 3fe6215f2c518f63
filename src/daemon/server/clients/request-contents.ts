/** What a request holds, as far as it must be known to keep its answer. */
import { createHash, hash as hashOnce } from 'node:crypto';
import { encodeJson } from '../../protocol/json-with-bytes.ts';

/** A digest, so that notes can be written down: the contents may be long, or a secret. */
export const fingerprintOf = (method: string, params: object): string => {
  const { json, bytes } = encodeJson(params, 'apart');
  // The usual case, which takes a third of the time.
  if (bytes.length === 0) return hashOnce('sha1', method + json, 'base64');
  const hash = createHash('sha1').update(method).update(json);
  for (const piece of bytes) hash.update(piece);
  return hash.digest('base64');
};

/** Its contents are not kept for longer than it takes to type it. */
export const holdsSecret = (params: object): boolean =>
  (params as { input?: { secret?: unknown } }).input?.secret !== undefined;

export const sessionIn = (params: object): string | undefined => {
  const { session, request } = params as { session?: string; request?: { session?: string } };
  return session ?? request?.session;
};

/** Roughly, since encoding an answer to count it would take as long as sending it. */
export const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce((sum: number, part) => sum + 16 + sizeOf(part), 0);
};
