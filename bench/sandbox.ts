/** How much a sandbox adds to the time from open to the first byte, in turns. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confineProgram } from '../src/sandbox/confine-program.ts';
import { makeSandbox } from '../src/sandbox/sandbox.ts';
import { openPty } from '../src/system/terminal/pty.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

const size = { cols: 80, rows: 24 };

/** Resolves to the milliseconds until the first byte, after the program has ended. */
const open = async (profile: string | undefined, cwd: string): Promise<number> => {
  const start = performance.now();
  let first = Number.NaN;
  const onOutput = () => {
    if (Number.isNaN(first)) first = performance.now() - start;
  };
  const asked = { program: '/bin/echo', args: ['x'], cwd, env: { PATH: process.env.PATH } };
  const request =
    profile === undefined ? asked : await confineProgram(makeSandbox(profile, cwd), asked);
  const pty = await openPty({ ...request, ...size, onOutput });
  await pty.exited;
  await pty.close();
  return first;
};

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 200);
  const cwd = mkdtempSync(join(tmpdir(), 'repartee-'));
  const samples = new Map<string | undefined, number[]>(
    [undefined, 'workspace', 'read-only', 'offline'].map((profile) => [profile, []]),
  );
  try {
    for (const profile of samples.keys()) await open(profile, cwd);
    for (let at = 0; at < runs; at++)
      for (const [profile, ms] of samples) ms.push(await open(profile, cwd));
  } finally {
    rmSync(cwd, { recursive: true });
  }
  return {
    question: 'What does a sandbox add to the time from open to the first byte?',
    rows: [...samples].map(([profile = 'none', ms]) => ({
      sandbox: profile,
      runs: ms.length,
      'median ms': median(ms),
      'p95 ms': quantile(ms, 0.95),
    })),
    claims: [],
  };
};
