/** The daemon restarted in its own process: nothing of it changes but the program. */
import { execFile, spawn } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MAIN } from '../helpers/cli/own-cli.ts';
import {
  connectKept,
  killDaemonOf,
  parentOf,
  processFacts,
  requestRestart,
  restart,
  statusOf,
} from '../helpers/daemon/kept-daemon.ts';
import { NOBODY } from '../helpers/daemon/nobody.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { asRoot, openToOthers, testWith } from '../helpers/needs.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

testWith('bash', 'python3')(
  'sessions go on in the same process: programs stay its children, verdicts stay certain',
  async () => {
    const { daemon, sessions } = await connectKept();
    await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
    await sessions.send('sh', { text: 'x=42; echo first' });
    await sessions.open({ command: ['python3', '-q'], name: 'py' });
    await sessions.send('py', { text: 'y = 6' });
    await sessions.type('sh', Buffer.from('echo unread\r'));
    const before = (await sessions.list()).map(({ session, pid }) => [session, pid]);
    const { pid } = await statusOf(daemon);
    const keeper = parentOf(pid);
    expect(await restart(daemon)).toMatchObject({ pid, kept: true, lost: [] });
    expect(parentOf(pid)).toBe(keeper);
    expect((await sessions.list()).map(({ session, pid }) => [session, pid])).toEqual(before);
    for (const [, program] of before) expect(parentOf(Number(program))).toBe(pid);
    expect(await sessions.send('py', { text: 'y * 7' })).toMatchObject({
      output: '42',
      state: 'waiting',
      certainty: 'certain',
    });
    expect((await sessions.wait({ sessions: ['sh'] })).output).toContain('unread');
    expect((await sessions.send('sh', { text: 'echo $x' })).output).toContain('42');
    expect((await sessions.read('sh', { view: 'screen' })).output).toContain('first');
    await killDaemonOf(daemon);
    expect((await sessions.send('sh', { text: 'echo $x' })).output).toContain('42');
  },
);

test('a client that waits, reads and listens goes on as if nothing had happened', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['sh'], name: 'sh' });
  const events: string[] = [];
  sessions.subscribe((event) => events.push(event.type), 'sh');
  const waiting = sessions.wait({ sessions: ['sh'], match: 'it is here', timeoutMs: 60_000 });
  const reading = sessions.read('sh', { until: 'output', timeoutMs: 60_000 }, { reader: 'other' });
  await restart(daemon);
  await sessions.send('sh', { text: 'echo it is "here"' });
  expect(await waiting).toMatchObject({ session: 'sh' });
  expect(await reading).toMatchObject({ session: 'sh' });
  await until('it hears of the output', () => events.includes('output'));
});

test('read --follow, also --raw, misses nothing and repeats nothing', async () => {
  const { daemon, sessions } = await connectKept();
  const script = 'i=0; while :; do i=$((i+1)); echo $i; sleep 0.01; done';
  await sessions.open({ command: ['sh', '-c', script], name: 'counter', timeoutMs: 0 });
  const followed = [[], ['--raw']].map((options) => {
    const args = [MAIN, 'read', 'counter', '--follow', '--from', '0', ...options];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...daemon.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill());
    const printed = { text: '' };
    child.stdout.on('data', (chunk) => {
      printed.text += chunk;
    });
    return printed;
  });
  const numbersOf = ({ text }: { text: string }) => text.split(/\r?\n/).slice(0, -1).map(Number);
  for (let round = 0; round < 2; round++) {
    const last = Math.max(...followed.flatMap(numbersOf), 0);
    await until('more is printed', () =>
      followed.every((each) => numbersOf(each).some((number) => number > last)),
    );
    await restart(daemon);
  }
  const { position } = await sessions.read('counter', { view: 'raw' });
  await until('all is printed', () => followed[1]!.text.length >= position);
  for (const each of followed) {
    const numbers = numbersOf(each);
    expect(numbers).toEqual(Array.from(numbers, (_, at) => at + 1));
  }
});

test('calls that are under way come to their end, and none is done twice', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const said: string[] = [];
  let isOver = false;
  const talking = (async () => {
    for (let line = 0; !isOver; line++) {
      const { output } = await sessions.send('cat', { text: `line ${line}` });
      expect(output).toBe(`line ${line}`);
      said.push(output);
    }
  })();
  for (let round = 0; round < 3; round++) await Promise.race([restart(daemon), talking]);
  isOver = true;
  await talking;
  const { output } = await sessions.read('cat', { view: 'raw', from: 0, maxTokens: 1_000_000 });
  for (const line of said)
    expect(output.split('\r\n').filter((each) => each === line)).toEqual([line, line]);
});

