/**
 * asciicast, the format of recordings: a header, then one event per line. Version 3 is written;
 * versions 2 and 3 are read. https://docs.asciinema.org/manual/asciicast/v3/
 *
 * A comment names the actor of the input after it, and who that is: `# {"actor":"agent","caller":{…}}`.
 * Another, after the header, says who opened the session: `# {"openedBy":{…}}`. Other players skip
 * comments.
 * `# {"actor":"agent","hidden":true}` stands for input that was not recorded.
 */
import { createReadStream } from 'node:fs';
import { NotARecording } from '../../errors.ts';
import type { Caller } from '../caller.ts';

export interface CastHeader {
  cols: number;
  rows: number;
  /** The value of TERM. */
  term?: string;
  /** In seconds since 1970. */
  timestamp?: number;
  command?: string;
  title?: string;
}

/** `o` output, `i` input, `r` a new size such as `80x24`, `m` a mark, `x` the exit status. */
export interface CastEvent {
  atMs: number;
  /** `hidden`: input that was not recorded; `data` is the name of the secret, if it was one. */
  code: 'o' | 'i' | 'r' | 'm' | 'x' | 'hidden' | (string & {});
  data: string;
  /** Who typed an input, if known. */
  actor?: string;
}

export interface CastNote {
  actor: string;
  caller?: Caller;
  hidden?: true;
  secret?: string;
}

export const castHeaderLine = ({ cols, rows, term, ...rest }: CastHeader): string =>
  `${JSON.stringify({ version: 3, term: { cols, rows, type: term }, ...rest })}\n`;

/** `intervalMs`: the time since the event before. */
export const castEventLine = (intervalMs: number, code: string, data: string): string =>
  `[${(intervalMs / 1000).toFixed(3)},${JSON.stringify(code)},${JSON.stringify(data)}]\n`;

export const castNoteLine = (note: CastNote | { openedBy: Caller }): string =>
  `# ${JSON.stringify(note)}\n`;

export const readHeader = async (path: string): Promise<CastHeader> => {
  for await (const { text } of linesOf(path)) return parseHeader(path, text).header;
  throw new NotARecording(path, 'it is empty');
};

/** All events in order, with their time since the start. A last line that was cut off is skipped. */
export async function* readEvents(path: string): AsyncGenerator<CastEvent> {
  let version = 0;
  let atMs = 0;
  let actor: string | undefined;
  for await (const { number, text, isWhole } of linesOf(path)) {
    if (version === 0) version = parseHeader(path, text).version;
    else if (text.startsWith('#')) {
      const note = parseNote(text);
      actor = note?.actor ?? actor;
      if (note?.hidden) yield { atMs, code: 'hidden', data: note.secret ?? '', actor: note.actor };
    } else if (text.trim() !== '') {
      const event = parseEvent(text);
      if (event === undefined && !isWhole) return;
      if (event === undefined) throw new NotARecording(path, `line ${number} is no event`);
      const [time, code, data] = event;
      atMs = version === 3 ? atMs + time * 1000 : time * 1000;
      yield { atMs, code, data, ...(code === 'i' && actor !== undefined && { actor }) };
    }
  }
}

const parseHeader = (path: string, line: string): { header: CastHeader; version: number } => {
  const parsed = asObject(parseJson(line));
  if (parsed === undefined) throw new NotARecording(path, 'its first line is no header');
  const { version, width, height, timestamp, command, title } = parsed;
  const term = asObject(parsed.term) ?? {};
  const env = asObject(parsed.env) ?? {};
  if (version !== 2 && version !== 3)
    throw new NotARecording(path, `it is of version ${JSON.stringify(version)}`);
  const [cols, rows, type] =
    version === 3 ? [term.cols, term.rows, term.type] : [width, height, env.TERM];
  if (!isSize(cols) || !isSize(rows)) throw new NotARecording(path, 'its header has no size');
  const header: CastHeader = {
    cols,
    rows,
    ...(typeof type === 'string' && { term: type }),
    ...(typeof timestamp === 'number' && { timestamp }),
    ...(typeof command === 'string' && { command }),
    ...(typeof title === 'string' && { title }),
  };
  return { header, version };
};

const isSize = (count: unknown): count is number =>
  Number.isInteger(count) && (count as number) > 0 && (count as number) <= 65535;

const parseEvent = (line: string): [number, string, string] | undefined => {
  const event = parseJson(line);
  if (!Array.isArray(event)) return undefined;
  const [time, code, data] = event as unknown[];
  const isEvent = typeof time === 'number' && typeof code === 'string' && typeof data === 'string';
  return isEvent ? [time, code, data] : undefined;
};

/** Undefined for comments that are not ours. */
const parseNote = (line: string): CastNote | undefined => {
  const { actor, hidden, secret } = asObject(parseJson(line.slice(1))) ?? {};
  if (typeof actor !== 'string') return undefined;
  return {
    actor,
    ...(hidden === true && { hidden }),
    ...(typeof secret === 'string' && { secret }),
  };
};

/** Undefined if the text is not JSON. */
const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const asObject = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

/** No event is this large. Without a limit, any large file would be read into memory. */
const MAX_LINE_CHARS = 64 * 1024 * 1024;

interface Line {
  number: number;
  text: string;
  /** Whether it ends with a line feed. */
  isWhole: boolean;
}

/** Does not use `readline`, which treats U+2028 within an event as the end of a line. */
async function* linesOf(path: string): AsyncGenerator<Line> {
  let number = 0;
  let rest = '';
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) {
    const lines = (chunk as string).split('\n');
    const last = lines.pop()!;
    for (const text of lines) {
      yield { number: ++number, text: rest + text, isWhole: true };
      rest = '';
    }
    rest += last;
    if (rest.length > MAX_LINE_CHARS)
      throw new NotARecording(path, `line ${number + 1} has no end`);
  }
  if (rest !== '') yield { number: ++number, text: rest, isWhole: false };
}
