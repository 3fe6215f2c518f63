/** The list of open sessions, in a file. After a crash, the next daemon reads which ones were lost. */
import { readFileSync, renameSync, rmSync } from 'node:fs';
import type { SessionEvent } from '../../session/sessions.ts';
import { writePrivateFile } from '../../system/files/private-files.ts';
import type { JournaledSession } from '../protocol/protocol.ts';
import { filesOfRecording } from './prune-recordings.ts';

interface JournalFile {
  sessions: JournaledSession[];
  /** Lost in a crash, and no client is known to have heard of it. */
  lost: JournaledSession[];
}

export class SessionJournal {
  readonly #path: string;
  readonly #onError: (message: string) => void;
  readonly #sessions = new Map<string, JournaledSession>();
  /** Lost by earlier daemons, until a new session has the same name. */
  readonly #lost: Map<string, JournaledSession>;
  #unreported: JournaledSession[];
  /** Reported to a client that has said nothing since. */
  #unheard: JournaledSession[] = [];
  /** Called with the lost sessions of which callers are told, when they are others than before. */
  onLost: (lost: readonly JournaledSession[]) => void = () => {};
  /** Why sessions cannot be recovered whose names are not known. */
  readonly #problems: string[] = [];

  /** `onError` is called if the file could not be written, for example on a full disk. */
  constructor(path: string, onError: (message: string) => void) {
    this.#path = path;
    this.#onError = onError;
    const { sessions, lost } = readJournal(path);
    this.#unreported = [...lost, ...sessions.map(withLastRecording)];
    this.#lost = new Map(this.#unreported.map((session) => [session.name, session]));
    this.#save();
  }

  get sessions(): JournaledSession[] {
    return [...this.#sessions.values()];
  }

  get unreported(): readonly JournaledSession[] {
    return this.#unreported;
  }

  get lost(): readonly JournaledSession[] {
    return [...this.#lost.values()];
  }

  /** Those that an earlier daemon has reported. */
  addLost(lost: readonly JournaledSession[]): void {
    for (const session of lost)
      if (!this.#sessions.has(session.name)) this.#lost.set(session.name, session);
  }

  findLost(name: string): JournaledSession | undefined {
    return this.#lost.get(name);
  }

  /** Returns the lost sessions that were not yet reported, and counts them as reported by this daemon. */
  takeUnreported(): JournaledSession[] {
    const unreported = this.#unreported;
    this.#unreported = [];
    this.#unheard.push(...unreported);
    return unreported;
  }

  /** The client to which they were reported has got that: the next daemon need not report them again. */
  noteHeard(): void {
    this.#unheard = [];
    this.#save();
  }

  /** A session of an earlier daemon that was not lost after all. Its last recording is still its. */
  recover({ name, command }: JournaledSession): void {
    const recording = this.#lost.get(name)?.recording;
    this.#forgetLost(name);
    this.#unreported = this.#unreported.filter((lost) => lost.name !== name);
    this.#sessions.set(name, { name, command, ...(recording !== undefined && { recording }) });
  }

  /** One that was recovered, but nothing can be made of it. Its program runs on. */
  lose(name: string, reason: string): void {
    const session = this.#sessions.get(name);
    if (session === undefined) return;
    this.#sessions.delete(name);
    this.#addLost({ ...session, reason, isAside: true });
    this.#save();
  }

  /**
   * What an earlier daemon has left of a session cannot be read, not even the name. It is one of those that
   * are lost, and each of them may be the one.
   */
  explainLost(reason: string): void {
    this.#problems.push(reason);
  }

  /** Must be called when all are recovered that can be: until then the file names them as lost. */
  endRecovery(): void {
    const reason = [...new Set(this.#problems)].join(', or ');
    for (const lost of reason === '' ? [] : this.#unreported)
      if (lost.reason === undefined) this.#addLost({ ...lost, reason });
    this.#save();
  }

  /** Its program runs no more. */
  #endAside(name: string): void {
    const { isAside, ...lost } = this.#lost.get(name) ?? {};
    if (isAside) this.#lost.set(name, lost as JournaledSession);
  }

  #addLost(session: JournaledSession): void {
    const others = this.#unreported.filter(({ name }) => name !== session.name);
    this.#unreported = [...others, session];
    this.#lost.set(session.name, session);
    this.onLost(this.lost);
  }

  update(event: SessionEvent, recording: string | undefined): void {
    const { session: name } = event;
    if (event.type === 'opened') {
      this.#forgetLost(name);
      this.#sessions.set(name, {
        name,
        command: event.command,
        ...(recording !== undefined && { recording }),
      });
      this.#save();
    } else if (event.type === 'renamed') {
      const renamed = this.#sessions.get(name);
      this.#sessions.delete(name);
      if (renamed !== undefined) this.#sessions.set(event.to, { ...renamed, name: event.to });
      this.#forgetLost(event.to);
      this.#save();
    } else if (event.type === 'closed') {
      this.#sessions.delete(name);
      this.#endAside(name);
      this.#save();
    }
  }

  #forgetLost(name: string): void {
    if (this.#lost.delete(name)) this.onLost(this.lost);
  }

  #save(): void {
    const lost = [...this.#unheard, ...this.#unreported];
    const content: JournalFile = { sessions: this.sessions, lost };
    try {
      if (content.sessions.length + content.lost.length === 0) rmSync(this.#path, { force: true });
      else this.#write(content);
    } catch (error) {
      // The file is only needed after a crash; the sessions go on without it.
      this.#onError(`the list of living sessions: ${(error as Error).message}`);
    }
  }

  /** Writes and renames, so that after a crash the file is the old one or the new one, complete. */
  #write(content: JournalFile): void {
    const temporary = `${this.#path}.new`;
    writePrivateFile(temporary, JSON.stringify(content));
    renameSync(temporary, this.#path);
  }
}

/** Both lists are empty if there is no such file. */
export const readJournal = (path: string): JournalFile => {
  try {
    const content: Partial<Record<keyof JournalFile, unknown>> | null = JSON.parse(
      readFileSync(path, 'utf8'),
    );
    return { sessions: validEntries(content?.sessions), lost: validEntries(content?.lost) };
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    // A file that somebody has damaged must not keep every daemon from starting.
    if (isMissing || error instanceof SyntaxError) return { sessions: [], lost: [] };
    throw error;
  }
};

/** Leaves out everything that no daemon would write. */
const validEntries = (value: unknown): JournaledSession[] =>
  Array.isArray(value) ? value.filter(isSessionEntry) : [];

const isSessionEntry = (value: Partial<Record<keyof JournaledSession, unknown>> | null): boolean =>
  typeof value?.name === 'string' &&
  Array.isArray(value.command) &&
  value.command.every((word) => typeof word === 'string') &&
  ['string', 'undefined'].includes(typeof value.recording);

/** A long recording continues in further files. Returns the entry with the last of them. */
const withLastRecording = ({ recording, ...session }: JournaledSession): JournaledSession => {
  const parts = recording === undefined ? [] : filesOfRecording(recording);
  return { ...session, ...(parts.length > 0 && { recording: parts.at(-1)! }) };
};
