/**
 * Every conversation, on a quiet machine and with both processors busy: is a verdict ever wrong, and
 * how long after the program was really ready does it come?
 *
 * When a program was ready is not taken from ourselves: strace writes down when it entered the call
 * in which it then waits.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../conversations/conversation.ts';
import { type Checkpoint, hold } from '../conversations/hold.ts';
import { conversations } from '../conversations/index.ts';
import { HOLD_TEXT } from '../src/state/when-ready.ts';
import { withBusyProcessors } from './report/busy-processors.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

export const run = async (args: Args): Promise<Report> => {
  const passes = numberFlag(args, 'passes', 2);
  const only = args.flags.only;
  const chosen = conversations.filter(({ name }) => only === undefined || name === only);
  const held = await repeatedly(chosen, passes);
  const heldBusy = await withBusyProcessors(() => repeatedly(chosen, passes));
  const delays = await measured(chosen);

  const slowest = delays
    .filter(({ certainty }) => certainty === 'certain')
    .sort((a, b) => b.ms - a.ms);
  for (const { conversation, step, ms } of slowest.slice(0, 5)) {
    console.error(`slow: ${conversation}, step ${step}: ${ms.toFixed(1)} ms`);
  }

  const all = [...held, ...heldBusy];
  const wrong = all.filter(({ problem }) => problem !== undefined);
  const wronglyCertain = wrong.filter(({ verdict }) => verdict?.certainty === 'certain');
  for (const { conversation, step, problem } of wrong) {
    console.error(`${conversation}, step ${step}: ${problem}`);
  }
  for (const line of holdsOf(held)) console.error(line);
  const row = (machine: string, checkpoints: readonly Checkpoint[]) => ({
    machine,
    checkpoints: checkpoints.length,
    wrong: checkpoints.filter(({ problem }) => problem).length,
    certain: checkpoints.filter(({ verdict }) => verdict?.certainty === 'certain').length,
    likely: checkpoints.filter(({ verdict }) => verdict?.certainty === 'likely').length,
    guess: checkpoints.filter(({ verdict }) => verdict?.certainty === 'guess').length,
    held: checkpoints.filter(isHeld).length,
  });
  const delayRow = (certainty: string) => {
    const ms = delays.filter((delay) => delay.certainty === certainty).map((delay) => delay.ms);
    return {
      machine: `quiet, ${certainty} verdicts under strace`,
      checkpoints: ms.length,
      'median ms': median(ms),
      'p99 ms': quantile(ms, 0.99),
    };
  };
  const certainMs = delays.filter(({ certainty }) => certainty === 'certain').map(({ ms }) => ms);
  const wrongShare = wrong.length / all.length;
  return {
    question: 'Is a verdict ever wrong, and how late does it come?',
    rows: [
      row('quiet', held),
      row('both processors busy', heldBusy),
      delayRow('certain'),
      delayRow('likely'),
    ],
    claims: [
      { claim: 'no certain verdict was wrong', holds: wronglyCertain.length === 0 },
      {
        claim: `${(wrongShare * 100).toFixed(2)} % of all verdicts were wrong, at most 0.5 %`,
        holds: wrongShare <= 0.005,
      },
      { claim: 'half of the certain verdicts come within 2 ms', holds: median(certainMs) <= 2 },
      {
        claim: '99 % of the certain verdicts come within 15 ms',
        holds: quantile(certainMs, 0.99) <= 15,
      },
    ],
  };
};

/** Whether the answer had to wait until the verdict had held for a moment. */
const isHeld = ({ verdict }: Checkpoint): boolean => verdict?.because.endsWith(HOLD_TEXT) ?? false;

/** Which conversations pay that, how often, and why. */
const holdsOf = (checkpoints: readonly Checkpoint[]): string[] => {
  const names = [...new Set(checkpoints.filter(isHeld).map(({ conversation }) => conversation))];
  return names.map((name) => {
    const own = checkpoints.filter(({ conversation }) => conversation === name);
    const held = own.filter(isHeld);
    const reasons = new Set(
      held.map(({ verdict }) => verdict!.because.slice(0, -HOLD_TEXT.length)),
    );
    return `held: ${name}, ${held.length} of ${own.length}: ${[...reasons].join('; ')}`;
  });
};

/** Most of a conversation is waiting: a few at a time keep two processors busy without crowding them. */
const AT_ONCE = 4;

const repeatedly = async (
  chosen: readonly Conversation[],
  passes: number,
): Promise<Checkpoint[]> => {
  const checkpoints: Checkpoint[] = [];
  const queue = Array.from({ length: passes }, () => chosen).flat();
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      checkpoints.push(...(await hold(next)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return checkpoints;
};

interface Delay {
  conversation: string;
  step: number;
  ms: number;
  certainty: string;
}

/**
 * The calls in which a thread can wait, or end: a program is ready when the last of its threads has
 * entered one.
 */
const WAITING_CALLS =
  'read,readv,poll,ppoll,select,pselect6,epoll_wait,epoll_pwait,epoll_pwait2,futex,wait4,waitid,clock_nanosleep,exit,exit_group';

const measured = async (chosen: readonly Conversation[]): Promise<Delay[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-strace-'));
  const trace = join(folder, 'trace');
  const under = `strace -f -ttt -e signal=none -e trace=${WAITING_CALLS} -o ${trace}`;
  const delays: Delay[] = [];
  try {
    for (const conversation of chosen) {
      const checkpoints = await hold(conversation, { under });
      const entries = existsSync(trace) ? entryTimes(readFileSync(trace, 'latin1')) : [];
      rmSync(trace, { force: true });
      for (const [
        at,
        { conversation: name, step, verdict, problem, atMs },
      ] of checkpoints.entries()) {
        // What strace itself disturbs (a debugger, a setuid program) is wrong here and not counted.
        if (problem !== undefined || verdict?.state !== 'waiting') continue;
        const entered = entries.filter((ms) => ms <= atMs).at(-1);
        // Who has entered nothing since the last verdict is not who waits now: of a pipeline, strace
        // sees only the first.
        if (entered === undefined || entered < (checkpoints[at - 1]?.atMs ?? 0)) continue;
        delays.push({ conversation: name, step, ms: atMs - entered, certainty: verdict.certainty });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return delays;
};

/** `PID SECONDS call(…`: when calls were entered, in ms since 1970, in order. */
const entryTimes = (trace: string): number[] =>
  [...trace.matchAll(/^\d+ +(\d+\.\d+) \w+\(/gm)]
    .map(([, seconds]) => Number(seconds) * 1000)
    .sort((a, b) => a - b);
