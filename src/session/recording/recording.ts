/**
 * Records the events of a session to a file as they happen. See asciicast.ts for the format.
 *
 * Events are written completely at the end of the turn in which they happen, before a caller can get an
 * answer that tells of them, so a crash of ours loses nothing that was shown. When a file grows too
 * large, a new one is started. It begins with the current screen, unless that is very large, so it can be
 * played alone, and the oldest file is removed. If writing fails, the recording ends, the failure is reported once, and the
 * session goes on.
 */
import { closeSync, constants, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPrivateFile } from '../../system/files/private-files.ts';
import { makePrivateFolders, recordingsFolder } from '../../system/files/user-folders.ts';
import { shellExitStatus } from '../../system/process/describe-exit.ts';
import type { Caller } from '../caller.ts';
import type { RecordingOptions } from '../options/options.ts';
import { EscapeScanner } from '../secrets/escape-scanner.ts';
import type { SessionEventBody } from '../sessions.ts';
import { type CastNote, castEventLine, castHeaderLine, castNoteLine } from './asciicast.ts';

export interface RecordedSession {
  session: string;
  command: readonly string[];
  cols: number;
  rows: number;
  term: string | undefined;
  openedBy: Caller;
  /** Bytes that draw the screen as it is after the recorded event. */
  dump(): string;
  /** Called once, if the recording had to end. */
  onTrouble(message: string): void;
}

/** Keeps a byte order mark: it is output like any other. */
const textDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;

/** An escape sequence without an end delays the next file up to this many times `maxBytes`. */
const MAX_OVERSIZE = 2;
/** To write a larger screen down takes so long that other sessions would notice. */
const MAX_DUMPED_CELLS = 100_000;

export class Recording {
  readonly #session: RecordedSession;
  readonly #options: Required<RecordingOptions>;
  readonly #stem: string;
  readonly #files: string[] = [];
  readonly #output = textDecoder();
  readonly #input = textDecoder();
  readonly #escapes = new EscapeScanner();
  #size: { cols: number; rows: number };
  #fd: number | undefined;
  #bytes = 0;
  #number = 0;
  /** When this file was started, and the time of its last event since then. */
  #startMs = 0;
  #lastEventMs = 0;
  /** The last note in this file about who typed, or that somebody has typed something hidden. */
  #lastNote: CastNote | undefined;
  #isEnded = false;
  /** The lines of this turn. */
  #lines = '';

  constructor(
    recorded: RecordedSession,
    {
      folder = recordingsFolder(process.env),
      always = false,
      maxBytes = 8 * 1024 * 1024,
      maxFiles = 4,
    }: RecordingOptions,
  ) {
    this.#session = recorded;
    this.#options = { folder, always, maxBytes, maxFiles: Math.max(1, maxFiles) };
    this.#size = { cols: recorded.cols, rows: recorded.rows };
    // With the process id, so that two processes never write to the same file.
    this.#stem = `${recorded.session}.${stampOf(new Date())}.${process.pid}`;
  }

  /** The current file. Undefined before the first event, and if none could be created. */
  get path(): string | undefined {
    return this.#files.at(-1);
  }

  record(event: SessionEventBody): void {
    if (this.#isEnded) return;
    try {
      if (this.#fd === undefined) this.#startFile();
      const lines = this.#linesOf(event);
      if (this.#lines === '' && lines !== '') queueMicrotask(() => this.#flush());
      this.#lines += lines;
      if (event.type !== 'closed') return;
      this.#writeLines();
      this.#end();
    } catch (error) {
      this.#giveUp(error as NodeJS.ErrnoException);
    }
  }

  #flush(): void {
    if (this.#isEnded) return;
    try {
      this.#writeLines();
      if (this.#isFull) this.#startNextFile();
    } catch (error) {
      this.#giveUp(error as NodeJS.ErrnoException);
    }
  }

  #writeLines(): void {
    const lines = this.#lines;
    this.#lines = '';
    this.#write(lines);
  }

  #linesOf(event: SessionEventBody): string {
    switch (event.type) {
      case 'output': {
        this.#escapes.takeAll(event.bytes);
        return this.#event('o', this.#output.decode(event.bytes, { stream: true }));
      }
      case 'input':
        return this.#inputLines(event);
      case 'resized':
        this.#size = { cols: event.cols, rows: event.rows };
        return this.#event('r', `${event.cols}x${event.rows}`);
      case 'mark':
        // Prompts need no marker: the end of the command before is already marked.
        if (event.mark === 'output') return this.#event('m', 'command');
        return event.mark === 'done' ? this.#event('m', `exit ${event.exitCode ?? ''}`.trim()) : '';
      case 'exited':
        return this.#event(
          'x',
          String(shellExitStatus({ code: event.exitCode, signal: event.signal }) ?? ''),
        );
      default:
        return '';
    }
  }

