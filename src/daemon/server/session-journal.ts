/**
 * The list of living sessions, kept in a file for the one case in which nobody can say goodbye: a
 * crash. The next daemon reads it and knows which sessions were lost.
 */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import type { SessionEvent } from '../../session/sessions.ts';
import { writePrivate } from '../../system/files/private-files.ts';
import type { SessionEntry } from '../protocol/protocol.ts';
import { partsOf } from './prune-recordings.ts';

interface Kept {
  sessions: SessionEntry[];
  /** Lost, and nobody told yet. */
  lost: SessionEntry[];
}

export class SessionJournal {
  readonly #path: string;
  readonly #trouble: (message: string) => void;
  readonly #sessions = new Map<string, SessionEntry>();
  /** Lost by those before us, as long as no session of that name has taken its place. */
  readonly #lost: Map<string, SessionEntry>;
  #untold: SessionEntry[];

  /** `trouble` is told that the list could not be written: on a full disk, say. */
  constructor(path: string, trouble: (message: string) => void) {
    this.#path = path;
    this.#trouble = trouble;
    const { sessions, lost } = readKept(path);
    this.#untold = [...lost, ...sessions.map(withLastRecording)];
    this.#lost = new Map(this.#untold.map((session) => [session.name, session]));
    this.#keep();
  }

  get sessions(): SessionEntry[] {
    return [...this.#sessions.values()];
  }

  get unreported(): readonly SessionEntry[] {
    return this.#untold;
  }

  findLost(name: string): SessionEntry | undefined {
    return this.#lost.get(name);
  }

  /** The sessions that were lost, to be told once. */
  takeUnreported(): SessionEntry[] {
    const untold = this.#untold;
    this.#untold = [];
    if (untold.length > 0) this.#keep();
    return untold;
  }

  note(event: SessionEvent, recording: string | undefined): void {
    const { session: name } = event;
    if (event.type === 'opened') {
      this.#lost.delete(name);
      this.#sessions.set(name, {
        name,
        command: event.command,
        ...(recording !== undefined && { recording }),
      });
      this.#keep();
    } else if (event.type === 'closed') {
      this.#sessions.delete(name);
      this.#keep();
    }
  }

  #keep(): void {
    const kept: Kept = { sessions: this.sessions, lost: this.#untold };
    try {
      if (kept.sessions.length + kept.lost.length === 0) rmSync(this.#path, { force: true });
      else this.#write(kept);
    } catch (error) {
      // It is for whoever comes after a crash; the sessions themselves do not need it.
      this.#trouble(`the list of living sessions: ${(error as Error).message}`);
    }
  }

  /** Renamed, so that whoever comes after a crash finds the old list or the new one, whole. */
  #write(kept: Kept): void {
    const fresh = `${this.#path}.new`;
    writePrivate(fresh, JSON.stringify(kept));
    renameSync(fresh, this.#path);
  }
}

const readKept = (path: string): Kept => {
  try {
    const kept: Partial<Record<keyof Kept, unknown>> | null = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    return { sessions: sessionsIn(kept?.sessions), lost: sessionsIn(kept?.lost) };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    // Somebody else's mark on our file must not keep every daemon from starting.
    if (isMissing || error instanceof SyntaxError) return { sessions: [], lost: [] };
    throw error;
  }
};

/** Without what no daemon has written. */
const sessionsIn = (value: unknown): SessionEntry[] =>
  Array.isArray(value) ? value.filter(isLivingSession) : [];

const isLivingSession = (value: Partial<Record<keyof SessionEntry, unknown>> | null): boolean =>
  typeof value?.name === 'string' &&
  Array.isArray(value.command) &&
  value.command.every((word) => typeof word === 'string') &&
  ['string', 'undefined'].includes(typeof value.recording);

/** A long recording goes on in other files, each with the next number. */
const withLastRecording = ({ recording, ...session }: SessionEntry): SessionEntry => {
  const parts = recording === undefined ? [] : partsOf(recording);
  return { ...session, ...(parts.length > 0 && { recording: parts.at(-1)! }) };
};
