/** Waits that somebody gives up. */

import { allow, type Bench, LATE_MS, newName, onAny, texts, unknown } from './hand.ts';
import { TAG } from './model.ts';

/** The wait ends at once and with the signal's own reason; the session is as it was. */
export const abortWait = onAny(async ({ sessions, dice, note }, { name }) => {
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

export const abortSend = onAny(async ({ sessions, dice, note }, { name }) => {
  const afterMs = dice.pick([0, 5, 50]);
  const text = dice.pick(texts);
  note(`${text.length} characters, after ${afterMs} ms`);
  const { signal } = abortAfter(afterMs);
  const call = sessions.send(name, { text, until: 'exit', timeoutMs: 200 }, { signal });
  await allow(call, [...STOPPED, 'LINE_TOO_LONG']);
});

/** Nobody has its result, so it is closed by the name it was to have. */
export const abortOpen = async ({ sessions, model, dice, note }: Bench): Promise<void> => {
  const name = newName('aborted');
  note(name);
  const { signal } = abortAfter(dice.pick([0, 2, 10]));
  const env = { [TAG]: model.nextTag() };
  unknown.count++;
  try {
    await allow(sessions.open({ command: ['sleep', '1000'], name, env }, { signal }), STOPPED);
    await allow(sessions.close(name, { graceMs: 0 }));
  } finally {
    unknown.count--;
  }
};
