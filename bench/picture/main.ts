/**
 * What does a picture of a screen cost?
 *
 * Over the screens of test/streams: the time to take it from the emulator, to draw it and to encode it,
 * and its size. The first picture of a process also unpacks the font.
 */
import { join } from 'node:path';
import { drawPng } from '../../src/picture/draw-png.ts';
import { drawSvg } from '../../src/picture/draw-svg.ts';
import { Screen } from '../../src/screen/screen.ts';
import { makeScreenPicture } from '../../src/views/picture.ts';
import { readStreams, type Stream } from '../../test/streams/stream.ts';
import { type Args, median, numberFlag, type Report } from '../report/report.ts';

const folder = join(process.cwd(), 'test/streams');

/** As measured on a machine with two cores: 1 to 10 ms. */
const MOST_MS = 15;
const MOST_BYTES = 20_000;

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 20);
  const streams = readStreams(folder).filter(({ cols, rows }) => cols === 80 && rows === 24);
  const startMs = performance.now();
  await drawPng({ cols: 1, rows: 1, runs: [] });
  const firstMs = performance.now() - startMs;
  const rows: Report['rows'] = [];
  for (const stream of streams) rows.push(await measure(stream, runs));
  const times = rows.map((row) => Number(row['png ms']));
  const sizes = rows.map((row) => Number(row['png bytes']));
  // More colours than a palette holds, which no program of ours uses in earnest.
  const ordinary = sizes.filter((_, at) => rows[at]!.stream !== 'colours');
  return {
    question: 'What does a picture of a screen of 80x24 cost?',
    rows: [{ stream: '(unpacking the font)', 'png ms': firstMs }, ...rows],
    claims: [
      {
        claim: `a PNG takes at most ${MOST_MS} ms (median ${median(times).toFixed(1)}, most ${Math.max(...times).toFixed(1)})`,
        holds: Math.max(...times) <= MOST_MS,
      },
      {
        claim: `it has at most ${MOST_BYTES} bytes (median ${median(ordinary)}, most ${Math.max(...ordinary)})`,
        holds: Math.max(...ordinary) <= MOST_BYTES,
      },
    ],
  };
};

const measure = async (stream: Stream, runs: number) => {
  const screen = fullestScreen(stream);
  const takeTimes: number[] = [];
  const pngTimes: number[] = [];
  let bytes = 0;
  let svgBytes = 0;
  for (let at = 0; at < runs; at++) {
    const startMs = performance.now();
    const picture = makeScreenPicture(screen)!;
    const takenMs = performance.now();
    const png = await drawPng(picture);
    pngTimes.push(performance.now() - takenMs);
    takeTimes.push(takenMs - startMs);
    bytes = png.length;
    svgBytes = Buffer.byteLength(drawSvg(picture));
  }
  return {
    stream: stream.name,
    'take ms': median(takeTimes),
    'png ms': median(pngTimes),
    'png bytes': bytes,
    'svg bytes': svgBytes,
  };
};

/** Many programs leave an empty screen at the end. */
const fullestScreen = ({ cols, rows, events }: Stream): Screen => {
  const fullness = ({ at }: { at: number }) => {
    const event = events[at]!;
    return 'screen' in event ? event.screen.join('').length : 0;
  };
  const moments = events.map((_, at) => ({ at }));
  const last = moments.reduce((one, other) => (fullness(other) > fullness(one) ? other : one)).at;
  const screen = new Screen({ cols, rows });
  for (const event of events.slice(0, last)) {
    if ('output' in event) screen.write(Buffer.from(event.output));
    if ('resize' in event) screen.resize(event.resize.cols, event.resize.rows);
  }
  return screen;
};
