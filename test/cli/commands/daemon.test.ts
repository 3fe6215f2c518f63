import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAIN } from '../../helpers/cli/own-cli.ts';
import { killWithKeeper } from '../../helpers/daemon/kill-daemon.ts';
import { type OwnDaemon, ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { until } from '../../helpers/until.ts';

const repartee = (daemon: OwnDaemon, ...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const env = { ...process.env, ...daemon.env };
    execFile(process.execPath, [MAIN, 'daemon', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
    );
  });

test('daemon start, status and stop: it starts, reports its state, and ends with its sessions', async () => {
  const daemon = ownDaemon();
  const before = await repartee(daemon, 'status');
  expect(before).toMatchObject({ code: 1, output: expect.stringContaining('is not running') });
  expect(before.output).toContain(daemon.paths.socket);

  expect(await repartee(daemon, 'start')).toMatchObject({ code: 0 });
  const pid = await daemon.pid();
  expect(await repartee(daemon, 'start')).toMatchObject({ code: 0 });
  expect(await daemon.pid()).toBe(pid);

  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'] });
  const { output } = await repartee(daemon, 'status');
  expect(output).toMatch(
    /^The daemon runs: version .*, process \d+, .* 1 client, 1 session \(cat\)/,
  );

  expect(await repartee(daemon, 'stop')).toEqual({
    code: 0,
    output: 'The daemon has ended, with 1 session (cat).\n',
  });
  await until('the process is gone', () => !isAlive(pid));
  await until('its socket is gone', () => !existsSync(daemon.paths.socket));
  expect(await repartee(daemon, 'stop')).toEqual({
    code: 0,
    output: 'The daemon was not running.\n',
  });
});

test('daemon start names the sessions lost in a crash, and their recordings', async () => {
  const daemon = ownDaemon();
  const sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'gone' });
  await sessions[Symbol.asyncDispose]();
  await killWithKeeper(daemon);
  const { output } = await repartee(daemon, 'start');
  const [, recording = ''] =
    /lost with an earlier daemon: gone \(recording: (.*)\)/.exec(output) ?? [];
  expect(existsSync(recording)).toBe(true);
  expect((await repartee(daemon, 'status')).output).not.toContain('gone');
});

test('daemon status --json', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const { output } = await repartee(daemon, 'status', '--json');
  expect(JSON.parse(output)).toMatchObject({
    running: true,
    pid,
    clients: 0,
    sessions: [],
    lost: [],
    socket: daemon.paths.socket,
  });
});

test('daemon restart goes on with the sessions, or says why it does not', async () => {
  const daemon = ownDaemon();
  expect(await repartee(daemon, 'restart')).toEqual({
    code: 1,
    output: 'The daemon is not running.\n',
  });
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  const { code, output } = await repartee(daemon, 'restart');
  expect([code, output]).toEqual([
    0,
    expect.stringContaining(`process ${pid}, with 1 session (cat)`),
  ]);
  expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
});

test('daemon restart is refused by a daemon whose sessions would end with it', async () => {
  const daemon = ownDaemon();
  await using _sessions = await daemon.connect({ keeper: false });
  const pid = await daemon.pid();
  const { code, output } = await repartee(daemon, 'restart', '--json');
  expect(code).toBe(1);
  expect(JSON.parse(output)).toMatchObject({ error: { code: 'RESTART_REFUSED' } });
  expect(await daemon.pid()).toBe(pid);
});

test('daemon without a subcommand, or with an unknown one, is wrong usage', async () => {
  const daemon = ownDaemon();
  expect(await repartee(daemon)).toMatchObject({ code: 2 });
  expect(await repartee(daemon, 'resume')).toMatchObject({ code: 2 });
});
