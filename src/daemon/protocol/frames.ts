/**
 * Messages on a socket: a `Content-Length` header, then JSON. They have limits, since whoever connects
 * may send anything, and a message leaves in one write, so that it arrives in one piece.
 */

/** Room for a paste of some megabytes, and for all arguments and variables the kernel takes. */
export const LONGEST_MESSAGE = 16 * 2 ** 20;
/** `Content-Length: ` and eight digits have 24 bytes. */
const LONGEST_HEADER = 64;
const END_OF_HEADER = '\r\n\r\n';

/** Puts together what comes in pieces. */
export class FrameDecoder {
  /** Of a message that is not yet complete. */
  #chunks: Buffer[] = [];
  #received = 0;
  /** Of the message whose header has come. */
  #bodyBytes: number | undefined;
  /** Small until the other side has said who it is. */
  longest: number;

  constructor(longest: number) {
    this.longest = longest;
  }

  /** The messages that are complete now. Throws at what has no length, no JSON or no sense. */
  *receive(chunk: Buffer): Generator<object> {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    while (this.#received > 0) {
      this.#bodyBytes ??= this.#takeHeader();
      if (this.#bodyBytes === undefined || this.#received < this.#bodyBytes) return;
      const body = this.#take(this.#bodyBytes);
      this.#bodyBytes = undefined;
      yield parse(body.toString());
    }
  }

  #takeHeader(): number | undefined {
    const all = this.#whole();
    const end = all.subarray(0, LONGEST_HEADER).indexOf(END_OF_HEADER);
    if (end === -1 && all.length < LONGEST_HEADER) return undefined;
    const [, digits] = /^Content-Length: (\d{1,8})$/.exec(all.toString('latin1', 0, end)) ?? [];
    const bytes = Number(digits);
    if (!(bytes <= this.longest)) throw new Error('no header of a message that may be sent');
    this.#take(end + END_OF_HEADER.length);
    return bytes;
  }

  #take(bytes: number): Buffer {
    const all = this.#whole();
    this.#chunks = [all.subarray(bytes)];
    this.#received = all.length - bytes;
    return all.subarray(0, bytes);
  }

  #whole(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}

export const encodeFrame = (message: object): string => {
  const body = JSON.stringify(message, withOddNumbers);
  return `Content-Length: ${Buffer.byteLength(body)}${END_OF_HEADER}${body}`;
};

/** JSON turns NaN and Infinity into null, and a wrong number must stay one to be refused. */
const withOddNumbers = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isFinite(value) ? { $number: String(value) } : value;

const oddNumber = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$number' in value ? Number(value.$number) : value;

const parse = (text: string): object =>
  text.includes('"$number"') ? JSON.parse(text, oddNumber) : JSON.parse(text);
