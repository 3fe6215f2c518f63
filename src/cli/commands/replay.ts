import type { CliCommand } from '../command.ts';
import { printJson } from '../output/print-result.ts';
import { parseDuration, parseOptions, UsageError } from '../parse-args.ts';

/** Longer pauses are cut, whether a person was thinking or a build was running: nothing is to be seen. */
const IDLE_LIMIT = '2s';
const MAX_SPEED = 1000;

export const replayCommand: CliCommand = {
  name: 'replay',
  summary: 'play the recording of a session, or any asciicast file',
  usage: 'NAME|FILE [--speed N] [--idle-limit T] [--json]',
  options: {
    '--speed N': 'so many times as fast (default 1)',
    '--idle-limit T': `times in which nothing happens last this long at most (default ${IDLE_LIMIT})`,
    '--json': 'print facts about the recording, and play nothing',
  },
  notes: [
    'NAME is a session: its latest recording is played. FILE is an asciicast of version 2 or 3.',
    'Space pauses and goes on, ] and [ go to the next mark and the one before, q leaves.',
    'Where the output is no terminal, all of it is written at once.',
  ],
  examples: [
    ['repartee replay bash', 'what happened in session bash'],
    ['repartee replay demo.cast --speed 4 --idle-limit 500ms', ''],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: {
        speed: { type: 'string', default: '1' },
        'idle-limit': { type: 'string', default: IDLE_LIMIT },
        json: { type: 'boolean', default: false },
      },
    });
    const [name, ...more] = positionals;
    if (name === undefined || more.length > 0)
      throw new UsageError('Which recording? For example: repartee replay bash');
    const speed = Number(values.speed);
    if (!(speed > 0 && speed <= MAX_SPEED))
      throw new UsageError(`--speed ${values.speed}: a number above 0, up to ${MAX_SPEED}.`);
    const [{ findRecording }, { readRecordingTimeline }] = await Promise.all([
      import('../replay/find-recording.ts'),
      import('../replay/timeline.ts'),
    ]);
    const files = findRecording(name);
    const timeline = await readRecordingTimeline(
      files,
      parseDuration('--idle-limit', values['idle-limit']),
    );
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
    const { playInTerminal } = await import('../replay/player-ui.ts');
    return playInTerminal(name, timeline, speed);
  },
};
