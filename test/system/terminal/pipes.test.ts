import { expect, onTestFinished, test } from 'vitest';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { descendantPids } from '../../../src/system/process/process-tree.ts';
import { openPipes, type PipesOptions } from '../../../src/system/terminal/pipes.ts';
import { testWith } from '../../helpers/needs.ts';
import { env, isRunning } from '../../helpers/open-terminal.ts';
import { until } from '../../helpers/until.ts';

const sh = async (command: string, input: PipesOptions['input'] = 'null') => {
  let output = '';
  const channel = await openPipes({
    program: '/bin/sh',
    args: ['-c', command],
    cwd: '/',
    env,
    input,
    onOutput: (chunk) => {
      output += chunk;
    },
  });
  onTestFinished(async () => {
    await channel.close({ graceMs: 0, force: true });
  });
  return { channel, text: () => output };
};

test('output and errors come in the order they were written, without a terminal', async () => {
  const { channel, text } = await sh(
    'for i in 1 2 3; do echo o$i; echo e$i >&2; done; test -t 1 || echo no terminal; exit 5',
  );
  expect(await channel.exited).toEqual({ code: 5 });
  expect(text()).toBe('o1\ne1\no2\ne2\no3\ne3\nno terminal\n');
});

test('everything arrives, from many at once', async () => {
  const right = Array.from({ length: 20_000 }, (_, at) => `${at + 1}\n`).join('');
  const runs = Array.from({ length: 16 }, async () => {
    const { channel, text } = await sh('seq 1 20000');
    await channel.exited;
    return text() === right;
  });
  expect(await Promise.all(runs)).toEqual(runs.map(() => true));
});

test('a program without input finds it at its end, and cannot be written to', async () => {
  const { channel, text } = await sh('cat; echo at the end; sleep 1000');
  await until('it has read', () => text() === 'at the end\n');
  await expect(channel.write('x')).rejects.toMatchObject({ code: 'INPUT_CLOSED' });
});

test('what is written arrives as it is, also more than a pipe holds', async () => {
  const { channel, text } = await sh('head -c 1000000 | cksum', 'pipe');
  await channel.write(Buffer.alloc(1_000_000, 'x'));
  await channel.exited;
  expect(text()).toMatch(/ 1000000\n/);
});

test('the end of the input can be told, after all that was written', async () => {
  const { channel, text } = await sh('sort', 'pipe');
  void channel.write('b\na\n');
  await channel.endInput();
  expect(await channel.exited).toEqual({ code: 0 });
  expect(text()).toBe('a\nb\n');
  await expect(channel.write('c')).rejects.toThrow();
});

test('once the end of the input was asked for, nothing more is taken', async () => {
  const { channel, text } = await sh('cksum', 'pipe');
  // This is more than a pipe holds, so the end of the input has to wait for it.
  void channel.write(Buffer.alloc(1_000_000));
  const ended = channel.endInput();
  await expect(channel.write(Buffer.alloc(1_000_000))).rejects.toMatchObject({
    code: 'INPUT_CLOSED',
  });
  await ended;
  expect(await channel.exited).toEqual({ code: 0 });
  expect(text()).toMatch(/ 1000000\n/);
});

test('a program that ends before it has read all fails whoever told the end of its input', async () => {
  const { channel } = await sh('sleep 1000', 'pipe');
  const reason = { code: 'INPUT_NOT_TAKEN' };
  const written = expect(channel.write(Buffer.alloc(1_000_000))).rejects.toMatchObject(reason);
  const ended = expect(channel.endInput()).rejects.toMatchObject(reason);
  await channel.close({ graceMs: 0 });
  await Promise.all([written, ended]);
});

testWith('python3')(
  'the exit is told after all output, also from a pipe that was made larger',
  async () => {
    const script = 'import fcntl, os; fcntl.fcntl(1, 1031, 1 << 20); os.write(1, b"x" * (1 << 20))';
    const { channel, text } = await sh(`python3 -c '${script}'`);
    channel.pause();
    await until('it has written', () => !isRunning(channel.pid));
    channel.resume();
    await channel.exited;
    expect(text()).toHaveLength(1 << 20);
  },
);

test('a program that closes its input makes the write fail, not Node', async () => {
  const { channel, text } = await sh('exec 0</dev/null; echo closed; sleep 1000', 'pipe');
  await until('it has closed', () => text() === 'closed\n');
  await expect(channel.write('x')).rejects.toMatchObject({ code: 'INPUT_NOT_TAKEN' });
});

test('the program leads a session of its own, with no terminal to open', async () => {
  const { channel, text } = await sh('echo x 2>&1 >/dev/tty; sleep 1000');
  await until('it has failed', () => /\/dev\/tty.*\n/.test(text()));
  expect(readProcessStat(channel.pid)).toMatchObject({
    session: channel.pid,
    processGroup: channel.pid,
    terminal: 0,
  });
});

test('output after the exit still arrives, and closing ends the job that writes it', async () => {
  const { channel, text } = await sh('(while :; do echo late; sleep 0.05; done) & echo $!; exit 0');
  expect(await channel.exited).toEqual({ code: 0 });
  await until('the job has written', () => /late\nlate\n/.test(text()));
  await channel.close({ graceMs: 100 });
  await channel.ended;
  expect(isRunning(Number.parseInt(text(), 10))).toBe(false);
});

test('a paused consumer makes the program wait, and loses nothing', async () => {
  const { channel, text } = await sh('seq 1 100000; sleep 1000');
  channel.pause();
  const before = text().length;
  await until('the pipe is full and seq waits', () => writesIntoFullPipe(channel.pid));
  expect(text().length).toBe(before);
  channel.resume();
  await until('all has arrived', () => text().endsWith('\n100000\n'));
  expect(text().length).toBe(588_895);
});

const writesIntoFullPipe = (shell: number) =>
  descendantPids(shell).some((pid) => {
    const stat = readProcessStat(pid);
    return stat?.name === 'seq' && stat.state === 'S';
  });

test('the channel is there before its first output, however many are opened', async () => {
  let early = 0;
  const open = async () => {
    let isThere = false;
    const onOutput = () => {
      if (!isThere) early++;
    };
    const words = { program: 'echo', args: ['hi'], cwd: '/', env: process.env };
    const pipes = await openPipes({ ...words, input: 'null', onOutput });
    isThere = true;
    await pipes.ended;
    await pipes.close();
  };
  await Promise.all(Array.from({ length: 300 }, open));
  expect(early).toBe(0);
});
