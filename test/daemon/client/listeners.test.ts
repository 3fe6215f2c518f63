import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeDaemon } from '../../helpers/daemon/own-daemon.ts';
import { until } from '../../helpers/until.ts';

const daemon = makeDaemon();
afterAll(() => daemon.end());

const mistake = new Error('my own mistake');

/** What reaches nobody, which is the end of a process that does not listen to it. */
const uncaught = (): unknown[] => {
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
  const errors = uncaught();
  const heard: string[] = [];
  sessions.subscribe(
    ({ session }) => {
      heard.push(`${session}, first`);
      throw mistake;
    },
    undefined,
    ['closed'],
  );
  sessions.subscribe(({ session }) => heard.push(`${session}, second`), undefined, ['closed']);
  await sessions.open({ command: ['cat'], name: 'a' });
  await sessions.close('a');
  await until('both are told', () => heard.includes('a, second'));
  expect(errors).toEqual([mistake]);
  expect(heard).toEqual(['a, first', 'a, second']);
  expect(await sessions.list()).toEqual([]);
});

test('nor does one that is told of the progress', async () => {
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const errors = uncaught();
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

test('nor does one that is told that the daemon is gone', async () => {
  await using sessions = await daemon.connect();
  const errors = uncaught();
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
  process.kill(await daemon.pid(), 'SIGKILL');
  await until('it is told of both', () => closed.length === 2);
  await until('and so is whoever looks', () => errors.length === 2);
  expect(errors).toEqual([mistake, mistake]);
});
