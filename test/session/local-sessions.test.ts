import { expect, onTestFinished, test } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import type { SessionsOptions } from '../../src/session/options.ts';
import { sessionsContract } from './contract.ts';

sessionsContract('the registry of this process', async () => new LocalSessions());

const begin = (options: SessionsOptions) => {
  const sessions = new LocalSessions(options);
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0 })));
  return sessions;
};

test('at the cap, exited sessions go first, then idle ones; otherwise the error lists them', async () => {
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

test('opening many at once never goes beyond the cap', async () => {
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

test('a tab in a text is text, to line editors and where the kernel collects lines', async () => {
  const sessions = begin({});
  await sessions.open({ command: ['bash', '--norc'] });
  const { output } = await sessions.send('bash', { text: 'printf "<x\ty>" | od -An -c' });
  expect(output.trim()).toBe('<   x  \\t   y   >');
  await sessions.open({ command: ['cat'] });
  expect(await sessions.send('cat', { text: 'a\tb' })).toMatchObject({ output: 'a       b' });
});

test('a guard sees every start and every input with its actor, and may refuse both', async () => {
  const seen: unknown[] = [];
  const sessions = begin({
    guard: (act) => {
      seen.push(act);
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
  expect(seen.slice(0, 2)).toEqual([
    { act: 'open', session: 'cat', command: ['cat'], cwd: '/', actor: 'person' },
    { act: 'type', session: 'cat', input: 'rm -rf /\r', actor: 'agent' },
  ]);
  expect((await sessions.read('cat', { from: 0 })).output).toBe('');
});

test('limits hold for the program and what it starts', async () => {
  const sessions = begin({});
  const limits = { fileBytes: 512_000, cpuSeconds: 7, nice: 5 };
  // In kilobytes, as bash counts them.
  const env = { SHELL: '/bin/bash' };
  const { output } = await sessions.open({ command: 'ulimit -t; ulimit -f; nice', env, limits });
  expect(output).toBe('7\n500\n5');
});

test('a session ends at the end of its lifetime', async () => {
  const sessions = begin({ lifetimeMs: 300 });
  await sessions.open({ command: ['cat'] });
  await expect.poll(async () => sessions.list()).toEqual([]);
});

test('await using closes every session', async () => {
  let pid = 0;
  {
    await using sessions = new LocalSessions();
    await sessions.open({ command: ['cat'] });
    pid = (await sessions.list())[0]!.pid;
  }
  expect(() => process.kill(pid, 0)).toThrow();
});
