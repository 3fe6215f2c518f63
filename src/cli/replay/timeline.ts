/** Reads a recording into memory: its events with their times, and long pauses shortened. */
import { type CastEvent, readEvents, readHeader } from '../../session/recording/asciicast.ts';

export interface RecordingTimeline {
  cols: number;
  rows: number;
  events: readonly CastEvent[];
  marks: readonly Mark[];
  durationMs: number;
}

interface Mark {
  atMs: number;
  label: string;
  /** The index of its event. */
  index: number;
}

export const readRecordingTimeline = async (
  files: readonly string[],
  idleLimitMs: number,
): Promise<RecordingTimeline> => {
  const events: CastEvent[] = [];
  let size: { cols: number; rows: number } | undefined;
  let atMs = 0;
  for (const file of files) {
    const { cols, rows } = await readHeader(file);
    // Each further part has its own size, and begins with the whole screen.
    if (size !== undefined) events.push({ atMs, code: 'r', data: `${cols}x${rows}` });
    size ??= { cols, rows };
    let lastMs = 0;
    for await (const event of readEvents(file)) {
      atMs += Math.min(Math.max(0, event.atMs - lastMs), idleLimitMs);
      lastMs = event.atMs;
      events.push({ ...event, atMs });
    }
  }
  const marks = events.flatMap(({ code, data, atMs }, index) =>
    code === 'm' ? [{ atMs, label: data, index }] : [],
  );
  return { ...(size ?? { cols: 80, rows: 24 }), events, marks, durationMs: atMs };
};
