/** Many sessions: how long to open one, how much memory, and do floods elsewhere delay an answer? */
import { LocalSessions } from '../src/session/local-sessions.ts';
import { type Args, median, quantile, type Report } from './report/report.ts';

const COUNTS = [10, 100, 500, 1000];
const FLOODS = [0, 1, 10, 50];
const EXCHANGES = 200;

/** Every session shall have scrolled and been read, as a used one has. */
const use = { text: 'seq 1 100' };
const bash = { command: ['bash', '--norc'], env: { PS1: '$ ' } };

export const run = async (_args: Args): Promise<Report> => {
  const rows: Report['rows'] = [];
  let memoryAt500 = 0;
  for (const count of COUNTS) {
    const { openMs, megabytes } = await many(count);
    if (count === 500) memoryAt500 = megabytes;
    rows.push({ sessions: count, 'open ms, median': openMs, 'MB each': megabytes });
  }
  let p95At10 = 0;
  for (const floods of FLOODS) {
    const times = await amidFloods(floods);
    if (floods === 10) p95At10 = quantile(times, 0.95);
    rows.push({
      sessions: `1, while ${floods} others flood`,
      'exchange ms, median': median(times),
      'exchange ms, p95': quantile(times, 0.95),
    });
  }
  return {
    question: 'What do many sessions cost, and do they delay one another?',
    rows,
    claims: [
      {
        claim: `at 500, ${memoryAt500.toFixed(2)} MB each is at most 0.6`,
        holds: memoryAt500 <= 0.6,
      },
      {
        claim: `beside 10 floods, ${p95At10.toFixed(1)} ms at the 95th percentile is at most 25`,
        holds: p95At10 <= 25,
      },
    ],
  };
};

const many = async (count: number) => {
  await using sessions = new LocalSessions({ maxSessions: count });
  global.gc?.();
  const before = process.memoryUsage().rss;
  const times: number[] = [];
  for (let at = 0; at < count; at++) {
    const started = performance.now();
    // Not until it is ready: that is bash's time, and the opening of the next need not wait for it.
    await sessions.open({ ...bash, timeoutMs: 0 });
    times.push(performance.now() - started);
  }
  const names = (await sessions.list()).map(({ session }) => session);
  for (const name of names) await sessions.send(name, { ...use, until: 'output' });
  await Promise.all(
    names.map((name) => sessions.read(name, { until: 'ready', timeoutMs: 10_000 })),
  );
  global.gc?.();
  const megabytes = (process.memoryUsage().rss - before) / count / 2 ** 20;
  return { openMs: median(times), megabytes };
};

const amidFloods = async (floods: number): Promise<number[]> => {
  await using sessions = new LocalSessions();
  for (let at = 0; at < floods; at++) await sessions.open({ command: ['yes'], timeoutMs: 0 });
  await sessions.open({ command: ['python3', '-q'] });
  const times: number[] = [];
  for (let at = 0; at < EXCHANGES; at++) {
    const started = performance.now();
    await sessions.send('python3', { text: `${at}+1` });
    times.push(performance.now() - started);
  }
  return times;
};