  #inputLines(event: SessionEventBody & { type: 'input' }): string {
    const { bytes, actor, caller, hidden, secret } = event;
    // Once for all hidden keys in a row: their number is the length of what was typed.
    if (hidden)
      return this.#noteLine({ actor, caller, hidden, ...(secret !== undefined && { secret }) });
    const note = this.#noteLine({ actor, caller });
    return note + this.#event('i', this.#input.decode(bytes, { stream: true }));
  }

  /** Empty if the last one in this file says the same. */
  #noteLine(note: CastNote): string {
    const last = this.#lastNote;
    const { actor, caller, hidden, secret } = note;
    // Nearly all input is of the same caller as before: to compare takes less time than to write.
    if (
      last?.actor === actor &&
      last.caller === caller &&
      last.hidden === hidden &&
      last.secret === secret
    )
      return '';
    const line = castNoteLine(note);
    const isSame = last !== undefined && line === castNoteLine(last);
    this.#lastNote = note;
    return isSame ? '' : line;
  }

  /** Intervals are differences of rounded times, so that rounding errors do not add up. */
  #event(code: string, data: string): string {
    if (data === '') return '';
    const atMs = Math.round(performance.now() - this.#startMs);
    const line = castEventLine(atMs - this.#lastEventMs, code, data);
    this.#lastEventMs = atMs;
    return line;
  }

  #startFile(): void {
    const { folder, maxFiles } = this.#options;
    const { session, command, term, openedBy } = this.#session;
    makePrivateFolders(folder);
    const path = join(folder, `${this.#stem}.${++this.#number}.cast`);
    // Never writes to an existing file, nor through a link.
    this.#fd = openPrivateFile(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL);
    this.#files.push(path);
    this.#bytes = 0;
    this.#startMs = performance.now();
    this.#lastEventMs = 0;
    this.#lastNote = undefined;
    this.#write(
      castHeaderLine({
        ...this.#size,
        ...(term !== undefined && { term }),
        timestamp: Math.floor(Date.now() / 1000),
        command: command.join(' '),
        title: session,
      }) + castNoteLine({ openedBy }),
    );
    // `force`: a user may have removed it already.
    if (this.#files.length > maxFiles) rmSync(this.#files.shift()!, { force: true });
  }

  get #isFull(): boolean {
    const { maxBytes } = this.#options;
    // Not within an escape sequence: the next file begins with a screen dump, and the rest of the
    // sequence would be text after it.
    return this.#bytes > maxBytes * (this.#escapes.isInSequence ? MAX_OVERSIZE : 1);
  }

  #startNextFile(): void {
    this.#end();
    this.#isEnded = false;
    this.#startFile();
    const { cols, rows } = this.#size;
    if (cols * rows <= MAX_DUMPED_CELLS) this.#write(this.#event('o', this.#session.dump()));
  }

  /** Writes all lines or nothing: players cannot play a file with half a line. */
  #write(lines: string): void {
    if (lines === '') return;
    const bytes = Buffer.from(lines);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd!, bytes, written);
    } catch (error) {
      ftruncateSync(this.#fd!, this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  #end(): void {
    this.#isEnded = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #giveUp(error: NodeJS.ErrnoException): void {
    this.#end();
    // An empty file: not even its header could be written.
    if (this.path !== undefined && this.#bytes === 0) rmSync(this.#files.pop()!, { force: true });
    const { folder } = this.#options;
    this.#session.onTrouble(
      `Session "${this.#session.session}" goes on, but is no longer recorded in ${folder}: ` +
        `${reasons[error.code ?? ''] ?? error.message}`,
    );
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room left (ENOSPC).',
  EDQUOT: 'its user may not store more (EDQUOT).',
  EACCES: 'its user may not write there (EACCES).',
  EPERM: 'its user may not write there (EPERM).',
  EROFS: 'nobody can write there (EROFS).',
  ENOTDIR: 'that is no folder (ENOTDIR).',
  EEXIST: 'that is no folder, or the file is there already (EEXIST).',
};

/** Such as 20261115T051822123. */
const stampOf = (date: Date): string => date.toISOString().replaceAll(/[-:.Z]/g, '');
