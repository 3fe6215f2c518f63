/**
 * Keeps a session in a store, so that another process can go on with it if this one is killed: the
 * session is written down, and what happens until it is written down again is noted.
 */
import { deserialize, serialize } from 'node:v8';
import type { KeeperLink } from '../../keeper/keeper-link.ts';
import type { SessionStore, StoredRecord } from '../../keeper/session-store.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { TerminalKeeping } from '../../system/terminal/pty.ts';
import type { ReadWay } from '../../system/terminal/read-memory.ts';
import type { OnOutput } from '../../system/terminal/terminal-reader.ts';
import type { Session } from '../session.ts';
import { WorkMark } from './work-mark.ts';
import {
  encodeWritten,
  readLabel,
  type SessionLabel,
  type WrittenSession,
} from './written-session.ts';

/** Why the session cannot be written down, such as a lack of memory, does not pass in an instant. */
const RETRY_MS = 1000;

/** The types of what is noted; output is the store's own, with the number 1. */
export const keptRecords = { secret: 2, replySettled: 3, attachment: 4 } as const;

export class KeptSession implements TerminalKeeping {
  /** Written down with the session: what must be known whenever the session's state is. */
  readonly attachments = new Map<string, unknown>();
  /** Whether the daemon dies of it. */
  readonly work: WorkMark;
  readonly #store: SessionStore;
  readonly #link: KeeperLink;
  readonly #number: number;
  #write: (() => Omit<WrittenSession, 'attachments'>) | undefined;
  #session: Session | undefined;
  #isDelivering = false;
  /** To be written down once no output is being delivered. */
  #isDue = false;
  #isReleased = false;
  /** When it can be tried again to write it down, if that has failed. */
  #retryMs = 0;

  /** `number`: under which the keeper holds it. */
  constructor(store: SessionStore, link: KeeperLink, number: number) {
    this.#store = store;
    this.#link = link;
    this.#number = number;
    this.work = new WorkMark(store);
    store.onFull = () => this.#tryToWriteDown();
  }

  set pid(pid: number) {
    this.#store.pid = pid;
  }

  get pid(): number {
    return this.#store.pid;
  }

  set exit(exit: Exit | undefined) {
    this.#store.exit = exit;
  }

  get exit(): Exit | undefined {
    return this.#store.exit;
  }

  readBuffer(way: ReadWay): Buffer {
    return this.#store.readBuffer(way);
  }

  noteRead(way: ReadWay, bytes: number): Buffer {
    return this.#store.noteRead(way, bytes);
  }

  dropSlave(): void {
    this.#link.dropSlave(this.#number);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.#link.release(this.#number);
    this.#store.close();
  }

  /** From now on the session can be written down, which is done at once. */
  attach(session: Session, write: () => Omit<WrittenSession, 'attachments'>): void {
    this.#session = session;
    this.#write = write;
    this.writeDown();
    this.work.rest();
  }

  /** A session that has taken half of a chunk is not written down. */
  deliver(chunk: Buffer, receive: (chunk: Buffer) => void): void {
    this.#isDelivering = true;
    this.work.beginDelivery();
    try {
      receive(chunk);
    } finally {
      this.#isDelivering = false;
    }
    if (this.#isDue) this.#tryToWriteDown();
    this.work.endDelivery();
  }

  /** Must be called before anybody learns of a change that did not come from the program's output. */
  writeDown(): void {
    this.#isDue = this.#isDelivering;
    if (this.#isDelivering || this.#isReleased || this.#write === undefined) return;
    const written: WrittenSession = { ...this.#write(), attachments: this.attachments };
    this.#store.rebase(encodeWritten(written), this.#session!.terminal.undelivered);
  }

  /** If it fails, the session goes on, and the store counts what is missing. It is tried again now and then. */
  #tryToWriteDown(): void {
    if (performance.now() < this.#retryMs) return;
    try {
      this.writeDown();
    } catch {
      this.#retryMs = performance.now() + RETRY_MS;
    }
  }

  /** Adds an attachment, without writing the whole session down. */
  note(key: string, value: unknown): void {
    this.attachments.set(key, value);
    const isNoted = this.#store.append(keptRecords.attachment, serialize([key, value]));
    if (!isNoted) this.writeDown();
  }

  /** Must be called before it is typed. */
  noteSecret(value: string): void {
    this.#store.append(keptRecords.secret, Buffer.from(value));
  }

  /** Must be called before the reply is typed, or when it is dropped. */
  noteReplySettled(): void {
    this.#store.append(keptRecords.replySettled, Buffer.alloc(0));
  }
}

/** Output of a terminal must reach the session through this, if it is kept. */
export const deliverTo =
  (receive: OnOutput, kept: () => KeptSession | undefined): OnOutput =>
  (chunk) => {
    const keeping = kept();
    if (keeping === undefined) receive(chunk);
    else keeping.deliver(chunk, receive);
  };

/** The label with what was attached since. Throws if it is not what was written down. */
export const readNotedLabel = (base: Buffer, records: readonly StoredRecord[]): SessionLabel => {
  const label = readLabel(base);
  const noted = records.filter(({ type }) => type === keptRecords.attachment);
  const entries: [string, unknown][] = noted.map(({ bytes }) => deserialize(bytes));
  return { ...label, attachments: new Map([...label.attachments, ...entries]) };
};
