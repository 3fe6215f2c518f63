import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { closePipeEnd, openPipe } from '../../../src/system/descriptors.ts';
import { processWithDescendants } from '../../../src/system/process/process-tree.ts';
import { adoptPipes } from '../../../src/system/terminal/pipes.ts';
import { adoptPty } from '../../../src/system/terminal/pty.ts';
import { openPtyDevice } from '../../../src/system/terminal/pty-device.ts';
import { asRoot } from '../../helpers/needs.ts';
import { isRunning } from '../../helpers/open-terminal.ts';
import { until } from '../../helpers/until.ts';

test('when its owner is killed, the programs get SIGHUP and nothing keeps the terminal', async () => {
  const command = 'sleep 1000 & sleep 1001 & echo on=$((1)); sleep 1002';
  const owner = spawn(process.execPath, [
    join(import.meta.dirname, '../../fixtures/owner.js'),
    command,
  ]);
  onTestFinished(() => void owner.kill('SIGKILL'));
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const { pid, path } = JSON.parse(line.toString()) as { pid: number; path: string };
  // Only then has the shell noted all its jobs, to which it will pass the SIGHUP on.
  await until('the last of three sleeps has the terminal', () => {
    const sleeps = processWithDescendants(pid).filter(({ name }) => name === 'sleep');
    const isInForeground = sleeps.at(-1)?.processGroup === sleeps.at(-1)?.foregroundGroup;
    return sleeps.length === 3 && isInForeground;
  });
  const all = processWithDescendants(pid).map((process) => process.pid);

  const { ctimeMs: madeMs } = statSync(path);
  owner.kill('SIGKILL');
  await until('all are gone', () => !all.some(isRunning));
  // The kernel takes a terminal's name away when its master is closed, and no process has it open. A
  // test beside this one may have got the name since.
  expect(statSync(path, { throwIfNoEntry: false })?.ctimeMs).not.toBe(madeMs);
});

test('Node lives as long as somebody waits for an exit, and no longer', () => {
  const script = join(import.meta.dirname, '../../fixtures/bare.js');
  const { status, stdout } = spawnSync(process.execPath, [script], { timeout: 50_000 });
  expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: 'done\n' });
});

asRoot(test)('a program that may not be killed is named, and does not keep Node alive', () => {
  const script = join(import.meta.dirname, '../../fixtures/unkillable.js');
  const { status, stdout } = spawnSync(process.execPath, [script], { timeout: 50_000 });
  const { pid, survivors } = JSON.parse(stdout.toString());
  process.kill(-pid, 'SIGKILL');
  expect(survivors).toContainEqual({ pid, name: 'sh' });
  expect(status).toBe(0);
});

test('a terminal can be made from descriptors and the pid of a process that is not our child', async () => {
  const device = openPtyDevice({ cols: 80, rows: 24 });
  const mark = randomUUID();
  // The program leads a session. It is not our child, but the background job of an ended shell.
  const command = `setsid sh -c 'exec <>${device.path} >&0 2>&0; echo hello; read x; echo "got $x"' & echo $!`;
  const starter = spawn('sh', ['-c', command], { env: { ...process.env, REPARTEE_SESSION: mark } });
  const [[line]] = await Promise.all([once(starter.stdout, 'data'), once(starter, 'exit')]);

  let text = '';
  const pty = adoptPty({
    ...device,
    pid: Number(line.toString()),
    mark,
    onOutput: (chunk) => {
      text += chunk;
    },
  });
  onTestFinished(async () => void (await pty.close({ graceMs: 0 })));
  await until('it greets', () => text.includes('hello'));
  expect(pty.path).toBe(device.path);
  expect(pty.foregroundGroup).toBe(pty.pid);
  await pty.write('this\r');
  // Only its parent learns how it ended.
  expect(await pty.exited).toEqual({});
  expect(text).toBe('hello\r\nthis\r\ngot this\r\n');
});

/** Pipes to a program that leads a session, and is not our child but the job of an ended shell. */
const startOnPipes = async (script: string) => {
  const input = openPipe();
  const output = openPipe();
  const mark = randomUUID();
  const command = `setsid sh -c '${script}' <&3 >&4 2>&4 3<&- 4>&- & echo $!`;
  const starter = spawn('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'inherit', input.readEnd, output.writeEnd],
    env: { ...process.env, REPARTEE_SESSION: mark },
  });
  const [[line]] = await Promise.all([once(starter.stdout!, 'data'), once(starter, 'exit')]);
  closePipeEnd(input.readEnd);
  closePipeEnd(output.writeEnd);
  const pid = Number(line.toString());
  return { output: output.readEnd, input: input.writeEnd, pid, mark };
};

test('pipes can be taken over, with the pid of a process that is not our child', async () => {
  const program = await startOnPipes(
    'echo hello; while read x; do echo "got $x"; done; echo "no more"',
  );
  let text = '';
  const pipes = adoptPipes({
    ...program,
    onOutput: (chunk) => {
      text += chunk;
    },
  });
  onTestFinished(async () => void (await pipes.close({ graceMs: 0 })));
  await until('it greets', () => text === 'hello\n');
  await pipes.write('this\n');
  await until('it has read', () => text.includes('got this'));
  await pipes.endInput();
  await expect(pipes.write('that\n')).rejects.toMatchObject({ code: 'INPUT_CLOSED' });
  // Only its parent learns how it ended.
  expect(await pipes.exited).toEqual({});
  await pipes.ended;
  expect(text).toBe('hello\ngot this\nno more\n');
});

test('pipes whose program has ended can be taken over, with how it ended', async () => {
  const { input, ...program } = await startOnPipes('echo last words');
  closePipeEnd(input);
  await until('it is gone', () => !isRunning(program.pid));
  let text = '';
  const pipes = adoptPipes({
    ...program,
    exit: { code: 7 },
    onOutput: (chunk) => {
      text += chunk;
    },
  });
  expect(await pipes.exited).toEqual({ code: 7 });
  await pipes.ended;
  expect(text).toBe('last words\n');
  expect(await pipes.close({ force: true })).toEqual({ survivors: [] });
  expect(() => adoptPipes({ ...program, pid: 1, onOutput: () => {} })).toThrow(TypeError);
});

test('a worker thread, which gets no signals, learns of the exit too', async () => {
  const worker = new Worker(join(import.meta.dirname, '../../fixtures/worker.js'));
  onTestFinished(async () => void (await worker.terminate()));
  const [message] = await once(worker, 'message');
  expect(message).toEqual({ exit: { code: 3 }, bytes: 588_895 + 100_000, survivors: [] });
});
