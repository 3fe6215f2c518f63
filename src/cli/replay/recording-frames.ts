/** A recording as frames: its screen, as often as a change is to be seen. */
import { NotARecording, PictureTooLarge } from '../../errors.ts';
import type { MovingPicture, PictureFrame } from '../../picture/draw-svg.ts';
import { Screen } from '../../screen/screen.ts';
import { makeScreenPicture } from '../../views/picture.ts';
import type { RecordingTimeline } from './timeline.ts';

/** Frames closer to one another look like one, and each costs kilobytes. */
const FRAME_MS = 120;
/** A browser shows no more without effort. In a longer recording they are further apart. */
const MAX_FRAMES = 2000;
/** To read the last screen before it begins anew. */
const LAST_MS = 6000;

/** `name`: of the recording, for errors. */
export const framesOfRecording = (
  name: string,
  { cols, rows, events, durationMs }: RecordingTimeline,
  speed = 1,
): MovingPicture => {
  const frameMs = Math.max(FRAME_MS * speed, durationMs / MAX_FRAMES);
  const screen = new Screen({ cols, rows });
  const size = { cols, rows };
  const shown: PictureFrame[] = [];
  const drawn = events.filter(({ code }) => code === 'o' || code === 'r');
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const [at, { code, data, atMs }] of drawn.entries()) {
    if (code === 'o') screen.write(Buffer.from(data));
    else resizeScreen(screen, data, size);
    const nextMs = drawn[at + 1]?.atMs ?? Number.POSITIVE_INFINITY;
    if (nextMs - atMs < frameMs && atMs - lastMs < frameMs) continue;
    const picture = makeScreenPicture(screen);
    if (picture === undefined) throw new PictureTooLarge(screen.modes.cols, screen.modes.rows);
    shown.push({ atMs: atMs / speed, runs: picture.runs });
    lastMs = atMs;
  }
  screen.dispose();
  const frames = fromFirstShown(shown);
  if (frames.length === 0) throw new NotARecording(name, 'nothing is to be seen in it');
  return { ...size, frames, durationMs: frames.at(-1)!.atMs + LAST_MS };
};

/** `largest`: the size of the picture, which grows with it. */
const resizeScreen = (screen: Screen, data: string, largest: { cols: number; rows: number }) => {
  const [, cols, rows] = /^(\d+)x(\d+)$/.exec(data)?.map(Number) ?? [];
  if (cols === undefined || rows === undefined) return;
  screen.resize(cols, rows);
  largest.cols = Math.max(largest.cols, cols);
  largest.rows = Math.max(largest.rows, rows);
};

/** A page that shows the picture without moving it would show an empty one. */
const fromFirstShown = (frames: readonly PictureFrame[]): PictureFrame[] => {
  const first = frames.findIndex(({ runs }) =>
    runs.some((row) => row.some(({ text }) => text.trim() !== '')),
  );
  if (first === -1) return [];
  const startMs = frames[first]!.atMs;
  return frames.slice(first).map(({ atMs, runs }) => ({ atMs: atMs - startMs, runs }));
};
