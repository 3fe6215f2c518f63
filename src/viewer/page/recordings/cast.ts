/** A recording in the browser: an asciicast of version 2 or 3, as far as it can be read. */

export interface PlayedEvent {
  atMs: number;
  code: string;
  data: string;
}

export interface PlayedMark {
  atMs: number;
  label: string;
  /** A command began here; the others are ends and marks of other tools. */
  isCommand: boolean;
  isFailed: boolean;
}

export interface PlayedCast {
  cols: number;
  rows: number;
  title: string;
  events: readonly PlayedEvent[];
  marks: readonly PlayedMark[];
  durationMs: number;
  /** What could not be read. */
  trouble?: string;
}

export const parseCast = (text: string): PlayedCast => {
  const lines = text.split('\n');
  const header = asRecord(parseJson(lines[0] ?? ''));
  const version = Number(header?.version);
  const term = asRecord(header?.term);
  const cols = Number(version === 3 ? term?.cols : header?.width);
  const rows = Number(version === 3 ? term?.rows : header?.height);
  if ((version !== 2 && version !== 3) || !(cols > 0 && rows > 0))
    throw new Error('This is no recording: its first line is no header of an asciicast.');
  const events: PlayedEvent[] = [];
  let atMs = 0;
  let lost = 0;
  for (const [index, line] of lines.slice(1).entries()) {
    if (line === '' || line.startsWith('#')) continue;
    const [time, code, data] = asEvent(parseJson(line)) ?? [];
    if (time === undefined || code === undefined || data === undefined) {
      // The last line may have been cut off.
      if (index < lines.length - 2) lost++;
      continue;
    }
    atMs = version === 3 ? atMs + time * 1000 : time * 1000;
    events.push({ atMs, code, data });
  }
  return {
    ...{ cols, rows, events, marks: marksOf(events), durationMs: atMs },
    title: typeof header?.title === 'string' ? header.title : '',
    ...(lost > 0 && { trouble: `${lost} lines of it are damaged, and are left out.` }),
  };
};

const marksOf = (events: readonly PlayedEvent[]): PlayedMark[] => {
  let typed = '';
  const marks: PlayedMark[] = [];
  for (const { atMs, code, data } of events) {
    if (code === 'i') typed = /[\r\n]/.test(typed) ? data : typed + data;
    if (code !== 'm') continue;
    const isCommand = data === 'command';
    const label = isCommand ? typed.replace(/[\x00-\x1f].*/s, '').trim() || 'command' : data;
    marks.push({ atMs, label, isCommand, isFailed: /^exit [^0]/.test(data) });
  }
  return marks;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;

const asEvent = (value: unknown): [number, string, string] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const [time, code, data] = value as unknown[];
  const isEvent = typeof time === 'number' && typeof code === 'string' && typeof data === 'string';
  return isEvent ? [time, code, data] : undefined;
};
