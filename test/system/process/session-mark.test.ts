import { type SpawnOptions, spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { lockLimitsOf } from '../../../src/system/proc/lock-limits.ts';
import { allPids, commandLineOf } from '../../../src/system/proc/process-info.ts';
import { freezeProcesses, startedSince } from '../../../src/system/process/freeze-processes.ts';
import { sessionMarkOf } from '../../../src/system/process/session-mark.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { asRoot, testWith } from '../../helpers/needs.ts';
import { isRunning, open, sh } from '../../helpers/open-terminal.ts';
import { until } from '../../helpers/until.ts';

let count = 0;

/** A sleep that is like no other, and ends by itself. */
const uniqueSleep = (): string => `sleep 45.${process.pid}${count++}`;

/** Leaves its session, its parents, its environment and its terminal. Nobody waits for it. */
const leaves = (command: string): string =>
  `(trap "" HUP; setsid env -i ${command} </dev/null >/dev/null 2>&1 &)`;

const pidOf = (command: string): number | undefined =>
  allPids().find((pid) => commandLineOf(pid) === `${command.replaceAll(' ', '\0')}\0`);

const pidsOf = async (command: string): Promise<number> => {
  await until(`${command} runs`, () => pidOf(command) !== undefined);
  return pidOf(command)!;
};

const becoming: [string, string, (command: string) => string][] = [
  ['setpriv', 'setpriv', (command) => `setpriv --reuid 65534 --clear-groups sh -c '${command}'`],
  ['su', 'su', (command) => `su -s /bin/sh nobody -c '${command}'`],
  ['sudo', 'sudo', (command) => `sudo -u nobody sh -c '${command}'`],
];

testWith('setsid', 'env')(
  'what has left without a trace is named, and ended by force',
  async () => {
    const command = uniqueSleep();
    const { pty } = await sh(`${leaves(command)}; sleep 1000`);
    const pid = await pidsOf(command);
    const { survivors } = await pty.close({ graceMs: 100 });
    expect(survivors).toEqual([{ pid, name: 'sleep' }]);
    expect(await pty.close({ force: true })).toEqual({ survivors: [] });
    expect(isRunning(pid)).toBe(false);
  },
);

for (const [what, program, wrap] of becoming)
  asRoot(testWith('setsid', 'env', program))(
    `what has left without a trace as another user (${what}) is named, and ended by force`,
    async () => {
      const command = uniqueSleep();
      const { pty } = await sh(`read go; ${wrap(leaves(command))}; sleep 1000`);
      // Without the right to raise limits, we can give it the whole mark only when it has started.
      await until('it is marked', () => (lockLimitsOf(pty.pid)?.hard ?? Infinity) < Infinity);
      await pty.write('\n');
      const pid = await pidsOf(command);
      const { survivors } = await pty.close({ graceMs: 100 });
      expect(survivors.map((survivor) => survivor.pid)).toContain(pid);
      expect(await pty.close({ force: true })).toEqual({ survivors: [] });
      expect(isRunning(pid)).toBe(false);
    },
  );

testWith('setsid', 'env')(
  'in the daemon, also what a program starts before its pid is known',
  async () => {
    const daemon = ownDaemon();
    await using sessions = await daemon.connect();
    const own = lockLimitsOf(await daemon.pid());
    const commands = Array.from({ length: 12 }, uniqueSleep);
    await Promise.all(
      commands.map(async (sleep) => {
        const { session } = await sessions.open({ command: ['/bin/sh', '-c', leaves(sleep)] });
        const pid = await pidsOf(sleep);
        if (pid % 2 === 0) {
          expect(await sessions.close(session, { force: true })).toEqual({ survivors: [] });
          expect(isRunning(pid)).toBe(false);
        } else {
          expect(await sessions.close(session)).toEqual({ survivors: [{ pid, name: 'sleep' }] });
          process.kill(pid);
        }
      }),
    );
    expect(lockLimitsOf(await daemon.pid())).toEqual(own);
  },
);

/** Loses the mark too: everybody may lower a limit, and only root can raise it again. */
const unmarked = (command: string): string => `prlimit --locks=5:5 ${command}`;
const testUnmarked = testWith('setsid', 'env', 'prlimit');

testUnmarked(
  'what has lost its mark is named, and ended by force, if its parent runs',
  async () => {
    const command = uniqueSleep();
    const lost = `setsid env -i ${unmarked(command)} </dev/null >/dev/null 2>&1`;
    const { pty } = await sh(`${lost} & sleep 1000`);
    const pid = await pidsOf(command);
    const { survivors } = await pty.close({ graceMs: 100 });
    expect(survivors).toEqual([{ pid, name: 'sleep' }]);
    expect(await pty.close({ force: true })).toEqual({ survivors: [] });
    expect(isRunning(pid)).toBe(false);
  },
);

/** Opens a session that starts only this, and ends. */
const openLost = async (sessions: DaemonSessions) => {
  const sleep = uniqueSleep();
  const command = ['/bin/sh', '-c', leaves(unmarked(sleep))];
  const { session } = await sessions.open({ command });
  return { session, pid: await pidsOf(sleep) };
};

testUnmarked('in the daemon, what has lost its mark and its parents is named', async () => {
  await using sessions = await ownDaemon().connect();
  const { session, pid } = await openLost(sessions);
  expect(await sessions.close(session)).toEqual({ survivors: [{ pid, name: 'sleep' }] });
  expect(process.kill(pid)).toBe(true);
});

testUnmarked(
  'in the daemon, what has lost its mark and its parents is ended by force',
  async () => {
    await using sessions = await ownDaemon().connect();
    const { session, pid } = await openLost(sessions);
    expect(await sessions.close(session, { force: true })).toEqual({ survivors: [] });
    expect(isRunning(pid)).toBe(false);
  },
);

testUnmarked(
  'what several sessions may have started is ended by force of all of them',
  async () => {
    await using sessions = await ownDaemon().connect();
    const sleeps = { command: ['sleep', '1000'], timeoutMs: 1 };
    const older = await sessions.open(sleeps);
    const { session, pid } = await openLost(sessions);
    const younger = await sessions.open(sleeps);
    const named = { survivors: [{ pid, name: 'sleep' }] };
    expect(await sessions.close(younger.session, { force: true })).toEqual({ survivors: [] });
    expect(await sessions.close(older.session, { force: true })).toEqual(named);
    expect(isRunning(pid)).toBe(true);
    expect(await sessions.close(session, { force: true })).toEqual({ survivors: [] });
    expect(isRunning(pid)).toBe(false);
  },
);

testUnmarked('what the rest of a closed session may have started is named, not ended', async () => {
  await using sessions = await ownDaemon().connect();
  const closed = await openLost(sessions);
  await sessions.close(closed.session);
  const { session, pid } = await openLost(sessions);
  const named = { survivors: [{ pid, name: 'sleep' }] };
  expect(await sessions.close(session, { force: true })).toEqual(named);
  for (const each of [closed.pid, pid]) expect(process.kill(each)).toBe(true);
});

testUnmarked(
  'what several sessions may have started is named once when all are closed',
  async () => {
    await using sessions = await ownDaemon().connect();
    await sessions.open({ command: ['sleep', '1000'], timeoutMs: 1 });
    const { pid } = await openLost(sessions);
    expect(await sessions.closeAll()).toEqual({ survivors: [{ pid, name: 'sleep' }] });
    expect(process.kill(pid)).toBe(true);
  },
);

testWith('python3')(
  'what has left and forks itself anew all the time is ended by force',
  async () => {
    const forks = join(import.meta.dirname, '../../hostile/programs/forks.py');
    const { pty } = await open('python3', [forks, 'phoenix-left']);
    const isPhoenix = ({ pid }: { pid: number }) => commandLineOf(pid).endsWith(`${forks}\0rise\0`);
    await until('it has left', () => startedSince(pty.pid, isPhoenix).length > 0);
    const { survivors } = await pty.close({ graceMs: 100, force: true });
    expect(survivors).toEqual([]);
    // A list of all processes would not show it.
    const left = freezeProcesses(isPhoenix);
    for (const { pid } of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
  },
);

test('what other code starts at the same time is not marked', async () => {
  const own = lockLimitsOf(process.pid);
  for (let round = 0; round < 10; round++) {
    const opening = sh('sleep 1000');
    // Not in the turn in which the program is started.
    await new Promise((next) => setImmediate(next));
    const child = spawn('sleep', ['30'], { detached: true, stdio: 'ignore' });
    const { pty } = await opening;
    expect(lockLimitsOf(child.pid!)).toEqual(own);
    expect(await pty.close({ graceMs: 0, force: true })).toEqual({ survivors: [] });
    expect(child.kill()).toBe(true);
  }
});

/** As a child that has become another user before its mark could be taken from it. */
const startMarked = async (mark: number, options: SpawnOptions, script: string) => {
  const args = [`--locks=${mark}:${mark}`, 'sh', '-c', script];
  const child = spawn('prlimit', args, { stdio: 'ignore', ...options });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

for (const detached of [false, true])
  testWith('prlimit', 'setsid')(
    `what other code has started${detached ? ', detached,' : ''} is not ended, though it has the mark`,
    async () => {
      const { pty } = await sh('sleep 1000');
      const mark = sessionMarkOf(pty.mark)!;
      const command = uniqueSleep();
      const child = await startMarked(mark, { detached }, `setsid ${command}; sleep 45`);
      const pid = await pidsOf(command);
      expect(lockLimitsOf(pid)?.soft).toBe(mark);
      expect(await pty.close({ graceMs: 0, force: true })).toEqual({ survivors: [] });
      expect([isRunning(pid), isRunning(child.pid!)]).toEqual([true, true]);
      process.kill(pid);
    },
  );

test('a program of another session, and this process, have other marks', async () => {
  const own = lockLimitsOf(process.pid);
  const [one, other] = [await sh('sleep 1000'), await sh('sleep 1000')];
  expect(lockLimitsOf(one.pty.pid)).not.toEqual(lockLimitsOf(other.pty.pid));
  expect(lockLimitsOf(process.pid)).toEqual(own);
  await one.pty.close({ graceMs: 0, force: true });
  expect(isRunning(other.pty.pid)).toBe(true);
});
