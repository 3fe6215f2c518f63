import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { freezeProcesses } from '../../../src/system/process/freeze-processes.ts';
import { descendantPids } from '../../../src/system/process/process-tree.ts';
import { asRoot, testWith } from '../../helpers/needs.ts';
import { isRunning, open, sh } from '../../helpers/open-terminal.ts';
import { until } from '../../helpers/until.ts';

/** The pids that a command has printed as `name=pid`. */
const pidsIn = (text: string) => [...text.matchAll(/\w+=(\d+)/g)].map(([, pid]) => Number(pid));

test.each([
  ['a background job', 'sleep 1000 & echo a=$!; wait'],
  ['a job whose parent is gone', '(sleep 1000 & echo a=$!); echo done; sleep 1000'],
  ['a stopped job', 'sleep 1000 & kill -STOP $!; echo a=$!; wait'],
  ['a program that ignores the hang-up', "trap '' HUP; sleep 1000 & echo a=$!; wait"],
  ['a program that ignores all but SIGKILL', "trap '' HUP TERM INT; sleep 1000 & echo a=$!; wait"],
  ['jobs of a shell that has exited', "trap '' HUP; sleep 1000 & echo a=$!"],
])('closing ends %s', async (_what, command) => {
  const { pty, text, see } = await sh(command);
  await see(/=\d+\r\n/);
  const { survivors } = await pty.close({ graceMs: 200 });
  expect(survivors).toEqual([]);
  expect([pty.pid, ...pidsIn(text())].filter(isRunning)).toEqual([]);
});

test('an interactive shell ends on the hang-up, with its jobs in groups of their own', async () => {
  const { pty, see, text } = await open('bash', ['--norc', '-i']);
  await pty.write('sleep 1000 & echo a=$!; sleep 1001 & echo b=$!\r');
  await see(/b=\d+/);
  const jobs = descendantPids(pty.pid);
  expect(jobs).toHaveLength(3);
  await pty.close();
  expect(await pty.exited).toEqual({ signal: 'SIGHUP' });
  expect([...jobs, ...pidsIn(text())].filter(isRunning)).toEqual([]);
});

testWith('setsid')('what left the session is named, and ended only by force', async () => {
  const leaving = 'setsid sleep 1000 >/dev/null 2>&1 </dev/null & sleep 1000';
  const { pty } = await sh(leaving);
  await until('it has left', () => descendantPids(pty.pid).some((pid) => hasLeft(pid, pty.pid)));
  const left = descendantPids(pty.pid).find((pid) => hasLeft(pid, pty.pid))!;
  const { survivors } = await pty.close({ graceMs: 100 });
  expect(survivors).toEqual([{ pid: left, name: 'sleep' }]);
  expect(isRunning(left)).toBe(true);
  process.kill(left);

  const other = await sh(leaving);
  await until('it has left', () =>
    descendantPids(other.pty.pid).some((pid) => hasLeft(pid, other.pty.pid)),
  );
  expect(await other.pty.close({ graceMs: 100, force: true })).toEqual({ survivors: [] });
});

testWith('setsid', 'env')(
  'what left with a clean environment is known by the terminal it holds, and ended by force later too',
  async () => {
    const { pty } = await sh('env -i /usr/bin/setsid /bin/sleep 1000 & sleep 1000');
    await until('it has left', () => descendantPids(pty.pid).some((pid) => hasLeft(pid, pty.pid)));
    const left = descendantPids(pty.pid).find((pid) => hasLeft(pid, pty.pid))!;
    const { survivors } = await pty.close({ graceMs: 100 });
    expect(survivors).toEqual([{ pid: left, name: 'sleep' }]);
    expect(await pty.close()).toEqual({ survivors });
    expect(await pty.close({ force: true })).toEqual({ survivors: [] });
    expect(isRunning(left)).toBe(false);
  },
);

const hasLeft = (pid: number, session: number) => {
  const stat = readProcessStat(pid);
  return stat !== undefined && stat.session !== session && stat.name === 'sleep';
};

test('closing twice, or after the exit, is harmless and gives the same answer', async () => {
  const { pty } = await sh('exit 7');
  await pty.exited;
  const first = pty.close();
  expect(await pty.close()).toEqual(await first);
  expect(await first).toEqual({ survivors: [] });
});

test('closing again with less patience, or with force, gets more', async () => {
  const stubborn = await sh("trap '' HUP TERM; echo on; while :; do sleep 0.1; done");
  await stubborn.see(/on/);
  const patient = stubborn.pty.close({ graceMs: 60_000 });
  await stubborn.pty.close({ graceMs: 0 });
  await patient;
  expect(isRunning(stubborn.pty.pid)).toBe(false);

  const { pty } = await sh('setsid sleep 1000 & sleep 1000');
  await until('it has left', () => descendantPids(pty.pid).some((pid) => hasLeft(pid, pty.pid)));
  expect((await pty.close({ graceMs: 0 })).survivors).toHaveLength(1);
  expect((await pty.close({ force: true })).survivors).toEqual([]);
});

