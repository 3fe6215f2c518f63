/**
 * What was started, typed, decided and closed, in a file of lines.
 *
 * Each line has a code (HMAC) over itself and the code before it. The key, the last code and the number of the
 * last line are in the daemon's memory, which the keeper holds, and nowhere else: who can write the file cannot
 * change, remove or add a line without its being seen.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import type { Actor, Caller, Door } from '../../../session/caller.ts';
import { openPrivateFile } from '../../../system/files/private-files.ts';
import type { DaemonMemory } from '../keeping/daemon-memory.ts';

/** This file and the one before it are kept. */
const MAX_BYTES = 8 * 2 ** 20;
/** A paste can be long. */
const MAX_TEXT_CHARACTERS = 2000;
const AUDIT = 'audit';
/** More than what is written at once. */
const LAST_BYTES = 256 * 1024;
/** Input is often and in somebody's way: it is written together, this much later. */
const INPUT_DELAY_MS = 10;

export interface AuditEntry {
  what: 'start' | 'input' | 'secret' | 'decision' | 'approval' | 'keyboard' | 'close' | 'policy';
  session?: string;
  actor?: Actor;
  caller?: Caller;
  rule?: number;
  outcome?: string;
  /** Who answered, and where. */
  by?: string;
  door?: Door;
  /** The command, or what was typed, without secrets. */
  text?: string;
  /** Typed without echo, so the text is not here. */
  hidden?: true;
}

/** What proves the lines. */
export interface AuditState {
  key: Uint8Array;
  /** Tells this key from others, in the first line of each file. */
  keyId: string;
  /** Of the last line. */
  code: string;
  number: number;
}

export class AuditLog {
  readonly path: string;
  readonly #onTrouble: (message: string) => void;
  readonly #maxBytes: number;
  #memory: DaemonMemory | undefined;
  #state: AuditState = newState();
  #file: { fd: number; size: number } | undefined;
  #isBroken = false;
  /** Input that is not written yet. */
  #input: object[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    path: string,
    { onTrouble, maxBytes = MAX_BYTES }: { onTrouble(message: string): void; maxBytes?: number },
  ) {
    this.path = path;
    this.#onTrouble = onTrouble;
    this.#maxBytes = maxBytes;
  }

  /** Goes on where the daemon before this one was killed. Must be called first. */
  load(memory: DaemonMemory | undefined): void {
    this.#memory = memory;
    const left = memory?.get(AUDIT) as AuditState | undefined;
    if (left === undefined) return;
    this.#state = left;
    // It may have been killed between the lines and the note of them.
    for (const line of lastLines(this.path)) {
      const { code, number } = this.#state;
      if (line?.number !== number + 1) continue;
      if (codeOf({ key: left.key, code }, line.body) !== line.code) return;
      this.#state = { ...left, code: line.code, number: line.number };
    }
  }

  /** With what `audit verify` compares the file. */
  get state(): AuditState {
    return this.#state;
  }

  /** Whether the key outlives this process. */
  get isKept(): boolean {
    return this.#memory !== undefined;
  }

  add({ actor, text, ...entry }: AuditEntry): void {
    const { what, ...rest } = entry;
    this.#input.push({
      at: new Date().toISOString(),
      what,
      ...rest,
      ...(actor && { actor: actor.name, caller: actor.caller }),
      ...(text !== undefined && { text: shortened(text) }),
    });
    if (what === 'input') this.#timer ??= setTimeout(() => this.flush(), INPUT_DELAY_MS).unref();
    else this.flush();
  }

  /** Writes what is not written yet. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const entries = this.#input;
    this.#input = [];
    if (this.#isBroken || entries.length === 0) return;
    try {
      this.#prepareFile();
      this.#append(entries);
    } catch (error) {
      // A full disk. The sessions must go on; that lines are missing is seen by their numbers.
      this.#isBroken = true;
      this.#onTrouble(`the audit cannot be written any more: ${(error as Error).message}`);
    }
  }

  #closeFile(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  #append(entries: readonly object[]): void {
    let { code, number } = this.#state;
    const { key } = this.#state;
    const lines = entries.map((entry) => {
      const body = JSON.stringify({ number: ++number, ...entry });
      code = codeOf({ key, code }, body);
      return `${body.slice(0, -1)},"code":"${code}"}\n`;
    });
    const bytes = Buffer.from(lines.join(''));
    writeSync(this.#file!.fd, bytes);
    this.#file!.size += bytes.length;
    this.#state = { ...this.#state, code, number };
    this.#memory?.set(AUDIT, this.#state);
  }

  /** Each file begins with the code of the line before it, so that it can be verified alone. */
  #prepareFile(): void {
    if (this.#file !== undefined && this.#file.size < this.#maxBytes) return;
    if (this.#file !== undefined) {
      this.#closeFile();
      renameSync(this.path, `${this.path}.1`);
    }
    const fd = openPrivateFile(this.path, 'a');
    const { size } = fstatSync(fd);
    this.#file = { fd, size };
    const isOurs = size > 0 && lastLines(this.path).at(-1)?.code === this.#state.code;
    if (isOurs) return;
    const { keyId: key, code: previous } = this.#state;
    this.#append([{ at: new Date().toISOString(), what: 'begin', key, previous }]);
  }
}

const newState = (): AuditState => ({
  key: randomBytes(32),
  keyId: randomBytes(8).toString('hex'),
  code: '',
  number: 0,
});

export const codeOf = ({ key, code }: Pick<AuditState, 'key' | 'code'>, body: string): string =>
  createHmac('sha256', key).update(code).update('\n').update(body).digest('hex');

export interface AuditLine {
  number: number;
  /** What the code is made of. */
  body: string;
  code: string;
  /** In the first line of a file. */
  begin?: { key: string; previous: string };
}

/** Undefined if it is not a line of ours. */
export const parseAuditLine = (line: string): AuditLine | undefined => {
  const [, start, code] = /^(\{.*),"code":"([\da-f]{64})"\}$/.exec(line) ?? [];
  if (start === undefined || code === undefined) return undefined;
  const body = `${start}}`;
  try {
    const { number, what, key, previous } = JSON.parse(body);
    return { number, body, code, ...(what === 'begin' && { begin: { key, previous } }) };
  } catch {
    return undefined;
  }
};

/** The last lines of the file. A daemon that was killed must go on soon, and the file may be long. */
const lastLines = (path: string): (AuditLine | undefined)[] => {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    // There is none.
    return [];
  }
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, LAST_BYTES));
    readSync(fd, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString().trimEnd().split('\n').map(parseAuditLine);
  } finally {
    closeSync(fd);
  }
};

const shortened = (text: string): string =>
  text.length <= MAX_TEXT_CHARACTERS ? text : `${text.slice(0, MAX_TEXT_CHARACTERS)} […]`;
