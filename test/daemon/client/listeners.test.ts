import { afterAll, expect, onTestFinished, test } from 'vitest';
import { killWithKeeper } from '../../helpers/daemon/kill-daemon.ts';
import { makeDaemon } from '../../helpers/daemon/own-daemon.ts';
import { until } from '../../helpers/until.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

const mistake = new Error('my own mistake');

/** Collects uncaught exceptions, which would otherwise end the process. */
const collectUncaught = (): unknown[] => {
  const errors: unknown[] = [];
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => errors.push(error));
  onTestFinished(() => {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
  });
  return errors;
};

test('a listener that throws harms neither the connection nor other listeners', async () => {
  await using sessions = await daemon.connect();
  const errors = collectUncaught();
  const events: string[] = [];
  sessions.subscribe(
    ({ session }) => {
      events.push(`${session}, first`);
      throw mistake;
    },
    undefined,
    ['closed'],
  );
  sessions.subscribe(({ session }) => events.push(`${session}, second`), undefined, ['closed']);
  await sessions.open({ command: ['cat'], name: 'a' });
  await sessions.close('a');
  await until('both listeners are called', () => events.includes('a, second'));
  expect(errors).toEqual([mistake]);
  expect(events).toEqual(['a, first', 'a, second']);
  expect(await sessions.list()).toEqual([]);
});

test('nor does a progress listener that throws', async () => {
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const errors = collectUncaught();
  const enough = new AbortController();
  const onProgress = () => {
    setImmediate(() => enough.abort('enough'));
    throw mistake;
  };
  const waiting = sessions.wait({ until: 'exit' }, { onProgress, signal: enough.signal });
  await expect(waiting).rejects.toBe('enough');
  expect(new Set(errors)).toEqual(new Set([mistake]));
  expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
  await sessions.close('cat');
});

test('nor does one that throws when the daemon is gone', async () => {
  await using sessions = await daemon.connect();
  const errors = collectUncaught();
  const closed: string[] = [];
  sessions.subscribe(
    ({ session, type }) => {
      if (type !== 'closed') return;
      closed.push(session);
      throw mistake;
    },
    undefined,
    ['opened', 'closed'],
  );
  await sessions.open({ command: ['cat'], name: 'a' });
  await sessions.open({ command: ['cat'], name: 'b' });
  await killWithKeeper(daemon);
  await until('it gets both events', () => closed.length === 2);
  await until('both errors are uncaught', () => errors.length === 2);
  expect(errors).toEqual([mistake, mistake]);
});

test('one that hears only of output is told that the session is lost', async () => {
  await using sessions = await daemon.connect();
  const heard: string[] = [];
  const types = ['output', 'closed'] as const;
  sessions.subscribe(({ session, type }) => heard.push(`${session} ${type}`), undefined, types);
  await sessions.open({ command: ['sh', '-c', 'echo one; cat'], name: 'a' });
  await until('it has heard the output', () => heard.includes('a output'));
  await killWithKeeper(daemon);
  await until('it is told', () => heard.includes('a closed'));
});
