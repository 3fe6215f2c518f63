/** How long from the call to the first byte of a program's output, beside node-pty and in a sandbox. */
import { confineProgram } from '../src/sandbox/confine-program.ts';
import { makeSandbox } from '../src/sandbox/sandbox.ts';
import { openPty } from '../src/system/terminal/pty.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';
import { nodePty } from './versus/installed.ts';

const program = '/bin/echo';
const size = { cols: 80, rows: 24 };
const env = { PATH: process.env.PATH };

/** Resolves to the milliseconds until the first byte, after the program has ended. */
const ours = async (sandbox?: string): Promise<number> => {
  const start = performance.now();
  let first = Number.NaN;
  const onOutput = () => {
    if (Number.isNaN(first)) first = performance.now() - start;
  };
  const asked = { program, args: ['x'], cwd: '/', env };
  const request =
    sandbox === undefined ? asked : await confineProgram(makeSandbox(sandbox, undefined), asked);
  const pty = await openPty({ ...request, ...size, onOutput });
  await pty.exited;
  await pty.close();
  return first;
};

const theirs = (): Promise<number> =>
  new Promise((resolve) => {
    const start = performance.now();
    let first = Number.NaN;
    const pty = nodePty().spawn(program, ['x'], { ...size, cwd: '/', env, encoding: null });
    pty.onData(() => {
      if (Number.isNaN(first)) first = performance.now() - start;
    });
    pty.onExit(() => resolve(first));
  });

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 500);
  const samples = { ours: [] as number[], sandboxed: [] as number[], theirs: [] as number[] };
  await ours();
  await ours('read-only');
  await theirs();
  for (let at = 0; at < runs; at++) {
    samples.ours.push(await ours());
    samples.sandboxed.push(await ours('read-only'));
    // node-pty now and then loses the only line of a program: such a run has no first byte.
    const first = await theirs();
    if (!Number.isNaN(first)) samples.theirs.push(first);
  }
  const row = (library: string, ms: readonly number[]) => ({
    library,
    runs: ms.length,
    'median ms': median(ms),
    'p95 ms': quantile(ms, 0.95),
  });
  const ratio = median(samples.ours) / median(samples.theirs);
  return {
    question: 'How long from open to the first byte?',
    rows: [
      row('repartee', samples.ours),
      row('repartee, in a sandbox', samples.sandboxed),
      row('@lydell/node-pty', samples.theirs),
    ],
    claims: [{ claim: `ratio ${ratio.toFixed(2)} is at most 0.9`, holds: ratio <= 0.9 }],
  };
};
