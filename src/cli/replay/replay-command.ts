import { defineCommand } from '../command.ts';
import { printJson } from '../output/print-result.ts';
import { writePicture } from '../output/write-picture.ts';
import { parseDuration, UsageError } from '../parse-args.ts';

const MAX_SPEED = 1000;

const parseSpeed = (flag: string, text: string): number => {
  const speed = Number(text);
  if (!(speed > 0 && speed <= MAX_SPEED))
    throw new UsageError(`${flag} ${text}: a number above 0, up to ${MAX_SPEED}.`);
  return speed;
};

export const replayCommand = defineCommand({
  name: 'replay',
  summary: 'play the recording of a session, or any asciicast file',
  words: [{ usage: 'NAME|FILE', recordings: true, paths: 'files' }],
  options: {
    speed: { value: 'N', parse: parseSpeed, default: '1', description: 'so many times as fast' },
    'idle-limit': {
      value: 'T',
      parse: parseDuration,
      default: '2s',
      // Whether a person thought or a build ran meanwhile: there is nothing to see.
      description: 'times in which nothing happens last this long at most',
    },
    svg: {
      value: 'FILE',
      paths: 'files',
      description: 'draw it into this file, as a picture that moves, and play nothing',
    },
    json: { description: 'print facts about the recording, and play nothing' },
  },
  notes: [
    'NAME is a session: its latest recording is played; `repartee recordings` lists all. FILE is an asciicast of version 2 or 3.',
    'Space pauses and goes on, ] and [ go to the next mark and the one before, q leaves.',
    'Where the output is no terminal, all of it is written at once.',
  ],
  examples: [
    ['repartee replay bash', 'what happened in session bash'],
    ['repartee replay demo.cast --speed 4 --idle-limit 500ms', ''],
    ['repartee replay bash --svg bash.svg', 'for a page that shows it'],
  ],
  async run({ values, words: [name, ...more] }) {
    if (name === undefined || more.length > 0)
      throw new UsageError('Which recording? For example: repartee replay bash');
    const [{ findRecording }, { readRecordingTimeline }] = await Promise.all([
      import('./find-recording.ts'),
      import('./timeline.ts'),
    ]);
    const files = findRecording(name);
    const timeline = await readRecordingTimeline(files, values['idle-limit']);
    if (values.svg !== undefined) {
      const [{ framesOfRecording }, { drawMovingSvg }] = await Promise.all([
        import('./recording-frames.ts'),
        import('../../picture/draw-svg.ts'),
      ]);
      const svg = drawMovingSvg(framesOfRecording(name, timeline, values.speed));
      return writePicture(values.svg, svg, values);
    }
    if (values.json) {
      const { cols, rows, durationMs, marks, events } = timeline;
      const times = marks.map(({ atMs, label }) => ({ at_ms: Math.round(atMs), label }));
      const exit = events.findLast(({ code }) => code === 'x');
      printJson({
        files,
        cols,
        rows,
        duration_ms: Math.round(durationMs),
        marks: times,
        ...(exit && { exit_status: Number(exit.data) }),
      });
      return 0;
    }
    if (!process.stdout.isTTY) {
      for (const { code, data } of timeline.events) if (code === 'o') process.stdout.write(data);
      return 0;
    }
    const { playInTerminal } = await import('./player-ui.ts');
    return playInTerminal(name, timeline, values.speed);
  },
});
