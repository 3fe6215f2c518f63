import { getPriority, userInfo } from 'node:os';
import { expect, onTestFinished, test, vi } from 'vitest';
import { UnusableNumber } from '../../src/errors.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import type { SessionsOptions } from '../../src/session/options/options.ts';
import { callAfterDelay } from '../../src/session/wait/call-after-delay.ts';
import { testWith } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';
import { sessionsContract } from './contract.ts';
import { renameContract } from './rename-contract.ts';

sessionsContract('the registry of this process', async () => new LocalSessions());
renameContract('the registry of this process', async () => new LocalSessions());

const begin = (options: SessionsOptions) => {
  const sessions = new LocalSessions(options);
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  return sessions;
};

test('at the limit, exited sessions are closed first, then idle ones; else the error lists them', async () => {
  const sessions = begin({ maxSessions: 2, idleMs: 1e9 });
  await sessions.open({ command: ['cat'], name: 'a' });
  await sessions.open({ command: 'exit 0', name: 'b' });
  await sessions.open({ command: ['cat'], name: 'c' });
  await expect(sessions.open({ command: ['cat'] })).rejects.toMatchObject({
    code: 'TOO_MANY_SESSIONS',
    details: { limit: 2, open: [{ name: 'a' }, { name: 'c' }] },
  });
  const impatient = begin({ maxSessions: 1, idleMs: 0 });
  await impatient.open({ command: ['cat'], name: 'a' });
  await impatient.open({ command: ['cat'], name: 'b' });
  expect((await impatient.list()).map(({ session }) => session)).toEqual(['b']);
});

test('opening many at once never exceeds the limit', async () => {
  const sessions = begin({ maxSessions: 3, idleMs: 1e9 });
  for (const name of ['a', 'b', 'c']) await sessions.open({ command: 'exit 0', name });
  const opened = await Promise.allSettled(
    Array.from({ length: 6 }, () => sessions.open({ command: ['cat'] })),
  );
  expect(opened.map(({ status }) => status).sort()).toEqual([
    ...Array(3).fill('fulfilled'),
    ...Array(3).fill('rejected'),
  ]);
  expect(await sessions.list()).toHaveLength(3);
});

test('closing all closes those that are being opened as well', async () => {
  const sessions = begin({});
  const opening = sessions.open({ command: ['sleep', '1000'] });
  await sessions.closeAll();
  expect(await opening).toMatchObject({ state: 'exited' });
  expect(await sessions.list()).toEqual([]);
});

test('closing all waits for one that is not confined yet, since its policy is still being read', async () => {
  const sessions = begin({});
  let onPolicyRead = () => {};
  const policyIsRead = new Promise<void>((resolve) => {
    onPolicyRead = resolve;
  });
  sessions.gateWith({
    leastSandbox: async () => void (await policyIsRead),
    beforeOpen: async () => {},
    inputOf: () => ({
      mayAsk: false,
      concerns: () => false,
      pass: async ({ writes }) => writes,
      held: '',
      snapshot: () => undefined,
      restore: () => {},
    }),
  });
  const opening = sessions.open({ command: ['sleep', '1000'] });
  const closing = sessions.closeAll();
  onPolicyRead();
  await closing;
  expect(await opening).toMatchObject({ state: 'exited' });
});

test('the name of a new shell is free after its closed event, and not before', async () => {
  const sessions = begin({});
  const events: string[] = [];
  sessions.subscribe(({ type, session }) => events.push(`${type} ${session}`), undefined, [
    'opened',
    'closed',
  ]);
  // It leaves a job behind that ignores signals, so closing takes the whole grace period.
  const command = "trap '' HUP TERM; (while :; do sleep 1; done) >/dev/null 2>&1 & true";
  const { session } = await sessions.run(command);
  const unnamed = await sessions.open({ command: 'trap "" USR1; cat' });
  const named = await sessions.open({ command: ['cat'], name: session });
  expect(session).toBe('trap');
  expect(unnamed.session).toBe('trap-2');
  expect(named.session).toBe('trap');
  expect(events).toEqual(['opened trap', 'opened trap-2', 'closed trap', 'opened trap']);
});

testWith('setsid')(
  'closing all names what a new shell has left running, and ends it by force',
  async () => {
    const sessions = begin({});
    const job = 'setsid sleep 1000 </dev/null >/dev/null 2>&1';
    const command = `${job} & until [ "$(cat /proc/$!/comm)" = sleep ]; do :; done`;
    const leaveJob = () => sessions.run(command, { env: { SHELL: '/bin/sh' } });
    await leaveJob();
    const { survivors } = await sessions.closeAll();
    for (const { pid } of survivors) process.kill(pid, 'SIGKILL');
    expect(survivors).toEqual([{ pid: expect.any(Number), name: 'sleep' }]);

    const troubles: string[] = [];
    sessions.subscribe((event) => event.type === 'trouble' && troubles.push(event.message));
    await leaveJob();
    await until('it is reported', () => troubles.length > 0);
    const [, pid] = /^What "setsid" has run goes on after its end: sleep \(pid (\d+)\)\.$/.exec(
      troubles[0]!,
    )!;
    process.kill(Number(pid), 'SIGKILL');

    await leaveJob();
    expect(await sessions.closeAll({ force: true })).toEqual({ survivors: [] });
  },
);

