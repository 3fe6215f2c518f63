/**
 * What a bridge says first. A login shell may print anything before, so it begins with bytes that no
 * shell prints; after it comes what the daemon says, and nothing else.
 */

/** What the far process gives to those that it stands for. */
export interface BridgeGreeting {
  version: string;
  folder: string;
  env: Record<string, string>;
  /** The shell of the user there. */
  shell: string;
  umask: number;
}

const MARK = Buffer.from('\0repartee-connect 1 ');
const END = 0x0a;
/** Variables of a user, and a long message of the day. */
const MAX_BYTES = 4 * 2 ** 20;

export const startMark = (greeting: BridgeGreeting): Buffer =>
  Buffer.concat([MARK, Buffer.from(`${JSON.stringify(greeting)}\n`)]);

/** Looks for the mark in what arrives. */
export class StartMarkReader {
  #received: Buffer = Buffer.alloc(0);

  /** What was printed before the mark, as far as is known. */
  get before(): string {
    const at = this.#received.indexOf(MARK);
    return this.#received.toString('utf8', 0, at === -1 ? this.#received.length : at);
  }

  /** Returns the greeting and what came after it, once both are known. Throws if none can come. */
  receive(chunk: Buffer): { greeting: BridgeGreeting; rest: Buffer } | undefined {
    this.#received = Buffer.concat([this.#received, chunk]);
    const at = this.#received.indexOf(MARK);
    const end = at === -1 ? -1 : this.#received.indexOf(END, at);
    if (end === -1) {
      if (this.#received.length > MAX_BYTES) throw new Error('it prints without end');
      return undefined;
    }
    const json = this.#received.toString('utf8', at + MARK.length, end);
    return { greeting: parseGreeting(json), rest: this.#received.subarray(end + 1) };
  }
}

/** The other side may be of another version, or hostile. */
const parseGreeting = (json: string): BridgeGreeting => {
  const { version, folder, env, shell, umask } = JSON.parse(json) ?? {};
  const areTexts = [version, folder, shell].every((each) => typeof each === 'string');
  const isUmask = Number.isInteger(umask) && umask >= 0 && umask <= 0o777;
  if (!areTexts || !isUmask || typeof env !== 'object' || env === null)
    throw new Error('its greeting is none of ours');
  const variables = Object.entries(env).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return { version, folder, shell, umask, env: Object.fromEntries(variables) };
};
