/** What is done to sessions at random, and what each operation may answer. */
import { setTimeout as delay } from 'node:timers/promises';
import { descendants } from '../../src/pty/process-tree.ts';
import type { OpenOptions } from '../../src/session/options.ts';
import type { Result, Sessions } from '../../src/session/sessions.ts';
import type { Dice } from './dice.ts';
import { type Known, type Model, TAG, tagOf } from './model.ts';

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

const MOST_SESSIONS = 20;
/** A time limit ends a wait; so much later on a machine with others on it. */
const LATE_MS = 5000;

const programs: readonly OpenOptions[] = [
  { command: ['bash', '--norc'] },
  { command: ['python3', '-q'] },
  { command: ['cat'] },
  { command: ['less', '/etc/services'] },
  { command: ['sleep', '1000'] },
  { command: 'seq 1 100000; cat' },
  { command: 'yes | head -c 20000000; cat' },
  { command: "trap '' HUP TERM; echo on; while :; do sleep 0.2; done" },
  { command: '(sleep 1000 &); cat' },
  { command: 'setsid sleep 1000 & cat' },
  { command: 'exit 7' },
  { command: ['cat'], tty: false },
  { command: 'seq 1 100000; sleep 1000', tty: false, stdin: false },
];

const texts = ['1+1', 'echo hi', 'x'.repeat(2000), 'seq 1 5000', 'é ü 漢字 🎉', 'a\nb\nc', ''];
const keys = ['Enter', 'C-c', 'Up Down', 'q', 'Escape', 'C-d', 'C-z', 'PageDown'];
const signals = ['SIGINT', 'SIGTERM', 'SIGWINCH', 'SIGSTOP', 'SIGCONT', 'SIGHUP', 'SIGUSR1'];
const waits = [0, 20, 200];

/** What a call may be refused with when others close and kill what it works on. */
const MEANWHILE = ['PROGRAM_EXITED', 'SESSION_NOT_FOUND', 'INPUT_NOT_TAKEN', 'INPUT_CLOSED'];

