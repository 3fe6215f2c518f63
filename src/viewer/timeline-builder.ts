/** Makes the entries of a timeline from what happens in a session, live or in a recording. */
import { plainText } from '../plain-text.ts';
import type { SessionState } from '../session/sessions.ts';
import { commandInTypedMarks } from '../shell/typed-marks.ts';
import type { TimelineEntry } from './page-messages.ts';

type InputEntry = TimelineEntry & { kind: 'input' };
type CommandEntry = TimelineEntry & { kind: 'command' };
type EntryBody = TimelineEntry extends infer Entry
  ? Entry extends TimelineEntry
    ? Omit<Entry, 'number' | 'at'>
    : never
  : never;

/** A paste can be long. */
const MAX_TEXT = 300;
/** How long after the mark of a command its input may be told of. */
const LATE_MS = 500;
/** Enough to scroll through; older moments are in the recording. */
const MAX_ENTRIES = 1000;

export class TimelineBuilder {
  onEntry: (entry: TimelineEntry) => void;
  #entries: TimelineEntry[] = [];
  #nextNumber: number;
  /** The input that is being typed: its line has no end yet. */
  #typing: InputEntry | undefined;
  #lastLine = '';
  /** The last one. */
  #command: CommandEntry | undefined;
  #lastState = '';

  constructor(onEntry: (entry: TimelineEntry) => void = () => {}, firstNumber = 0) {
    this.onEntry = onEntry;
    this.#nextNumber = firstNumber;
  }

  get entries(): readonly TimelineEntry[] {
    return this.#entries;
  }

  input(at: number, actor: string, bytes: string): void {
    const before = this.#typing?.actor === actor ? this.#typing : undefined;
    const text = `${before?.text ?? ''}${commandInTypedMarks(bytes) ?? bytes}`;
    const entry = this.#put(before, {
      ...{ kind: 'input', actor, text: shownKeys(text) },
      at: before?.at ?? at,
    }) as InputEntry;
    const isOver = /[\r\n\x03\x04]/.test(bytes);
    if (isOver) this.#endLine(at, entry.text.replace(/⏎+$/, ''));
    this.#typing = isOver ? undefined : entry;
  }

  /** The mark of its command can be seen before the input is told of. */
  #endLine(at: number, line: string): void {
    const command = this.#command;
    const isOfCommand = command?.text === '' && at - command.at < LATE_MS;
    this.#lastLine = isOfCommand ? '' : line;
    if (isOfCommand) this.#command = this.#put(command, { ...command, text: line }) as CommandEntry;
  }

  hiddenInput(at: number, actor: string, secret?: string): void {
    this.#typing = undefined;
    // What it completes is not known.
    this.#lastLine = '';
    const last = this.#entries.at(-1);
    if (last?.kind === 'input' && last.hidden && last.actor === actor && last.secret === secret)
      return;
    this.add(at, {
      ...{ kind: 'input', actor, text: '', hidden: true },
      ...(secret ? { secret } : {}),
    });
  }

  commandBegins(at: number): void {
    this.#command = this.add(at, {
      kind: 'command',
      text: this.#lastLine,
      isOver: false,
    }) as CommandEntry;
    this.#lastLine = '';
  }

  commandEnds(at: number, exitCode: number | undefined): void {
    const running = this.#command;
    // At an empty line, shells mark the end of a command that never began.
    if (running === undefined || running.isOver) return;
    const tookMs = at - running.at;
    this.#command = this.#put(running, {
      ...running,
      isOver: true,
      tookMs,
      ...(exitCode !== undefined && { exitCode }),
    }) as CommandEntry;
  }

  state(at: number, state: SessionState): void {
    const { waitingFor, prompt, foreground } = state;
    const key = JSON.stringify([state.state, waitingFor, prompt, foreground]);
    if (key === this.#lastState) return;
    this.#lastState = key;
    this.add(at, { kind: 'state', state });
  }

  add(at: number, body: EntryBody): TimelineEntry {
    return this.#put(undefined, { at, ...body });
  }

  #put(before: TimelineEntry | undefined, entry: EntryBody & { at: number }): TimelineEntry {
    const whole = { ...entry, number: before?.number ?? this.#nextNumber++ } as TimelineEntry;
    const index = before === undefined ? -1 : this.#entries.indexOf(before);
    if (index === -1) this.#entries.push(whole);
    else this.#entries[index] = whole;
    if (this.#entries.length > MAX_ENTRIES * 2) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    this.onEntry(whole);
    return whole;
  }
}

const KEY_SIGNS: Readonly<Record<string, string>> = {
  '\r': '⏎',
  '\n': '⏎',
  '\t': '⇥',
  '\x7f': '⌫',
  '\x1b[A': '↑',
  '\x1b[B': '↓',
  '\x1b[C': '→',
  '\x1b[D': '←',
  '\x1bOA': '↑',
  '\x1bOB': '↓',
  '\x1bOC': '→',
  '\x1bOD': '←',
  '\x1b[200~': '',
  '\x1b[201~': '',
};

/** What was typed, with signs for keys, and `^C` for control characters. */
const shownKeys = (text: string): string =>
  plainText(
    text
      .replaceAll(/\x1b(?:\[20[01]~|[[O][A-D])|[\r\n\t\x7f]/g, (key) => KEY_SIGNS[key] ?? key)
      .replaceAll('\x1b', 'ESC ')
      .replaceAll(/[\x00-\x1f]/g, (key) => `^${String.fromCharCode(key.charCodeAt(0) + 64)}`),
    MAX_TEXT,
  );