test('a session that a caller waits for is not idle, however long that takes', async () => {
  const sessions = begin({ maxSessions: 1, idleMs: 0 });
  await sessions.open({ command: ['cat'], name: 'awaited' });
  const waiting = sessions.wait({ until: 'exit' });
  await expect(sessions.open({ command: ['cat'] })).rejects.toMatchObject({
    code: 'TOO_MANY_SESSIONS',
  });
  await sessions.send('awaited', { keys: 'C-d' });
  expect(await waiting).toMatchObject({ state: 'exited', exitCode: 0 });
});

test('a tab in a text is text, for line editors and in canonical mode', async () => {
  const sessions = begin({});
  await sessions.open({ command: ['bash', '--norc'] });
  const { output } = await sessions.send('bash', { text: 'printf "<x\ty>" | od -An -c' });
  expect(output.trim()).toBe('<   x  \\t   y   >');
  await sessions.open({ command: ['cat'] });
  expect(await sessions.send('cat', { text: 'a\tb' })).toMatchObject({ output: 'a       b' });
});

test('a guard sees every start and every input with its actor, and may refuse both', async () => {
  const actions: unknown[] = [];
  const sessions = begin({
    guard: (act) => {
      actions.push(act);
      return JSON.stringify(act).includes('rm -rf') ? 'not on my watch' : undefined;
    },
  });
  await sessions.open({ command: ['cat'], cwd: '/' }, { actor: 'person' });
  await expect(sessions.send('cat', { text: 'rm -rf /' })).rejects.toMatchObject({
    code: 'REFUSED_BY_GUARD',
  });
  await expect(sessions.open({ command: 'rm -rf /' })).rejects.toMatchObject({
    code: 'REFUSED_BY_GUARD',
  });
  const { username: user, uid } = userInfo();
  const caller = { door: 'library', kind: 'agent', user, uid };
  expect(actions.slice(0, 2)).toEqual([
    { act: 'open', session: 'cat', command: ['cat'], cwd: '/', actor: 'person', caller },
    { act: 'type', session: 'cat', input: 'rm -rf /\r', actor: 'agent', caller },
  ]);
  expect((await sessions.read('cat', { from: 0 })).output).toBe('');
});

test('limits hold for the program and what it starts', async () => {
  const sessions = begin({});
  const limits = { fileBytes: 512_000, cpuSeconds: 7, nice: 5 };
  // In kilobytes, as bash counts them.
  const env = { SHELL: '/bin/bash' };
  const { output } = await sessions.open({ command: 'ulimit -t; ulimit -f; nice', env, limits });
  // On top of our own: the tests may run at a lower priority themselves.
  expect(output).toBe(`7\n500\n${getPriority() + 5}`);
});

test('a session ends at the end of its lifetime', async () => {
  const sessions = begin({ lifetimeMs: 300 });
  await sessions.open({ command: ['cat'] });
  await expect.poll(async () => sessions.list()).toEqual([]);
});

test('a lifetime may be longer than a timer can take', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const dayMs = 24 * 60 * 60_000;
  const act = vi.fn();
  callAfterDelay(60 * dayMs, act);
  const cancel = callAfterDelay(60 * dayMs, act);
  vi.advanceTimersByTime(30 * dayMs);
  cancel();
  vi.advanceTimersByTime(30 * dayMs - 1);
  expect(act).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2);
  expect(act).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(90 * dayMs);
  expect(act).toHaveBeenCalledTimes(1);

  callAfterDelay(Number.POSITIVE_INFINITY, act);
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  { maxSessions: Number.NaN },
  { maxSessions: 0 },
  { idleMs: -1 },
  { lifetimeMs: Number.NaN },
  { recordings: { maxBytes: Number.NaN } },
  { recordings: { maxFiles: Number.NaN } },
])('an invalid limit is refused: %o', (options) => {
  expect(() => new LocalSessions(options)).toThrow(UnusableNumber);
});

test.each([{ maxBytes: Number.NaN }, { maxBytes: Number.POSITIVE_INFINITY }, { maxLines: 1.5 }])(
  'a history that cannot be kept is refused: %o',
  async (history) => {
    const sessions = begin({});
    await expect(sessions.open({ command: ['cat'], history })).rejects.toThrow(UnusableNumber);
    expect(await sessions.list()).toEqual([]);
  },
);

test('await using closes every session', async () => {
  let pid = 0;
  {
    await using sessions = new LocalSessions();
    await sessions.open({ command: ['cat'] });
    pid = (await sessions.list())[0]!.pid;
  }
  expect(() => process.kill(pid, 0)).toThrow();
});
