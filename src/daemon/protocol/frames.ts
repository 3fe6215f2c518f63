/**
 * Messages on a socket: a `Content-Length` header, then JSON.
 *
 * Their size is limited, since a client may send anything. A message is one string, so that it is
 * sent in one write and arrives in one piece.
 */

/** Enough for a paste of some megabytes, and for all arguments and variables the kernel takes. */
export const MAX_FRAME_BYTES = 16 * 2 ** 20;
/** `Content-Length: ` and eight digits have 24 bytes. */
const MAX_HEADER_BYTES = 64;
const HEADER_END = '\r\n\r\n';

/** Puts messages together from the chunks in which they arrive. */
export class FrameDecoder {
  /** The start of a message that is not yet complete. */
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  /** Known once the header of the message has been read. */
  #bodyBytes: number | undefined;
  /** The daemon allows little until the client has sent `hello`. */
  maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Whether a message has arrived in part. */
  get isInMessage(): boolean {
    return this.#receivedBytes > 0 || this.#bodyBytes !== undefined;
  }

  /** Yields the messages that are complete now. Throws if the header or the JSON is invalid. */
  *receive(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
    while (this.#receivedBytes > 0) {
      this.#bodyBytes ??= this.#readHeader();
      if (this.#bodyBytes === undefined || this.#receivedBytes < this.#bodyBytes) return;
      const body = this.#consume(this.#bodyBytes);
      this.#bodyBytes = undefined;
      yield parse(body.toString());
    }
  }

  #readHeader(): number | undefined {
    const all = this.#joinChunks();
    const end = all.subarray(0, MAX_HEADER_BYTES).indexOf(HEADER_END);
    if (end === -1 && all.length < MAX_HEADER_BYTES) return undefined;
    const [, digits] = /^Content-Length: (\d{1,8})$/.exec(all.toString('latin1', 0, end)) ?? [];
    const bytes = Number(digits);
    if (!(bytes <= this.maxBytes)) throw new Error('invalid message header, or message too long');
    this.#consume(end + HEADER_END.length);
    return bytes;
  }

  #consume(bytes: number): Buffer {
    const all = this.#joinChunks();
    this.#chunks = [all.subarray(bytes)];
    this.#receivedBytes = all.length - bytes;
    return all.subarray(0, bytes);
  }

  #joinChunks(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

export const encodeFrame = (message: object): string => {
  const body = JSON.stringify(message, encodeNonFinite);
  return `Content-Length: ${Buffer.byteLength(body)}${HEADER_END}${body}`;
};

/** JSON turns NaN and Infinity into null. They are kept, so that the engine can refuse them. */
const encodeNonFinite = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value;

const decodeNonFinite = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$number' in value ? Number(value.$number) : value;

const parse = (text: string): unknown =>
  text.includes('"$number"') ? JSON.parse(text, decodeNonFinite) : JSON.parse(text);