const allow = async <T>(
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

const sound = (result: Result | undefined, timeoutMs: number): void => {
  if (result === undefined) return;
  const { state, output, position, elapsedMs } = result;
  if (!['working', 'waiting', 'exited'].includes(state)) throw new Error(`state ${state}`);
  if (typeof output !== 'string') throw new Error(`output ${typeof output}`);
  if (!Number.isInteger(position) || position < 0) throw new Error(`position ${position}`);
  if (elapsedMs > timeoutMs + LATE_MS) throw new Error(`${elapsedMs} ms instead of ${timeoutMs}`);
};

const anyOf = ({ model, dice }: Bench): Known | undefined => dice.pick([...model.alive.values()]);

/** An operation on a session that is there, if there is one. */
const onAny =
  (act: (bench: Bench, known: Known) => Promise<void>): Operation['act'] =>
  async (bench) => {
    const known = anyOf(bench);
    if (known === undefined) return;
    bench.note(known.name);
    await act(bench, known);
  };

let names = 0;
let opening = 0;

const open = async ({ sessions, model, dice, note }: Bench): Promise<void> => {
  if (model.alive.size + opening >= MOST_SESSIONS) return;
  const program = dice.pick(programs);
  const tag = model.nextTag();
  const timeoutMs = dice.pick([0, 50, 500]);
  const name = dice.chance(0.5) ? `named-${names++}` : undefined;
  note(`${program.command}`);
  opening++;
  try {
    const env = { [TAG]: tag };
    const options = { ...program, env, timeoutMs, ...(name !== undefined && { name }) };
    const result = await sessions.open(options);
    note(`as ${result.session}`);
    model.opened({ name: result.session, tag, sort: sortOf(program) });
    sound(result, timeoutMs);
  } finally {
    opening--;
  }
};

const sortOf = ({ tty = true, stdin = true }: OpenOptions): Known['sort'] => {
  if (tty) return 'terminal';
  return stdin ? 'pipes' : 'output only';
};

const send = onAny(async ({ sessions, dice, note }, { name }) => {
  const text = dice.pick(texts);
  const timeoutMs = dice.pick(waits);
  note(`${text.length} characters, ${timeoutMs} ms`);
  sound(await allow(sessions.send(name, { text, timeoutMs }), ['LINE_TOO_LONG']), timeoutMs);
});

const press = onAny(async ({ sessions, dice, note }, { name }) => {
  const pressed = dice.pick(keys);
  const timeoutMs = dice.pick(waits);
  note(`${pressed}, ${timeoutMs} ms`);
  sound(await allow(sessions.send(name, { keys: pressed, timeoutMs })), timeoutMs);
});

const read = onAny(async ({ sessions, dice, note }, { name }) => {
  const view = dice.pick(['text', 'screen', 'diff', 'raw'] as const);
  const reader = dice.pick(['agent', 'other', `reader-${Math.floor(dice.next() * 1000)}`]);
  note(`${view}, ${reader}`);
  sound(await allow(sessions.read(name, { view }, { reader })), 0);
});

const readOften = onAny(async ({ sessions }, { name }) => {
  for (let time = 0; time < 1000; time++) {
    const result = await allow(sessions.read(name));
    sound(result, 0);
    if (result === undefined) return;
  }
});

const resize = onAny(async ({ sessions, dice }, { name }) => {
  await allow(sessions.resize(name, dice.pick([1, 20, 80, 300]), dice.pick([1, 5, 24, 100])));
});

const signal = onAny(async ({ sessions, dice, note }, { name }) => {
  const chosen = dice.pick(signals);
  note(chosen);
  await allow(sessions.signal(name, chosen));
});

/** kill -9 behind the session's back, of its program or of what that has started. */
const kill = onAny(async ({ sessions, dice, note }, { name, tag }) => {
  const summary = (await sessions.list()).find(({ session }) => session === name);
  if (summary === undefined) return;
  const pid = dice.pick(descendants(summary.pid));
  // Ours for sure: the number of a process that has ended may be anybody's.
  if (pid === undefined || tagOf(pid) !== tag) return;
  note(`${pid}`);
  process.kill(pid, 'SIGKILL');
});

const close = onAny(async (bench, known) => {
  const { sessions, model, dice, note } = bench;
  const options = { graceMs: dice.pick([0, 100]), force: dice.chance(0.7) };
  note(JSON.stringify(options));
  const closed = await allow(sessions.close(known.name, options));
  model.closed(known);
  for (const { pid } of closed?.survivors ?? []) model.survivors.add(pid);
  if (options.force && (closed?.survivors.length ?? 0) > 0)
    throw new Error(`survived force: ${JSON.stringify(closed)}`);
});

const closeTwice = onAny(async ({ sessions, model, dice, note }, known) => {
  const atOnce = dice.chance(0.5);
  note(atOnce ? 'at once' : 'one after the other');
  const once = async () => {
    const closed = await allow(sessions.close(known.name, { graceMs: 50, force: true }));
    model.closed(known);
    return closed;
  };
  if (atOnce) await Promise.all([once(), once()]);
  else {
    await once();
    // By now the name may be another session's.
    if (!model.alive.has(known.name) && opening === 0) await once();
  }
});

/** The wait ends at once and with the signal's own reason; the session is as it was. */
const abort = onAny(async ({ sessions, dice, note }, { name }) => {
  const afterMs = dice.pick([0, 5, 50]);
  const until = dice.pick(['exit', 'listening', 'ready'] as const);
  note(`until ${until}, after ${afterMs} ms`);
  const { signal, abortedMs } = abortAfter(afterMs);
  await allow(sessions.wait({ sessions: [name], until, timeoutMs: 30_000 }, { signal }), STOPPED);
  const lateMs = performance.now() - (abortedMs() ?? performance.now());
  if (lateMs > LATE_MS) throw new Error(`heard of the end of patience ${lateMs} ms late`);
});

const STOPPED = ['AbortError'];

const abortAfter = (ms: number) => {
  const controller = new AbortController();
  let at: number | undefined;
  const timer = setTimeout(() => {
    at = performance.now();
    controller.abort();
  }, ms);
  timer.unref();
  return { signal: controller.signal, abortedMs: () => at };
};

const abortSend = onAny(async ({ sessions, dice, note }, { name }) => {
  const afterMs = dice.pick([0, 5, 50]);
  const text = dice.pick(texts);
  note(`${text.length} characters, after ${afterMs} ms`);
  const { signal } = abortAfter(afterMs);
  const call = sessions.send(name, { text, until: 'exit', timeoutMs: 200 }, { signal });
  await allow(call, [...STOPPED, 'LINE_TOO_LONG']);
});

/** Nobody has its result, so it is closed by the name it was to have. */
const abortOpen = async ({ sessions, model, dice, note }: Bench): Promise<void> => {
  const name = `aborted-${names++}`;
  note(name);
  const { signal } = abortAfter(dice.pick([0, 2, 10]));
  const env = { [TAG]: model.nextTag() };
  opening++;
  try {
    await allow(sessions.open({ command: ['sleep', '1000'], name, env }, { signal }), STOPPED);
    await allow(sessions.close(name, { graceMs: 0 }));
  } finally {
    opening--;
  }
};

const waitForAny = async ({ sessions, model, dice, note }: Bench): Promise<void> => {
  if (model.alive.size === 0) return;
  const until = dice.pick(['ready', 'exit', 'output', 'listening'] as const);
  note(until);
  sound(await allow(sessions.wait({ until, timeoutMs: 100 })), 100);
};

const match = onAny(async ({ sessions, dice }, { name }) => {
  const options = { match: dice.pick(['\\d{4}', 'never said', '^$']), timeoutMs: 100 };
  sound(await allow(sessions.read(name, options)), 1000);
});

const subscribe = async ({ sessions }: Bench): Promise<void> => {
  const stop = sessions.subscribe(() => {});
  await delay(20);
  stop();
};

/** Refused by code, and nothing is typed. */
const mistakes = onAny(async ({ sessions, dice, note }, { name }) => {
  const [code, call] = dice.pick<[string, () => Promise<unknown>]>([
    ['SESSION_NOT_FOUND', () => sessions.read('nobody')],
    ['EMPTY_SEND', () => sessions.send(name, {})],
    ['UNKNOWN_KEY', () => sessions.send(name, { keys: 'Banana' })],
    ['UNUSABLE_NUMBER', () => sessions.read(name, { timeoutMs: -1 })],
    ['UNKNOWN_SIGNAL', () => sessions.signal(name, 'SIGBANANA')],
    ['PROGRAM_NOT_FOUND', () => sessions.open({ command: ['no-such-program'] })],
  ]);
  note(code);
  const answer = await allow(call(), [code]);
  if (answer !== undefined) throw new Error(`${code} expected, got ${JSON.stringify(answer)}`);
});

/** Amid all this, somebody has a conversation, and every answer is right and complete. */
const converse = async ({ sessions, model, dice }: Bench): Promise<void> => {
  const name = `talk-${names++}`;
  const env = { [TAG]: model.nextTag() };
  opening++;
  try {
    await sessions.open({ command: ['python3', '-q'], name, env, timeoutMs: 30_000 });
    for (let time = 0; time < 5; time++) {
      const n = Math.floor(dice.next() * 1e9);
      const { output, state } = await sessions.send(name, { text: `${n}+1` });
      if (output !== `${n + 1}` || state !== 'waiting')
        throw new Error(`${n}+1 gave ${JSON.stringify(output)}, ${state}`);
    }
    await sessions.close(name);
  } finally {
    opening--;
  }
};

export const operations: readonly Operation[] = [
  { name: 'open', weight: 6, act: open },
  { name: 'send', weight: 8, act: send },
  { name: 'press', weight: 6, act: press },
  { name: 'read', weight: 8, act: read },
  { name: 'read a thousand times', weight: 0.2, act: readOften },
  { name: 'resize', weight: 3, act: resize },
  { name: 'signal', weight: 3, act: signal },
  { name: 'kill', weight: 3, act: kill },
  { name: 'close', weight: 3, act: close },
  { name: 'close twice', weight: 1, act: closeTwice },
  { name: 'abort a wait', weight: 2, act: abort },
  { name: 'abort a send', weight: 1, act: abortSend },
  { name: 'abort an open', weight: 0.5, act: abortOpen },
  { name: 'wait for any', weight: 1, act: waitForAny },
  { name: 'match', weight: 0.5, act: match },
  { name: 'subscribe', weight: 1, act: subscribe },
  { name: 'make a mistake', weight: 1, act: mistakes },
  { name: 'converse', weight: 0.5, act: converse },
];
