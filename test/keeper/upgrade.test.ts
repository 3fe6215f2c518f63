/** The daemon restarted as a newer version, while people and agents work with its sessions. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { OutcomeUnknown } from '../../src/errors.ts';
import { type Person, personInTmux } from '../helpers/cli/tmux.ts';
import {
  connectKept,
  killDaemonOf,
  killKeeperOf,
  parentOf,
  statusOf,
} from '../helpers/daemon/kept-daemon.ts';
import { installNewer } from '../helpers/daemon/newer-version.ts';
import type { OwnDaemon } from '../helpers/daemon/own-daemon.ts';
import { testWith } from '../helpers/needs.ts';
import { until } from '../helpers/until.ts';

const runNewer = async (main: string, daemon: OwnDaemon, ...args: string[]): Promise<string> => {
  const env = { ...process.env, ...daemon.env, NO_COLOR: '1' };
  return (await promisify(execFile)(process.execPath, [main, ...args], { env })).stdout;
};

/** What the person sees is all that the session shows. */
const expectWindowAsScreen = async (person: Person, sessions: DaemonSessions) => {
  let seen = [''];
  let shown = [''];
  await until('the window shows what the screen does', async () => {
    const { output } = await sessions.read('vim', { view: 'screen' });
    shown = output.split('\n').map((line) => line.trimEnd());
    seen = await person.window();
    return seen.join('\n') === shown.join('\n');
  }).catch(() => expect(seen).toEqual(shown));
};

const COUNTER = 'i=0; while :; do i=$((i+1)); echo $i; sleep 0.005; done';

/** Reads all that the counter says, and talks to python, until it is told to stop. */
const workWith = (sessions: DaemonSessions) => {
  let counted = '';
  let isOver = false;
  const read = async () => {
    const { output } = await sessions.read('counter', { view: 'raw', maxTokens: 1_000_000 });
    counted += output;
  };
  const reading = (async () => {
    while (!isOver) await read();
  })();
  const talking = (async () => {
    for (let number = 1; !isOver; number++) {
      try {
        const { output } = await sessions.send('python', { text: `${number} * 7` });
        expect(output).toBe(String(number * 7));
      } catch (error) {
        if (!(error instanceof OutcomeUnknown)) throw error;
      }
    }
  })();
  return {
    failed: Promise.all([reading, talking]),
    finish: async (): Promise<number[]> => {
      isOver = true;
      await Promise.all([reading, talking]);
      await read();
      // The last may be cut in the middle.
      return counted.split(/\r?\n/).filter(Boolean).slice(0, -1).map(Number);
    },
  };
};

testWith('tmux', 'vim', 'python3')(
  'a newer version takes over in the same process: nothing is lost, and a person sees a flicker',
  { timeout: 120_000 },
  async () => {
    const { main, version: NEWER } = installNewer();
    const { daemon, sessions } = await connectKept();
    await sessions.open({ command: ['sh', '-c', COUNTER], name: 'counter', timeoutMs: 0 });
    await sessions.open({ command: ['python3', '-q'], name: 'python' });
    await sessions.open({ command: ['vim', '-u', 'NONE', '-N', '-n'], name: 'vim' });
    for (const name of ['flood1', 'flood2'])
      await sessions.open({ command: ['yes', name], name, timeoutMs: 0 });
    const person = await personInTmux({ ...process.env, ...daemon.env });
    await person.enter('repartee attach vim --take --no-status');
    await person.sees(/^~$/);
    await person.type('ibefore it');
    await person.sees(/^before it$/);
    const before = (await sessions.list()).map(({ session, pid }) => [session, pid]);
    const { pid, version } = await statusOf(daemon);
    expect(version).not.toBe(NEWER);

    expect(await runNewer(main, daemon, 'daemon', 'status')).toContain('repartee daemon restart');
    expect(await runNewer(main, daemon, 'doctor').catch(({ stdout }) => stdout)).toMatch(
      /this is 99\.0\.0: `repartee daemon restart` brings it/,
    );
    // A newer client alone changes nothing.
    await runNewer(main, daemon, 'ls');
    expect(await statusOf(daemon)).toMatchObject({ version });

    const line = `${process.execPath} ${main} daemon restart`;
    expect(await sessions.run(line, { env: daemon.env })).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining('inside one of its sessions may not choose the version'),
    });

    const work = workWith(sessions);
    const restarting = runNewer(main, daemon, 'daemon', 'restart', '--json');
    const said = await Promise.race([restarting, work.failed]);
    expect(JSON.parse(String(said))).toMatchObject({ restarted: true, version: NEWER, pid });
    await person.type(', and after it');
    await person.sees(/^before it, and after it$/);
    await expectWindowAsScreen(person, sessions);
    await expect(sessions.send('vim', { text: 'no' })).rejects.toMatchObject({
      code: 'KEYBOARD_TAKEN',
    });
    const numbers = await work.finish();
    expect(numbers.length).toBeGreaterThan(10);
    const wrong = numbers.findIndex((number, at) => number !== at + 1);
    expect(wrong === -1 ? [] : numbers.slice(wrong - 3, wrong + 3)).toEqual([]);

    expect((await sessions.list()).map(({ session, pid }) => [session, pid])).toEqual(before);
    for (const [, program] of before) expect(parentOf(Number(program))).toBe(pid);
    expect(await statusOf(daemon)).toMatchObject({ version: NEWER, pid, lost: [] });

    // Whatever dies from now on, the newer version is started again.
    await killDaemonOf(daemon);
    expect(await statusOf(daemon)).toMatchObject({ version: NEWER });
    await killKeeperOf(daemon);
    expect(await statusOf(daemon)).toMatchObject({ version: NEWER });
    expect((await sessions.list()).map(({ session, pid }) => [session, pid])).toEqual(before);
    await person.press('Escape');
    await person.type(':q!');
    await person.press('Enter');
    await person.sees(/it exited with code|it was ended/);
  },
);
