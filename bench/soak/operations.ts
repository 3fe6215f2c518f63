/** What is done to sessions at random, and what each operation may answer. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OpenOptions } from '../../src/session/options/options.ts';
import { descendantPids } from '../../src/system/process/process-tree.ts';
import { abortOpen, abortSend, abortWait } from './aborts.ts';
import {
  allow,
  type Bench,
  newName,
  type Operation,
  onAny,
  sound,
  texts,
  unknown,
} from './hand.ts';
import { type Known, TAG, tagOf } from './model.ts';

const MOST_SESSIONS = 20;
const READ_OFTEN_MS = 5000;

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
  // It never reads what is typed, and its terminal takes only some 16 KB of that.
  { command: 'stty raw -echo; echo on; exec sleep 1000' },
  { command: ['cat'], tty: false },
  { command: 'seq 1 100000; sleep 1000', tty: false, stdin: false },
];

const keys = ['Enter', 'C-c', 'Up Down', 'q', 'Escape', 'C-d', 'C-z', 'PageDown'];
const signals = ['SIGINT', 'SIGTERM', 'SIGWINCH', 'SIGSTOP', 'SIGCONT', 'SIGHUP', 'SIGUSR1'];
const waits = [0, 20, 200];

const open = async ({ sessions, model, dice, note }: Bench): Promise<void> => {
  if (model.alive.size + unknown.count >= MOST_SESSIONS) return;
  const program = dice.pick(programs);
  const tag = model.nextTag();
  const timeoutMs = dice.pick([0, 50, 500]);
  const name = dice.chance(0.5) ? newName('named') : undefined;
  note(`${program.command}`);
  unknown.count++;
  try {
    const env = { [TAG]: tag };
    const options = { ...program, env, timeoutMs, ...(name !== undefined && { name }) };
    const result = await sessions.open(options);
    note(`as ${result.session}`);
    model.opened({ name: result.session, tag, sort: sortOf(program) });
    sound(result, timeoutMs);
  } finally {
    unknown.count--;
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

const press = onAny(async ({ sessions, dice, note }, known) => {
  const { name } = known;
  const pressed = dice.pick(keys);
  const timeoutMs = dice.pick(waits);
  known.mayHaveEnded ||= pressed === 'C-d';
  note(`${pressed}, ${timeoutMs} ms`);
  sound(await allow(sessions.send(name, { keys: pressed, timeoutMs })), timeoutMs);
});

const read = onAny(async ({ sessions, dice, note }, { name }) => {
  const view = dice.pick(['text', 'screen', 'diff', 'raw'] as const);
  const reader = dice.pick(['agent', 'other', `reader-${Math.floor(dice.next() * 1000)}`]);
  note(`${view}, ${reader}`);
  sound(await allow(sessions.read(name, { view }, { reader })), 0);
});

/** Or as often as it goes in a while: in the middle of a flood each look takes 50 ms and more. */
const readOften = onAny(async ({ sessions }, { name }) => {
  const endMs = performance.now() + READ_OFTEN_MS;
  for (let time = 0; time < 1000 && performance.now() < endMs; time++) {
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
  const pid = dice.pick(descendantPids(summary.pid));
  // Ours for sure: the number of a process that has ended may be anybody's.
  if (pid === undefined || tagOf(pid) !== tag) return;
  note(`${pid}`);
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It has ended by itself in this very moment.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
});

const close = onAny(async (bench, known) => {
  const { sessions, model, dice, note } = bench;
  const options = { graceMs: dice.pick([0, 100]), force: dice.chance(0.7) };
  note(JSON.stringify(options));
  const closed = await allow(sessions.close(known.name, options));
  model.closed(known);
  for (const { pid } of closed?.survivors ?? []) model.survivors.add(pid);
  const [survivor] = closed?.survivors ?? [];
  if (options.force && survivor)
    throw new Error(`${survivor.pid} of ${known.name} has survived force`);
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
    if (!model.alive.has(known.name) && unknown.count === 0) await once();
  }
});

const waitForAny = async ({ sessions, model, dice, note }: Bench): Promise<void> => {
  if (model.alive.size === 0) return;
  const until = dice.pick(['ready', 'exit', 'output', 'listening'] as const);
  note(until);
  // As another reader: all sessions are meant, also those in which others have a conversation.
  sound(await allow(sessions.wait({ until, timeoutMs: 100 }, { reader: 'other' })), 100);
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
  const name = newName('talk');
  const env = { [TAG]: model.nextTag() };
  unknown.count++;
  try {
    await sessions.open({ command: ['python3', '-q'], name, env, timeoutMs: 30_000 });
    for (let time = 0; time < 5; time++) {
      const n = Math.floor(dice.next() * 1e9);
      const answer = await sessions.send(name, { text: `${n}+1` });
      if (answer.output !== `${n + 1}` || answer.state !== 'waiting')
        throw new Error(`${n}+1, question ${time}, gave ${JSON.stringify(answer)}`);
    }
    await sessions.close(name);
  } finally {
    unknown.count--;
  }
};

/** In a fresh shell that is gone afterwards. */
const runCommand = async ({ sessions, model, dice }: Bench): Promise<void> => {
  const env = { [TAG]: model.nextTag() };
  const code = dice.pick([0, 1, 7]);
  const command = `seq 1 3; exit ${code}`;
  const { output, exitCode } = await sessions.run(command, { env, timeoutMs: 30_000 });
  if (output !== '1\n2\n3' || exitCode !== code)
    throw new Error(`${command} gave ${JSON.stringify(output)}, ${exitCode}`);
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
  { name: 'abort a wait', weight: 2, act: abortWait },
  { name: 'abort a send', weight: 1, act: abortSend },
  { name: 'abort an open', weight: 0.5, act: abortOpen },
  { name: 'wait for any', weight: 1, act: waitForAny },
  { name: 'match', weight: 0.5, act: match },
  { name: 'subscribe', weight: 1, act: subscribe },
  { name: 'make a mistake', weight: 1, act: mistakes },
  { name: 'run', weight: 0.5, act: runCommand },
  { name: 'converse', weight: 0.5, act: converse },
];
