/** What every operation is made with, and what any of them may be answered. */
import type { SessionResult, Sessions } from '../../src/session/sessions.ts';
import type { Dice } from './dice.ts';
import type { Known, Model } from './model.ts';

/** What an operation works on. Everything is said to `note`, so that a failure has a history. */
export interface Bench {
  sessions: Sessions;
  model: Model;
  dice: Dice;
  note(what: string): void;
}

export interface Operation {
  name: string;
  weight: number;
  act(bench: Bench): Promise<void>;
}

/** A time limit ends a wait; so much later where ten others want the same two processors. */
export const LATE_MS = 20_000;

/** What a call may be refused with when others close and kill what it works on. */
const MEANWHILE = ['PROGRAM_EXITED', 'SESSION_NOT_FOUND', 'INPUT_NOT_TAKEN', 'INPUT_CLOSED'];

export const allow = async <T>(
  call: Promise<T>,
  codes: readonly string[] = [],
): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown };
    if ([...MEANWHILE, ...codes].some((allowed) => allowed === code || allowed === name))
      return undefined;
    throw error;
  }
};

export const sound = (result: SessionResult | undefined, timeoutMs: number): void => {
  if (result === undefined) return;
  const { state, output, position, elapsedMs } = result;
  if (!['working', 'waiting', 'exited'].includes(state)) throw new Error(`state ${state}`);
  if (typeof output !== 'string') throw new Error(`output ${typeof output}`);
  if (!Number.isInteger(position) || position < 0) throw new Error(`position ${position}`);
  if (elapsedMs > timeoutMs + LATE_MS) throw new Error(`${elapsedMs} ms instead of ${timeoutMs}`);
};

const anyOf = ({ model, dice }: Bench): Known | undefined => dice.pick([...model.alive.values()]);

/** An operation on a session that is there, if there is one. */
export const onAny =
  (act: (bench: Bench, known: Known) => Promise<void>): Operation['act'] =>
  async (bench) => {
    const known = anyOf(bench);
    if (known === undefined) return;
    bench.note(known.name);
    await act(bench, known);
  };

let names = 0;
/** A name that no other session has had. */
export const newName = (what: string) => `${what}-${names++}`;

/** Sessions that somebody has begun to open, or keeps to himself: the model does not know them. */
export const unknown = { count: 0 };

export const texts = [
  '1+1',
  'echo hi',
  'x'.repeat(2000),
  'seq 1 5000',
  'é ü 漢字 🎉',
  'a\nb\nc',
  '',
];
