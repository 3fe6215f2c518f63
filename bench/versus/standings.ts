/** Attempts, made into a table: one row a task, one cell a tool. */
import type { Attempt } from './contest.ts';
import type { Peer } from './peer.ts';
import type { Task } from './task.ts';

export interface Cell {
  peer: Peer;
  right: boolean;
  cannot: boolean;
  told: boolean;
  /** The median over all rounds. */
  value: number | undefined;
  /** Of times: how many times ours. */
  ratio: number | undefined;
  shown: string;
  /** What was wrong, or is worth knowing. */
  note: string | undefined;
}

export interface Row {
  task: Task;
  /** Ours is the first. */
  cells: readonly Cell[];
  /** Who is right and faster than we are. */
  faster: readonly string[];
}

const TIMES: readonly Task['unit'][] = ['ms', 'total ms'];

/** Less than this is the jitter of a shared machine and not a difference. */
const SAME_WITHIN = 1.1;

export const standings = (
  attempts: readonly Attempt[],
  tasks: readonly Task[],
  peers: readonly Peer[],
): Row[] =>
  tasks.map((task) => {
    const all = attempts.filter((attempt) => attempt.task === task.id);
    const ours = summary(all.filter(({ peer }) => peer === peers[0]?.name));
    const cells = peers.map((peer) => cell(task, peer, all, ours));
    const isTime = TIMES.includes(task.unit);
    const faster = cells.filter(
      ({ right, ratio }) => isTime && right && ratio !== undefined && ratio * SAME_WITHIN < 1,
    );
    return { task, cells, faster: faster.map(({ peer }) => peer.name) };
  });

interface Summary {
  rounds: number;
  rightRounds: number;
  value: number | undefined;
}

const summary = (attempts: readonly Attempt[]): Summary => {
  const right = attempts.filter((attempt) => attempt.right);
  const values = (right.length > 0 ? right : attempts)
    .map(({ value }) => value)
    .filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  return {
    rounds: attempts.length,
    rightRounds: right.length,
    value: values.length > 0 ? median(values) : undefined,
  };
};

const cell = (task: Task, peer: Peer, all: readonly Attempt[], ours: Summary): Cell => {
  const attempts = all.filter((attempt) => attempt.peer === peer.name);
  const { rounds, rightRounds, value } = summary(attempts);
  const right = rounds > 0 && rightRounds === rounds;
  const cannot = attempts.some((attempt) => attempt.cannot);
  const told = attempts.some((attempt) => attempt.told);
  const isTime = TIMES.includes(task.unit);
  const ratio =
    isTime && value !== undefined && ours.value !== undefined && ours.rightRounds > 0
      ? value / ours.value
      : undefined;
  const bad = attempts.find((attempt) => !attempt.right);
  const note = (bad ?? attempts.at(-1))?.note;
  const number = shownNumber(task, value, ratio, all[0]?.peer === peer.name || ratio === 1);
  const mark = cannot
    ? 'cannot'
    : right
      ? 'yes'
      : rightRounds > 0
        ? `${rightRounds} of ${rounds}`
        : 'no';
  const measured = rightRounds > 0 || task.unit === 'processes' ? number : '';
  const shown = [mark, measured].filter((part) => part !== '').join(' ');
  return { peer, right, cannot, told, value, ratio, note, shown: told ? `${shown} †` : shown };
};

const shownNumber = (
  task: Task,
  value: number | undefined,
  ratio: number | undefined,
  isOurs: boolean,
): string => {
  if (value === undefined) return '';
  if (ratio !== undefined) return isOurs ? `${short(value)} ms` : `${short(ratio)}×`;
  // Where we are wrong there is nothing to be a multiple of.
  if (TIMES.includes(task.unit)) return `${short(value)} ms`;
  return `${Math.round(value).toLocaleString('en')} ${task.unit}`;
};

/** Of an even number the middle between both: of two rounds neither is the truth. */
const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return (sorted[Math.ceil(half) - 1]! + sorted[Math.floor(half)]!) / 2;
};

/** Three digits are more than a shared machine knows. */
const short = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 10) return Math.round(value).toLocaleString('en');
  return value.toFixed(size < 1 ? 2 : 1);
};
