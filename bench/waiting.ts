/** What does it cost to wait for many sessions at once, and to have many that nobody waits for? */
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Talk } from '../conversations/talk.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

const env = { PATH: '/usr/bin:/bin', TERM: 'xterm-256color', HOME: tmpdir() };
const MEASURE_MS = 5000;
const LIMIT_MS = 10_000;

const open = (program: string, ...args: string[]) =>
  Talk.open({ program, args, cwd: tmpdir(), env });

const openMany = async (count: number, program: string, ...args: string[]): Promise<Talk[]> => {
  const talks: Talk[] = [];
  for (let at = 0; at < count; at++) talks.push(await open(program, ...args));
  return talks;
};

/** The share of one processor that this process uses meanwhile. */
const cpuShare = async (work: () => Promise<unknown>): Promise<number> => {
  const before = process.cpuUsage();
  const started = performance.now();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - started);
};

const exchanges = async (talk: Talk, count: number): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const started = performance.now();
    await talk.write(`${n}+1\r`);
    await talk.ready(LIMIT_MS);
    times.push(performance.now() - started);
  }
  return times;
};

/** Programs that become ready without a word, while others are waited for: how late is it known? */
const silentReadiness = async (count: number): Promise<number[]> => {
  const late: number[] = [];
  const script = 'import time; time.sleep(1.5); t = time.time(); input(); print(t * 1000)';
  const talks = await openMany(count, 'python3', '-c', script);
  await Promise.all(
    talks.map(async (talk) => {
      await talk.ready(LIMIT_MS);
      const knownMs = performance.timeOrigin + performance.now();
      await talk.write('\r');
      await talk.pty.ended;
      late.push(knownMs - Number.parseFloat(talk.text().trim().split('\n').at(-1)!));
      await talk.close();
    }),
  );
  return late;
};

export const run = async (args: Args): Promise<Report> => {
  const waited = numberFlag(args, 'waited', 200);
  const idle = numberFlag(args, 'idle', 1000);

  const python = await open('python3', '-q');
  await python.ready(LIMIT_MS);
  const alone = await exchanges(python, 300);
  const silentAlone = await silentReadiness(8);

  const sleepers = await openMany(waited, 'sleep', '1000');
  const waits = sleepers.map((talk) => talk.ready(600_000));
  const waitingShare = await cpuShare(() => delay(MEASURE_MS));
  const beside = await exchanges(python, 300);
  const silentBeside = await silentReadiness(8);
  await Promise.all(sleepers.map((talk) => talk.close()));
  await Promise.all(waits);

  const cats = await openMany(idle, 'cat');
  const idleShare = await cpuShare(() => delay(MEASURE_MS));
  await Promise.all([...cats, python].map((talk) => talk.close()));

  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  const latency = (times: readonly number[], silent: readonly number[]) => ({
    'exchange median ms': median(times),
    'exchange p95 ms': quantile(times, 0.95),
    'silent readiness, worst ms': Math.max(...silent),
  });
  return {
    question: 'What does waiting cost?',
    rows: [
      { sessions: 'one, waited for', ...latency(alone, silentAlone) },
      {
        sessions: `${waited} more at work, all waited for`,
        CPU: percent(waitingShare),
        ...latency(beside, silentBeside),
      },
      { sessions: `${idle} idle, nobody waits`, CPU: percent(idleShare) },
    ],
    claims: [
      { claim: `${idle} idle sessions take under 1 % of a processor`, holds: idleShare < 0.01 },
    ],
  };
};
