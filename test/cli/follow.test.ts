import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { followOutput } from '../../src/cli/follow.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { ownCli } from '../helpers/cli/own-cli.ts';
import { killWithKeeper } from '../helpers/daemon/kill-daemon.ts';
import { until } from '../helpers/until.ts';

/** Returns a function that follows a session whose program has exited. */
const followExited = async () => {
  const cli = ownCli();
  await cli.run('open', '--name', 'f', "printf 'one\\ntwo\\n'; printf '\\033[1mbold'");
  await cli.run('wait', 'f', '--until', 'exit');
  return (...args: string[]) => cli.run('read', 'f', '--follow', '--from', ...args);
};

test('read --follow --from prints earlier output, and ends if the program has exited', async () => {
  const follow = await followExited();
  const { code, stdout } = await follow('0');
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'one\ntwo\nbold\n' });
  expect((await follow('5')).stdout).toBe('two\nbold\n');
});

test('read --follow --json prints a result in each line', async () => {
  const follow = await followExited();
  const results = (await follow('0', '--json')).stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results[0]).toMatchObject({ session: 'f', output: 'one\ntwo\nbold' });
  expect(results.at(-1)).toMatchObject({ state: 'exited', output: '' });
});

test('read --follow --raw prints the bytes as they were', async () => {
  const follow = await followExited();
  expect((await follow('0', '--raw')).stdout).toBe('one\r\ntwo\r\n\x1b[1mbold');
  expect(JSON.parse((await follow('0', '--raw', '--json')).stdout)).toEqual({
    session: 'f',
    output: 'one\r\ntwo\r\n\x1b[1mbold',
  });
});

test('read --follow --raw cuts nothing out of earlier output', async () => {
  const cli = ownCli();
  await cli.run('open', '--name', 'f', 'seq 20000');
  await cli.run('wait', 'f', '--until', 'exit');
  const { stdout } = await cli.run('read', 'f', '--follow', '--raw', '--from', '0');
  expect(stdout).toBe(Array.from({ length: 20_000 }, (_, at) => `${at + 1}\r\n`).join(''));
});

test('read --follow loses nothing of a program that goes on printing, and repeats nothing', {
  timeout: 60_000,
}, async () => {
  const cli = ownCli();
  const stop = join(cli.daemon.folder, 'stop');
  // More than an agent gets at once, then line after line. Only shell builtins, so that it is fast.
  const script = `seq -f %060g 999; i=999; until [ -e ${stop} ]; do printf '%060d\\n' $((i += 1)); read -t 0.002; done`;
  await using sessions = await cli.daemon.connect();
  await sessions.open({ name: 'f', command: ['bash', '-c', script], timeoutMs: 1 });
  const follow = (first: number) =>
    cli.run('read', 'f', '--follow', '--from', `${62 * (first - 1)}`);
  const startLines = [1, 2, 500, 900];
  const following = Promise.all(startLines.map(follow));
  await until('they all follow', async () => (await cli.daemon.status()).clients === 5);
  await sessions.read('f');
  await sessions.wait({ sessions: ['f'], match: '99$' });
  writeFileSync(stop, '');
  const outputs = (await following).map(({ stdout }) => stdout.trimEnd().split('\n').map(Number));
  const last = outputs[0]!.at(-1)!;
  const numbersFrom = (first: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  expect(outputs).toEqual(startLines.map(numbersFrom));
});

test('read --follow fails when the daemon and its keeper are killed', async () => {
  const cli = ownCli();
  const open = (name: string) => cli.run('open', '--name', name, '--', 'sh', '-c', 'echo; cat');
  for (const view of [[], ['--raw']]) {
    const name = `f${view.length}`;
    await open(name);
    const following = cli.run('read', name, '--follow', '--from', '0', ...view);
    await until('somebody follows', async () => (await cli.daemon.status()).clients > 0);
    await killWithKeeper(cli.daemon);
    expect((await following).code).toBe(1);
  }
});

test.each([true, false])(
  'read --follow goes on when the session is renamed (raw: %s)',
  async (raw) => {
    await using sessions = new LocalSessions();
    await sessions.open({ name: 'f', command: ['cat'] });
    let printed = '';
    const printing = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
    onTestFinished(() => printing.mockRestore());
    const following = followOutput(sessions, 'f', { raw, json: true });
    await sessions.rename('f', 'g');
    await sessions.send('g', { text: 'hello' });
    await until('it is printed', () => /"session":"g".*hello/.test(printed));
    await sessions.send('g', { keys: 'C-d' });
    expect(await following).toBe(0);
  },
);
