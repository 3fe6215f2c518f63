import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { DAEMON_PROGRAM } from '../helpers/daemon/own-daemon.ts';
import { testWith } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';
import { corpus } from './corpus.ts';
import { startGuardedDaemon } from './guarded-daemon.ts';
import { Arena } from './trial.ts';

/** A sample: `npm run bench hostile` tries all of them, and measures. */
const SAMPLE = [
  'CSI J at 1000x1000',
  'CSI b at 1000x1000',
  'a letter with 20 marks at 1000x1000',
  'a letter with a hidden mark at 1000x1000',
  'insert lines (IL) at 1000x1000',
  'reset (RIS) at 1000x1000',
  'insert mode (IRM) at 1000x1000',
  'erase in display (ED) at 100x10000',
  'one line without an end at 65535x15',
  'questions that are answered at 80x24',
  'a title that never ends',
  'from tall to large and back, with long lines',
  'forty that leave after their parents have ended',
  'forty that leave after their parents have ended, closed by force',
  'forty that leave without a mark after their parents have ended',
  'one that has left and forks itself anew, closed by force',
  'a tree of processes that ignore all but SIGKILL, closed by force',
  'names with escape sequences',
  'a prompt that resets the terminal',
];
const TRIAL_MS = 150;
/** Of the daemon, when nobody collects garbage in time. What was mended took gigabytes. */
const MAX_MEGABYTES = 600;

describe('an honest session goes on, and a hostile one can be closed', () => {
  let arena: Arena;
  beforeAll(async () => {
    arena = await Arena.open(await startGuardedDaemon(DAEMON_PROGRAM));
  });
  afterAll(() => arena.end());

  testWith('python3', 'setpriv').each(SAMPLE)('%s', async (name) => {
    const hostile = corpus.find((each) => each.name === name)!;
    const { problems, peakMegabytes } = await arena.try(hostile, TRIAL_MS);
    expect(problems).toEqual([]);
    expect(peakMegabytes).toBeLessThan(MAX_MEGABYTES);
    expect(arena.daemon.isRunning()).toBe(true);
  });
});

test('the watchdog ends a daemon that takes too much memory', async () => {
  // Node alone takes more.
  const daemon = await startGuardedDaemon(DAEMON_PROGRAM, 30);
  onTestFinished(() => daemon.end());
  await until('the daemon is gone', () => !daemon.isRunning());
});

test('the corpus has at least a hundred cases, each with a name of its own', () => {
  expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
  expect(corpus.length).toBeGreaterThan(100);
});
