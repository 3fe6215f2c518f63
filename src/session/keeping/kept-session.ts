/**
 * Keeps a session in a store, so that another process can go on with it if this one is killed: the
 * session is written down, and what happens until it is written down again is noted.
 */
import type { KeeperLink } from '../../keeper/keeper-link.ts';
import type { SessionStore, StoreLabel } from '../../keeper/session-store.ts';
import type { StoredPages } from '../../keeper/stored-pages.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { ReadWay } from '../../system/terminal/read-memory.ts';
import type { TerminalKeeping } from '../../system/terminal/terminal-keeping.ts';
import type { OnOutput } from '../../system/terminal/terminal-reader.ts';
import type { InputQueue } from '../input/input-queue.ts';
import type { RestorableParts } from '../snapshot/restore-session.ts';
import type { InputSnapshot } from '../snapshot/session-snapshot.ts';
import {
  type Attachment,
  changeIn,
  encodeChange,
  keptRecords,
  type NotedInput,
  type NotedRead,
  type SessionChange,
} from './session-change.ts';
import { WorkMark } from './work-mark.ts';
import {
  encodeWritten,
  readLabel,
  type SessionLabel,
  type WrittenSession,
} from './written-session.ts';

/**
 * When so much was noted, the session is written down at the next occasion. That takes some milliseconds in a
 * session with a long history, and to do so many exchanges again, a thousand, a fifth of a second.
 */
const LONG_LOG_BYTES = 1024 * 1024;

/** What a session shows of itself to be kept. */
export interface KeepableSession {
  readonly parts: RestorableParts;
  /** Output that was read, and that the session has not been given yet. */
  undelivered(): Uint8Array | undefined;
  isExitReported(): boolean;
  write(pages: StoredPages): Omit<WrittenSession, 'attachments'>;
}

export class KeptSession implements TerminalKeeping {
  /** Written down with the session: what must be known whenever the session's state is. */
  readonly attachments = new Map<string, unknown>();
  /** Called before it is released. */
  onRelease: (attachments: ReadonlyMap<string, unknown>) => void = () => {};
  /** Called when it cannot be kept any longer: it goes on, and ends with this process. */
  onTrouble: (message: string) => void = () => {};
  /** Whether the daemon dies of it. */
  readonly work: WorkMark;
  readonly #store: SessionStore;
  readonly #link: KeeperLink;
  readonly #number: number;
  #session: KeepableSession | undefined;
  #parts: RestorableParts | undefined;
  /** Of the output since the session was written down, as much as it was given. */
  #delivered = 0;
  /** Done, and noted with the next change, or before the next output. */
  #reads: NotedRead[] = [];
  /** To be noted with the next change. */
  #laterAttachments: Attachment[] = [];
  /** As it was noted last. */
  #notedPrompt: InputSnapshot['lastPrompt'] | undefined;
  #notedCaller: InputSnapshot['lastCaller'];
  /** What the screen had skipped when the session was written down. */
  #skippedBytes = 0;
  #isDelivering = false;
  /** To be written down once no output is being delivered. */
  #isDue = false;
  #isSoon = false;
  #isReleased = false;
  #isGivenUp = false;

  /** `number`: under which the keeper holds it. */
  constructor(store: SessionStore, link: KeeperLink, number: number) {
    this.#store = store;
    this.#link = link;
    this.#number = number;
    this.work = new WorkMark(store);
    store.onFull = () => this.writeDown();
  }

