/** The recordings in a folder: what there is, what is in them, and each as one file to play. */
import { createReadStream, type Dirent, existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { filesOfRecording } from '../daemon/server/prune-recordings.ts';
import { plainText } from '../plain-text.ts';
import { castEventLine, readEvents, readHeader } from '../session/recording/asciicast.ts';
import type { RecordingSummary, TimelineEntry } from './page-messages.ts';
import { TimelineBuilder } from './timeline-builder.ts';

/** `bash.20261115T051822123.77.2.cast`: session, start, process, part. All but the part is its name. */
const FILE_NAME = /^((.+)\.(\d{8}T\d{9})\.\d+)\.\d+\.cast$/;

export const nameOfRecording = (file: string): string | undefined =>
  FILE_NAME.exec(basename(file))?.[1];

/** More than anybody looks through; a search finds the others. */
const MAX_LISTED = 500;
/** A person waits for the answer. */
const MAX_SEARCH_MS = 10_000;
const MAX_FOUND_LENGTH = 200;
/** The part of a line that may be the beginning of what is searched. */
const CARRIED = 400;

export class RecordingLibrary {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The newest first. `open`: the files that are being written. */
  async list(open: readonly string[], search = ''): Promise<RecordingSummary[]> {
    const openNames = new Set(open.map(nameOfRecording));
    const names = [...this.#filesByName].sort(([one], [other]) =>
      startOfName(one) < startOfName(other) ? 1 : -1,
    );
    const deadline = performance.now() + MAX_SEARCH_MS;
    const listed: RecordingSummary[] = [];
    for (const [name, files] of names) {
      if (listed.length === MAX_LISTED || (search !== '' && performance.now() > deadline)) break;
      const summary = await summaryOf(name, files);
      if (summary === undefined) continue;
      if (openNames.has(name)) summary.isOpen = true;
      if (search === '') listed.push(summary);
      else {
        const found = await this.#find(summary, files, search.toLowerCase());
        if (found !== undefined) listed.push({ ...summary, found });
      }
    }
    return listed;
  }

  /** Undefined if there is no such recording. */
  async open(
    name: string,
  ): Promise<{ startedAt: number; lines: AsyncIterable<string> } | undefined> {
    const files = this.#filesOf(name);
    if (files.length === 0) return undefined;
    return { startedAt: await startOf(name, files), lines: castLines(files) };
  }

  /** What happened in it until then. */
  async entriesOf(name: string, until = Number.POSITIVE_INFINITY): Promise<TimelineEntry[]> {
    const files = this.#filesOf(name);
    const builder = new TimelineBuilder();
    if (files.length === 0) return [];
    let startMs = await startOf(name, files);
    try {
      for (const file of files) {
        let lastMs = 0;
        for await (const { atMs, code, data, actor = '' } of readEvents(file)) {
          lastMs = atMs;
          const at = Math.round(startMs + atMs);
          if (at >= until) return [...builder.entries];
          if (code === 'i') builder.input(at, actor, data);
          else if (code === 'hidden') builder.hiddenInput(at, actor, data || undefined);
          else if (code === 'm' && data === 'command') builder.commandBegins(at);
          else if (code === 'm' && data.startsWith('exit'))
            builder.commandEnds(at, exitCodeOf(data));
        }
        startMs += lastMs;
      }
    } catch (error) {
      builder.add(Date.now(), { kind: 'trouble', text: (error as Error).message });
    }
    return [...builder.entries];
  }

  get #filesByName(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    const entries: Dirent[] = existsSync(this.#folder)
      ? readdirSync(this.#folder, { withFileTypes: true })
      : [];
    for (const entry of entries) {
      const name = entry.isFile() ? nameOfRecording(entry.name) : undefined;
      if (name === undefined) continue;
      found.set(name, [...(found.get(name) ?? []), join(this.#folder, entry.name)]);
    }
    return found;
  }

  /** Only what is in the folder: a name is no path. */
  #filesOf(name: string): string[] {
    if (name.includes('/') || !FILE_NAME.test(`${name}.1.cast`)) return [];
    return filesOfRecording(join(this.#folder, `${name}.1.cast`));
  }

  async #find(
    { session, command }: RecordingSummary,
    files: readonly string[],
    search: string,
  ): Promise<string | undefined> {
    for (const label of [session, command]) if (label.toLowerCase().includes(search)) return label;
    let rest = '';
    try {
      for (const file of files)
        for await (const { code, data } of readEvents(file)) {
          if (code !== 'o') continue;
          const text = rest + withoutSequences(data);
          const line = text.split(/\r?\n|\r/).find((each) => each.toLowerCase().includes(search));
          if (line !== undefined) return plainText(line.trim(), MAX_FOUND_LENGTH);
          rest = text.slice(text.lastIndexOf('\n') + 1).slice(-CARRIED);
        }
    } catch {
      // Its list entry says what is wrong with it.
    }
    return undefined;
  }
}

/** Undefined if it has gone meanwhile. */
const summaryOf = async (
  name: string,
  files: readonly string[],
): Promise<RecordingSummary | undefined> => {
  const stats = files.flatMap((file) => statSync(file, { throwIfNoEntry: false }) ?? []);
  if (stats.length === 0) return undefined;
  const [, , session = ''] = FILE_NAME.exec(`${name}.1.cast`) ?? [];
  const summary = {
    ...{ name, session: plainText(session), startedAt: startOfName(name) },
    endedAt: Math.round(Math.max(...stats.map(({ mtimeMs }) => mtimeMs))),
    bytes: stats.reduce((sum, { size }) => sum + size, 0),
  };
  try {
    const { cols, rows, command = '' } = await readHeader(files[0]!);
    return { ...summary, cols, rows, command: plainText(command) };
  } catch (error) {
    const trouble = plainText((error as Error).message);
    return { ...summary, cols: 0, rows: 0, command: '', trouble };
  }
};

/** Such as 20261115T051822123, in milliseconds since 1970. */
const startOfName = (name: string): number => {
  const [, , , stamp = ''] = FILE_NAME.exec(`${name}.1.cast`) ?? [];
  const [, year, month, day, hour, minute, second, ms] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})$/.exec(stamp)?.map(Number) ?? [];
  return Date.UTC(year!, month! - 1, day, hour, minute, second, ms);
};

/** The first part may have been erased; the others say only in which second they were begun. */
const startOf = async (name: string, files: readonly string[]): Promise<number> => {
  if (files[0]!.endsWith(`${name}.1.cast`)) return startOfName(name);
  const { timestamp } = await readHeader(files[0]!);
  return timestamp === undefined ? startOfName(name) : timestamp * 1000;
};

/** All parts as one asciicast. The last line may have been cut off, and is left out. */
async function* castLines(files: readonly string[]): AsyncGenerator<string> {
  for (const [part, file] of files.entries()) {
    let isHeader = true;
    for await (const line of createInterface({ input: createReadStream(file) })) {
      if (isHeader && part > 0) yield sizeOfHeader(line);
      else if (isHeader || line.startsWith('#') || isWhole(line)) yield `${line}\n`;
      isHeader = false;
    }
  }
}

const isWhole = (line: string): boolean => line.startsWith('[') && line.endsWith(']');

/** Each further part has its own size, and begins with the whole screen. */
const sizeOfHeader = (line: string): string => {
  try {
    const { term } = JSON.parse(line);
    return castEventLine(0, 'r', `${Number(term.cols)}x${Number(term.rows)}`);
  } catch {
    return '';
  }
};

const exitCodeOf = (mark: string): number | undefined => {
  const code = /^exit (-?\d+)$/.exec(mark)?.[1];
  return code === undefined ? undefined : Number(code);
};

const withoutSequences = (text: string): string =>
  text.replaceAll(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])/g, '');