test('a call that has typed and waits goes on waiting, also for two restarts', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['bash', '--norc'], name: 'sh' });
  const gate = makeGate();
  const sent = sessions.send('sh', { text: `echo begun; ${gate.wait}; echo "d"one` });
  sent.catch(() => {});
  await sessions.wait({ sessions: ['sh'], match: '^begun' }, { reader: 'other' });
  for (let round = 0; round < 2; round++) await restart(daemon);
  gate.open();
  expect((await sent).output).toMatch(/^begun\ndone$/m);
  const { output } = await sessions.read('sh', { view: 'raw', from: 0 });
  expect(output.match(/echo begun/g)).toHaveLength(1);
});

test('a program that ends meanwhile is told with its code', async () => {
  const { daemon, sessions } = await connectKept();
  const gate = makeGate();
  const names = ['first', 'second', 'third'];
  for (const name of names)
    await sessions.open({ command: ['sh', '-c', `${gate.wait}; exit 7`], name, timeoutMs: 0 });
  const programs = (await sessions.list()).map(({ pid }) => pid);
  await requestRestart(daemon);
  gate.open();
  for (const name of names)
    expect(await sessions.wait({ sessions: [name], until: 'exit' })).toMatchObject({ exitCode: 7 });
  expect(programs.filter(isAlive)).toEqual([]);
  expect(programs.filter((pid) => parentOrNone(pid) !== undefined)).toEqual([]);
});

const parentOrNone = (pid: number): number | undefined => {
  try {
    return parentOf(pid);
  } catch {
    return undefined;
  }
};

test('the process is as it was: its signals, streams, folder, limits and descriptors', async () => {
  const { daemon, sessions } = await connectKept();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const { pid } = await statusOf(daemon);
  const look = () => ({
    ...processFacts(pid),
    links: ['fd/0', 'fd/1', 'fd/2', 'cwd', 'exe'].map((name) =>
      readlinkSync(`/proc/${pid}/${name}`),
    ),
    // The second daemon began with those that the first has handed over.
    terminals: linksOf(pid)
      .filter((link) => /ptmx|repartee-session/.test(link))
      .sort(),
  });
  await restart(daemon);
  // It goes on with all sessions.
  await sessions.list();
  const before = look();
  const descriptors = linksOf(pid).length;
  for (let round = 0; round < 3; round++) await restart(daemon);
  await sessions.list();
  expect(look()).toEqual(before);
  expect(linksOf(pid).length).toBeLessThan(descriptors + 4);
});

const linksOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`);
    } catch {
      return [];
    }
  });

openToOthers(asRoot(test))(
  'an ordinary user looks into neither daemon nor keeper, before and after, and gets exit codes',
  async () => {
    const daemon = ownDaemon();
    chownSync(daemon.folder, NOBODY, NOBODY);
    const script = join(import.meta.dirname, '../fixtures/restart-as-user.js');
    const { stdout } = await promisify(execFile)(process.execPath, [script], {
      uid: NOBODY,
      gid: NOBODY,
      env: { PATH: process.env.PATH, HOME: daemon.folder, ...daemon.env },
    });
    expect(JSON.parse(stdout)).toEqual({
      isSame: true,
      before: [true, true],
      afterRestart: [true, true],
      afterKill: [true, true],
      codes: [7, 8],
    });
  },
);

test('an older client restarts the daemon as the version that it has', async () => {
  const { daemon } = await connectKept();
  const { version } = await statusOf(daemon);
  const asking = { version: '0.0.1', path: '/nowhere/main.js' };
  expect(await restart(daemon, asking)).toMatchObject({ version });
});

describe('a restart is refused, and nothing is done,', () => {
  test('if the daemon has no keeper', async () => {
    const daemon = ownDaemon();
    await using _sessions = await daemon.connect({ keeper: false });
    const pid = await daemon.pid();
    await expect(requestRestart(daemon)).rejects.toMatchObject({ code: 'RESTART_REFUSED' });
    expect((await statusOf(daemon)).pid).toBe(pid);
  });

  test.each([
    ['there is no', () => '/nowhere/main.js'],
    ['can be written to by others', () => programThat('process.exit(0)', 0o777)],
    ['cannot go on with its sessions', () => programThat('throw new Error("other format")')],
    ['Error: other format', () => programThat('throw new Error("other format")')],
  ])('if of the newer program it must be said: %s', async (said, makeProgram) => {
    const { daemon, sessions } = await connectKept();
    await sessions.open({ command: ['cat'], name: 'cat' });
    const { startedAt } = await statusOf(daemon);
    await expect(
      requestRestart(daemon, { version: '99.0.0', path: makeProgram() }),
    ).rejects.toMatchObject({
      code: 'RESTART_REFUSED',
      details: { reason: expect.stringContaining(said) },
    });
    expect((await statusOf(daemon)).startedAt).toBe(startedAt);
    expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
  });
});

const programThat = (script: string, mode = 0o644): string => {
  const path = join(folderWith({ 'main.mjs': script }), 'main.mjs');
  chmodSync(path, mode);
  return path;
};