  /** What was written once, and is named when the session is written down. */
  get pages(): StoredPages {
    return this.#store.pages;
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
    if (this.#isGivenUp) return Buffer.from(this.#store.readBuffer(way).subarray(0, bytes));
    return this.#store.noteRead(way, bytes);
  }

  dropSecond(): void {
    this.#store.noteLettingGo('second');
    this.#link.dropSecond(this.#number);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.onRelease(this.attachments);
    this.#store.noteLettingGo('all');
    this.#link.release(this.#number);
    this.#store.close();
  }

  /** Whether what is noted here outlives this process. */
  get isKept(): boolean {
    return !this.#isReleased && !this.#isGivenUp;
  }

  /** From now on the session can be written down, which is done at once. */
  attach(session: KeepableSession): void {
    this.#session = session;
    this.#parts = session.parts;
    this.writeDown();
    this.work.rest();
  }

  /** A session that has taken half of a chunk is not written down. */
  deliver(chunk: Buffer, receive: (chunk: Buffer) => void): void {
    this.#isDelivering = true;
    this.work.beginDelivery();
    try {
      if (this.#reads.length > 0) this.#note({});
      receive(chunk);
    } finally {
      this.#delivered += chunk.length;
      this.#isDelivering = false;
    }
    if (this.#isDue) this.writeDown();
    this.work.endDelivery();
  }

  /** Must be called before anybody learns of a change that is not noted. */
  writeDown(): void {
    this.#isDue = this.#isDelivering;
    const session = this.#session;
    if (this.#isDelivering || !this.isKept || session === undefined) return;
    try {
      const written: WrittenSession = {
        ...session.write(this.#store.pages),
        attachments: this.attachments,
      };
      const { label, body } = encodeWritten(written);
      this.#store.rebase(body, { label, undelivered: session.undelivered() });
    } catch (error) {
      this.#giveUp(error as Error);
    }
    this.#delivered = 0;
    this.#reads = [];
    this.#laterAttachments = [];
    this.#skippedBytes = session.parts.screen.skippedBytes;
  }

  /** A full disk, where the memory is a file. What was written down before is no longer true. */
  #giveUp(error: Error): void {
    this.#isGivenUp = true;
    this.#store.noteLettingGo('all');
    this.#link.release(this.#number);
    this.onTrouble(unkeptMessage(error));
  }

  /** Must be called before anything is typed, and when another may type. */
  noteTyping(): void {
    if (this.#parts === undefined) return;
    const { shell, input, echo } = this.#parts;
    // What tracks a command to its end is written down with the whole session.
    if (shell.running !== undefined) this.writeDown();
    else this.#note({ input: this.#changedInput(input), echo: echo.expectedSnapshot() });
  }

  /** Must be called in the turn in which it is read. Its answer is noted with it. */
  noteReading(read: NotedRead): void {
    this.#reads.push(read);
  }

  /** Adds an attachment, and notes what was read for it. */
  noteAttachment(key: string, value: unknown): void {
    this.attachments.set(key, value);
    this.#laterAttachments.push([key, value]);
    this.#note({});
  }

  /** Adds an attachment that nobody must know of before something is typed. */
  attachBeforeTyping(key: string, value: unknown): void {
    this.attachments.set(key, value);
    this.#laterAttachments.push([key, value]);
  }

  /** The same, if something was read in another way than by `Session.read`. */
  writeDownWith(key: string, value: unknown): void {
    this.attachments.set(key, value);
    this.writeDown();
  }

  /** Must be called before it is typed. */
  noteSecret(value: string): void {
    this.#note({ secret: value });
  }

  /** Must be called before the reply is typed, or when it is dropped. */
  noteReplySettled(): void {
    this.#store.append(keptRecords.replySettled, Buffer.alloc(0));
  }

  #note(change: Omit<SessionChange, 'delivered'>): void {
    const [session, parts] = [this.#session, this.#parts];
    if (session === undefined || parts === undefined || !this.isKept) return;
    const { screen, masking, input } = parts;
    // What was skipped depends on who has looked when: the same output would not give the same screen.
    if (screen.skippedBytes !== this.#skippedBytes) {
      this.writeDown();
      return;
    }
    const reads = this.#reads;
    const attachments = this.#laterAttachments;
    this.#reads = [];
    this.#laterAttachments = [];
    const noted: SessionChange = { delivered: this.#delivered, ...change };
    if (masking.isHolding) noted.isHolding = true;
    if (session.isExitReported()) noted.isExitReported = true;
    if (reads.length > 0) {
      noted.reads = reads;
      noted.lastPrompt = this.#changedPrompt(input);
    }
    const record = encodeChange(noted, attachments);
    if (!this.#store.append(keptRecords.change, record)) this.writeDown();
    if (this.#store.logBytes > LONG_LOG_BYTES) this.#writeDownSoon();
  }

  #changedInput(queue: InputQueue): NotedInput {
    const input: NotedInput = queue.snapshot();
    const { lastCaller } = input;
    // JSON leaves them out.
    if (lastCaller === this.#notedCaller) input.lastCaller = undefined;
    this.#notedCaller = lastCaller;
    input.lastPrompt = this.#changedPrompt(queue);
    return input;
  }

  #changedPrompt({ lastPrompt }: InputQueue): NotedInput['lastPrompt'] {
    if (lastPrompt === this.#notedPrompt) return undefined;
    this.#notedPrompt = lastPrompt;
    return lastPrompt;
  }

  /** Whoever waits for an answer gets it first. */
  #writeDownSoon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    setImmediate(() => {
      this.#isSoon = false;
      if (this.#store.logBytes > LONG_LOG_BYTES) this.writeDown();
    });
  }
}

export const unkeptMessage = ({ message }: Error): string =>
  `It cannot be kept, and ends if the daemon is killed: ${message}`;

/** Output of a terminal must reach the session through this, if it is kept. */
export const deliverTo =
  (receive: OnOutput, kept: () => KeptSession | undefined): OnOutput =>
  (chunk) => {
    const keeping = kept();
    if (keeping === undefined) receive(chunk);
    else keeping.deliver(chunk, receive);
  };

/** The label with what was attached since. Throws if it is not what was written down. */
export const readNotedLabel = ({ label: encoded, records }: StoreLabel): SessionLabel => {
  const label = readLabel(encoded);
  const noted = records.flatMap((record) => changeIn(record)?.attachments ?? []);
  return { ...label, attachments: new Map([...label.attachments, ...noted]) };
};
