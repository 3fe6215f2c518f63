/**
 * Messages on a stream of bytes, in one of two formats.
 *
 * `binary`: a header of twelve bytes, JSON, then the bytes that the message holds, as they are. `text`,
 * which protocol 1 speaks: a `Content-Length` header, then JSON with bytes as base64. The first byte
 * tells them apart, so both can be read without asking.
 *
 * Their size is limited, since the other side may send anything.
 */
import { decodeJson, encodeJson } from './json-with-bytes.ts';

export type FrameFormat = 'text' | 'binary';

/** Enough for a paste of some megabytes, and for all arguments and variables the kernel takes. */
export const MAX_FRAME_BYTES = 16 * 2 ** 20;

/** A kind, three bytes that are not used yet, the length of the JSON and that of the bytes. */
const BINARY_HEADER_BYTES = 12;
/** Not the first byte of a text header. */
const BINARY_KIND = 1;

/** `Content-Length: ` and eight digits have 24 bytes. */
const MAX_TEXT_HEADER_BYTES = 64;
const TEXT_HEADER_END = '\r\n\r\n';

/** In one piece or several, to be sent one after the other. */
export const encodeFrame = (message: object, format: FrameFormat): readonly Uint8Array[] => {
  if (format === 'text') {
    const body = Buffer.from(encodeJson(message, 'base64').json);
    const header = `Content-Length: ${body.length}${TEXT_HEADER_END}`;
    return [Buffer.concat([Buffer.from(header), body])];
  }
  const { json, bytes } = encodeJson(message, 'apart');
  const jsonBytes = Buffer.byteLength(json);
  const head = Buffer.allocUnsafe(BINARY_HEADER_BYTES + jsonBytes);
  head.writeUInt32LE(BINARY_KIND, 0);
  head.writeUInt32LE(jsonBytes, 4);
  head.writeUInt32LE(
    bytes.reduce((sum, { length }) => sum + length, 0),
    8,
  );
  head.write(json, BINARY_HEADER_BYTES);
  return [head, ...bytes];
};

interface FrameHeader {
  format: FrameFormat;
  jsonBytes: number;
  /** Of the bytes behind the JSON. */
  blobBytes: number;
}

/** Puts messages together from the chunks in which they arrive. */
export class FrameDecoder {
  /** The format of the last message: the other side understands it. */
  format: FrameFormat = 'binary';
  /** The daemon allows little until the client has sent `hello`. */
  maxBytes: number;
  /** The start of a message that is not yet complete. */
  #chunks: Buffer[] = [];
  #receivedBytes = 0;
  /** Known once the header of the message has been read. */
  #header: FrameHeader | undefined;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** Whether a message has arrived in part. */
  get isInMessage(): boolean {
    return this.#receivedBytes > 0 || this.#header !== undefined;
  }

  /** Yields the messages that are complete now. Throws if the header or the JSON is invalid. */
  *receive(chunk: Buffer): Generator<unknown> {
    this.#chunks.push(chunk);
    this.#receivedBytes += chunk.length;
    while (this.#receivedBytes > 0) {
      this.#header ??= this.#readHeader();
      if (this.#header === undefined) return;
      const { format, jsonBytes, blobBytes } = this.#header;
      if (this.#receivedBytes < jsonBytes + blobBytes) return;
      const json = this.#consume(jsonBytes).toString();
      const bytes = this.#consume(blobBytes);
      this.#header = undefined;
      this.format = format;
      yield decodeJson(json, bytes);
    }
  }

  #readHeader(): FrameHeader | undefined {
    const all = this.#joinChunks();
    const header = all[0] === BINARY_KIND ? this.#readBinary(all) : this.#readText(all);
    if (header !== undefined && !(header.jsonBytes + header.blobBytes <= this.maxBytes))
      throw new Error('invalid message header, or message too long');
    return header;
  }

  #readBinary(all: Buffer): FrameHeader | undefined {
    if (all.length < BINARY_HEADER_BYTES) return undefined;
    if (all.readUInt32LE(0) !== BINARY_KIND) throw new Error('invalid message header');
    this.#consume(BINARY_HEADER_BYTES);
    return { format: 'binary', jsonBytes: all.readUInt32LE(4), blobBytes: all.readUInt32LE(8) };
  }

  #readText(all: Buffer): FrameHeader | undefined {
    const end = all.subarray(0, MAX_TEXT_HEADER_BYTES).indexOf(TEXT_HEADER_END);
    if (end === -1 && all.length < MAX_TEXT_HEADER_BYTES) return undefined;
    const [, digits] = /^Content-Length: (\d{1,8})$/.exec(all.toString('latin1', 0, end)) ?? [];
    this.#consume(end + TEXT_HEADER_END.length);
    return { format: 'text', jsonBytes: Number(digits), blobBytes: 0 };
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