testWith('python3')(
  'closing ends a program whose first thread has ended before the others',
  async () => {
    const exit = process.arch === 'x64' ? 60 : 93;
    const script = `import ctypes, threading, time
threading.Thread(target=lambda: time.sleep(1000)).start()
print("on", flush=True)
ctypes.CDLL(None).syscall(${exit}, 0)`;
    const { pty, see } = await open('python3', ['-c', script]);
    await see(/on/);
    await until('it looks like a zombie', () => readProcessStat(pty.pid)?.state === 'Z');
    expect(await pty.close({ graceMs: 0 })).toEqual({ survivors: [] });
  },
);

test('closing ends a session whose consumer pauses at every chunk', async () => {
  const { pty } = await sh('yes', { onOutput: () => pty.pause() });
  await pty.close({ graceMs: 100 });
  expect(isRunning(pty.pid)).toBe(false);
});

test('closing ends a session whose output nobody takes', async () => {
  const { pty, see } = await sh('yes');
  await see(/y/);
  pty.pause();
  await pty.close({ graceMs: 100 });
  expect(isRunning(pty.pid)).toBe(false);
});

test('a signal reaches every process of the session', async () => {
  const { pty, text } = await sh(
    "trap 'echo leader' USR1; (trap 'echo job; exit' USR1; while :; do sleep 0.05; done) & while :; do sleep 0.05; done",
  );
  await until('both are there', () => descendantPids(pty.pid).length >= 3);
  // A shell handles a signal after its current command. So we send it until both have answered.
  await until('both have answered', async () => {
    if (/leader/.test(text()) && /job/.test(text())) return true;
    await pty.signalSession('USR1');
    return false;
  });
});

/** Holds the terminal with the same path in another /dev/pts, as a container has. */
const holdSamePath = `
import os, sys, time
while True:
    master, slave = os.openpty()
    if os.ttyname(slave) == sys.argv[1]: break
print("holding", flush=True)
time.sleep(1000)
`;

const inContainer = (path: string) =>
  `mount -t devpts -o newinstance,ptmxmode=0666 none /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx && exec python3 -c '${holdSamePath}' ${path}`;

asRoot(testWith('unshare', 'mount', 'python3'))(
  "a container's terminal of the same number is not ours, and its holder survives force",
  async () => {
    const { pty } = await sh('sleep 1000');
    const container = spawn('unshare', ['-m', 'sh', '-c', inContainer(pty.path)]);
    onTestFinished(() => void container.kill('SIGKILL'));
    await once(container.stdout, 'data');
    expect(await pty.close({ graceMs: 0, force: true })).toEqual({ survivors: [] });
    expect(isRunning(container.pid!)).toBe(true);
  },
);

test('asked to end by a signal of the caller, a program sees no hang-up', async () => {
  const { pty, see, text } = await sh(
    "trap 'echo hung up' HUP; trap 'echo asked; exit 3' TERM; echo set; while :; do sleep 0.05; done",
  );
  await see(/set/);
  await pty.close({ signal: 'SIGTERM' });
  expect(await pty.exited).toEqual({ code: 3 });
  expect(text()).toContain('asked');
  expect(text()).not.toContain('hung up');
});

test.each([
  ['graceMs must be milliseconds from 0, not NaN', { graceMs: Number.NaN }],
  ['graceMs must be milliseconds from 0, not -1', { graceMs: -1 }],
  ['graceMs must be milliseconds from 0, not Infinity', { graceMs: Number.POSITIVE_INFINITY }],
  ['There is no signal "NOPE"', { signal: 'NOPE' as NodeJS.Signals }],
])('closing is refused where %s, and can still be done', async (message, options) => {
  const { pty } = await sh("trap '' HUP TERM; while :; do sleep 0.1; done");
  await expect(pty.close(options)).rejects.toThrow(message);
  expect(isRunning(pty.pid)).toBe(true);
  expect(await pty.close({ graceMs: 0 })).toEqual({ survivors: [] });
});

test('a signal by which a program is asked to end may be a real-time one, or lack its SIG', async () => {
  for (const [signal, name] of [
    ['int', 'SIGINT'],
    ['SIG40', 'SIG40'],
  ]) {
    const { pty } = await open('sleep', ['1000']);
    await pty.close({ signal: signal as NodeJS.Signals, graceMs: 60_000 });
    expect(await pty.exited).toEqual({ signal: name });
  }
});

testWith('python3')('what forks itself anew all the time is ended too', async () => {
  const { pty, see } = await open('python3', [
    join(import.meta.dirname, '../../fixtures/phoenix.py'),
  ]);
  await see(/risen/);
  const { survivors } = await pty.close({ graceMs: 100 });
  expect(survivors).toEqual([]);
  // A list of all processes would not show it.
  const left = freezeProcesses(({ session }) => session === pty.pid);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  expect(left).toEqual([]);
});
