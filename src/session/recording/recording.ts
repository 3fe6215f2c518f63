/**
 * Writes what happens in a session to a file, as it happens: see asciicast.ts for the format.
 *
 * Every event is appended whole before the next is looked at, so a crash of ours loses nothing that
 * was shown. A file that has grown too large is followed by another one, which begins with the
 * screen as it is and can be played alone; the oldest of them goes. What cannot be written ends the
 * recording and is told once; the session goes on.
 */
import { closeSync, constants, ftruncateSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { openPrivate } from '../../system/files/private-files.ts';
import { makeFolder, recordingsFolder } from '../../system/files/user-folders.ts';
import { exitStatus } from '../../system/process/exit.ts';
import type { RecordingOptions } from '../options/options.ts';
import { EscapeScanner } from '../secrets/escape-scanner.ts';
import type { SessionEventBody } from '../sessions.ts';
import { type CastNote, eventLine, headerLine, noteLine } from './asciicast.ts';

export interface RecordedSession {
  session: string;
  command: readonly string[];
  cols: number;
  rows: number;
  term: string | undefined;
  /** Bytes that draw the screen as it is after the event that is being recorded. */
  dump(): string;
  /** Told once, if the recording had to end. */
  onTrouble(message: string): void;
}

/** A byte order mark is output like any other. */
const textDecoder = () => new TextDecoder('utf-8', { ignoreBOM: true });

const { O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;

/** An escape sequence that does not end cannot put off the next file any longer than this. */
const PATIENCE = 2;

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
  /** When this file began, and how much of the time since then its events account for. */
  #beganMs = 0;
  #toldMs = 0;
  #actor: string | undefined;
  #isOver = false;

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
    // With the process, so that two of them never write to one file.
    this.#stem = `${recorded.session}.${stampOf(new Date())}.${process.pid}`;
  }

  /** The file that is being written; undefined before the first event, and where there is none. */
  get path(): string | undefined {
    return this.#files.at(-1);
  }

  record(event: SessionEventBody): void {
    if (this.#isOver) return;
    try {
      if (this.#fd === undefined) this.#begin();
      this.#write(this.#linesOf(event));
      if (event.type === 'closed') this.#end();
      else if (this.#isFull) this.#turnOver();
    } catch (error) {
      this.#giveUp(error as NodeJS.ErrnoException);
    }
  }

  #linesOf(event: SessionEventBody): string {
    switch (event.type) {
      case 'output': {
        for (const byte of event.bytes) this.#escapes.take(byte);
        return this.#event('o', this.#output.decode(event.bytes, { stream: true }));
      }
      case 'input':
        return this.#inputLines(event);
      case 'resized':
        this.#size = { cols: event.cols, rows: event.rows };
        return this.#event('r', `${event.cols}x${event.rows}`);
      case 'mark':
        // The shell's prompt is where the command before it has ended.
        if (event.mark === 'output') return this.#event('m', 'command');
        return event.mark === 'done' ? this.#event('m', `exit ${event.exitCode ?? ''}`.trim()) : '';
      case 'exited':
        return this.#event(
          'x',
          String(exitStatus({ code: event.exitCode, signal: event.signal }) ?? ''),
        );
      default:
        return '';
    }
  }

  #inputLines({ bytes, actor, hidden, secret }: SessionEventBody & { type: 'input' }): string {
    if (hidden) {
      const note: CastNote = { actor, hidden: true, ...(secret !== undefined && { secret }) };
      this.#actor = actor;
      return noteLine(note);
    }
    const note = actor === this.#actor ? '' : noteLine({ actor });
    this.#actor = actor;
    return note + this.#event('i', this.#input.decode(bytes, { stream: true }));
  }

  /** Intervals are told so that their roundings do not add up. */
  #event(code: string, data: string): string {
    if (data === '') return '';
    const atMs = Math.round(performance.now() - this.#beganMs);
    const line = eventLine(atMs - this.#toldMs, code, data);
    this.#toldMs = atMs;
    return line;
  }

  #begin(): void {
    const { folder, maxFiles } = this.#options;
    const { session, command, term } = this.#session;
    makeFolder(folder);
    const path = join(folder, `${this.#stem}.${++this.#number}.cast`);
    // Never one that is there already, nor what a link points to.
    this.#fd = openPrivate(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL);
    this.#files.push(path);
    this.#bytes = 0;
    this.#beganMs = performance.now();
    this.#toldMs = 0;
    this.#actor = undefined;
    this.#write(
      headerLine({
        ...this.#size,
        ...(term !== undefined && { term }),
        timestamp: Math.floor(Date.now() / 1000),
        command: command.join(' '),
        title: session,
      }),
    );
    // Somebody may have tidied up.
    if (this.#files.length > maxFiles) rmSync(this.#files.shift()!, { force: true });
  }

  get #isFull(): boolean {
    const { maxBytes } = this.#options;
    // Another file begins with a screen, after which half an escape sequence would be text.
    return this.#bytes > maxBytes * (this.#escapes.isInSequence ? PATIENCE : 1);
  }

  #turnOver(): void {
    this.#end();
    this.#isOver = false;
    this.#begin();
    this.#write(this.#event('o', this.#session.dump()));
  }

  /** All of it, or none: half a line would keep players from playing what is there. */
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
    this.#isOver = true;
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #giveUp(error: NodeJS.ErrnoException): void {
    this.#end();
    // Not even its header could be written.
    if (this.path !== undefined && this.#bytes === 0) rmSync(this.#files.pop()!, { force: true });
    const { folder } = this.#options;
    this.#session.onTrouble(
      `Session "${this.#session.session}" goes on, but is no longer recorded in ${folder}: ` +
        `${remedies[error.code ?? ''] ?? error.message}`,
    );
  }
}

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no room left (ENOSPC).',
  EDQUOT: 'its user may not store more (EDQUOT).',
  EACCES: 'its user may not write there (EACCES).',
  EPERM: 'its user may not write there (EPERM).',
  EROFS: 'nobody can write there (EROFS).',
  ENOTDIR: 'that is no folder (ENOTDIR).',
  EEXIST: 'that is no folder, or the file is there already (EEXIST).',
};

/** 20261115T051822123. */
const stampOf = (date: Date): string => date.toISOString().replaceAll(/[-:.Z]/g, '');
