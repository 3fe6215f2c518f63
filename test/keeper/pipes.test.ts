/** Programs without a terminal, whose daemon has a keeper and is killed. */
import { expect, test } from 'vitest';
import { STORE_LAYOUT } from '../../src/keeper/store-layout.ts';
import { connectKept } from '../helpers/daemon/kept-daemon.ts';
import { damageStoreOf } from '../helpers/daemon/kept-store.ts';
import { keeperOf, killDaemon } from '../helpers/daemon/kill-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { asRoot } from '../helpers/needs.ts';
import { makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const shell = (script: string, name: string) => ({
  command: ['sh', '-c', script],
  name,
  tty: false,
});

const all = { view: 'raw', from: 0, maxTokens: 10_000_000 } as const;

test('a program on pipes reads what is typed to the next daemon, and finds the end of its input', async () => {
  const { daemon, sessions } = await connectKept();
  const script = 'while read x; do echo "got $x"; done; echo "no more"; exit 5';
  await sessions.open(shell(script, 'sh'));
  const [before] = await sessions.list();
  for (const word of ['one', 'two']) {
    await killDaemon(daemon);
    expect((await sessions.send('sh', { text: word })).output).toBe(`got ${word}`);
  }
  const [after] = await sessions.list();
  expect(after).toMatchObject({ pid: before!.pid, state: 'waiting', waitingFor: 'line' });
  await killDaemon(daemon);
  const ended = await sessions.send('sh', { keys: 'C-d', until: 'exit' });
  expect(ended).toMatchObject({ output: 'no more', exitCode: 5 });
  expect((await sessions.read('sh', all)).output).toBe('got one\ngot two\nno more\n');
});

test('an end of the input that was told stays told, however soon the daemon is killed', async () => {
  const { daemon, sessions } = await connectKept();
  const gate = makeGate();
  const script = `cat; echo "no more"; ${gate.wait}; exit 6`;
  await sessions.open(shell(script, 'cat'));
  await sessions.send('cat', { text: 'last words' });
  await sessions.send('cat', { keys: 'C-d', until: 'now' });
  await killDaemon(daemon);
  await sessions.wait({ sessions: ['cat'], match: 'no more' });
  await killDaemon(daemon);
  const late = sessions.send('cat', { text: 'late' });
  await expect(late).rejects.toMatchObject({ code: 'INPUT_CLOSED' });
  gate.open();
  expect(await sessions.wait({ sessions: ['cat'], until: 'exit' })).toMatchObject({ exitCode: 6 });
  expect((await sessions.read('cat', all)).output).toBe('last words\nno more\n');
});

test('no byte of a flood through a pipe is lost or there twice, and its writer does not notice', async () => {
  const { daemon, sessions } = await connectKept();
  const count = 500_000;
  await sessions.open({ ...shell(`seq ${count} && exit 9`, 'flood'), timeoutMs: 0 });
  for (const bytes of [100_000, 1_000_000, 2_000_000]) {
    await until('there is more', async () => (await sessions.list())[0]!.unread > bytes);
    await killDaemon(daemon);
  }
  // Had it got SIGPIPE or an error, it would have ended otherwise.
  expect(await sessions.wait({ sessions: ['flood'], until: 'exit' })).toMatchObject({
    exitCode: 9,
  });
  const { output } = await sessions.read('flood', all);
  const lines = output.split('\n');
  const wrong = lines.findIndex((line, at) => line !== (at < count ? String(at + 1) : ''));
  expect(wrong === -1 ? [] : lines.slice(wrong - 3, wrong + 3)).toEqual([]);
  expect(lines).toHaveLength(count + 1);
});

test('the exit of a program on pipes is told with its code, also if it ended without a daemon', async () => {
  const { daemon, sessions } = await connectKept();
  const gate = makeGate();
  await sessions.open(shell('read x; exit 7', 'seven'));
  await sessions.open(shell('read x; kill -KILL $$', 'killed'));
  await sessions.open({ ...shell(`${gate.wait}; exit 4`, 'four'), stdin: false, timeoutMs: 0 });
  await sessions.open(shell('echo gone; exit 3', 'three'));
  await sessions.wait({ sessions: ['three'], until: 'exit' });
  await killDaemon(daemon);
  gate.open();
  const exitOf = (name: string) => sessions.wait({ sessions: [name], until: 'exit' });
  expect(await exitOf('three')).toMatchObject({ exitCode: 3 });
  expect(await exitOf('four')).toMatchObject({ exitCode: 4 });
  expect(await sessions.send('seven', { text: '', until: 'exit' })).toMatchObject({ exitCode: 7 });
  expect(await sessions.send('killed', { text: '', until: 'exit' })).toMatchObject({
    signal: 'SIGKILL',
  });
  expect((await sessions.read('three', all)).output).toBe('gone\n');
});

test('what a job writes after the exit still comes, and then the end', async () => {
  const { daemon, sessions } = await connectKept();
  const gate = makeGate();
  await sessions.open(shell(`(${gate.wait}; echo late) & echo early`, 'job'));
  await sessions.wait({ sessions: ['job'], until: 'exit' });
  await killDaemon(daemon);
  const events: string[] = [];
  sessions.subscribe((event) => events.push(event.type), 'job');
  await sessions.list();
  gate.open();
  await until('nobody can write any more', () => events.includes('ended'));
  expect((await sessions.read('job', all)).output).toBe('early\nlate\n');
});

test('closing ends the programs on pipes, and names neither keeper nor daemon', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ ...shell('sleep 1000 & sleep 1000', 'two'), timeoutMs: 0 });
  await killDaemon(daemon);
  const [{ pid } = { pid: 0 }] = await sessions.list();
  expect(await sessions.close('two', { force: true })).toEqual({ survivors: [] });
  expect(isAlive(pid)).toBe(false);
  expect(await sessions.list()).toEqual([]);
});

test('programs on pipes end when their keeper is asked to end, also without a daemon', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ ...shell('sleep 1000 & wait', 'sleeps'), timeoutMs: 0 });
  const [{ pid } = { pid: 0 }] = await sessions.list();
  const keeper = await keeperOf(daemon);
  // Stopped, it does not start another daemon before it is told to end.
  process.kill(keeper, 'SIGSTOP');
  process.kill(await daemon.pid(), 'SIGKILL');
  process.kill(keeper, 'SIGTERM');
  process.kill(keeper, 'SIGCONT');
  await until('all have ended', () => ![keeper, pid].some(isAlive));
});

asRoot(test)(
  'a session on pipes that cannot be gone on with is told as lost, and its program hung up',
  async () => {
    const { daemon, sessions } = await connectKept();
    await sessions.open({ ...shell('sleep 1000', 'lost'), timeoutMs: 0 });
    await sessions.open(shell('read x; echo "got $x"', 'kept'));
    const [lost] = await sessions.list();
    await damageStoreOf(daemon, lost!.pid, STORE_LAYOUT.generation, [0, 0, 0, 0]);
    await killDaemon(daemon);
    expect(await sessions.list()).toMatchObject([{ session: 'kept' }]);
    await expect(sessions.read('lost')).rejects.toMatchObject({ code: 'SESSION_LOST' });
    await until('its program is hung up', () => !isAlive(lost!.pid));
    expect((await sessions.send('kept', { text: 'this' })).output).toBe('got this');
  },
);
