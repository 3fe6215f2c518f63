/** The keeper as systemd starts it: with a socket that listens already. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isInstalled } from '../../scripts/installed.js';
import { isListeningInState } from '../../src/daemon/client/find-daemon.ts';
import { keeperCommand } from '../../src/daemon/client/start-daemon.ts';
import { quoteForUnit, systemdUnits } from '../../src/daemon/client/systemd-unit.ts';
import { ensurePrivateFolder } from '../../src/daemon/protocol/path-ownership.ts';
import { listenOnPath } from '../../src/system/unix-listener.ts';
import { MAIN } from '../helpers/cli/own-cli.ts';
import { keeperOf, killDaemon } from '../helpers/daemon/kill-daemon.ts';
import {
  DAEMON_PROGRAM,
  KEEPER_PROGRAM,
  type OwnDaemon,
  ownDaemon,
} from '../helpers/daemon/own-daemon.ts';
import { isAlive } from '../helpers/daemon/processes.ts';
import { folderWith } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

/** What systemd does before there is any client. */
const listenFor = ({ paths }: OwnDaemon): number => {
  ensurePrivateFolder(paths.runtimeFolder, 'runtime');
  const listening = listenOnPath(paths.socket);
  onTestFinished(() => closeSync(listening));
  return listening;
};

/** `variables`: as for a shell, which then becomes the keeper. */
const startKeeper = (
  { paths, env }: OwnDaemon,
  descriptor: number,
  variables = 'LISTEN_FDS=1 LISTEN_PID=$$',
): { keeper: ChildProcess; printed: () => string } => {
  const command = [
    process.execPath,
    ...keeperCommand(paths, [DAEMON_PROGRAM, JSON.stringify({ paths })], KEEPER_PROGRAM),
  ];
  const keeper = spawn(
    'sh',
    ['-c', `export ${variables} SECRET=4711; exec "$@"`, 'sh', ...command],
    {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe', descriptor],
    },
  );
  let printed = '';
  keeper.stderr!.on('data', (chunk) => {
    printed += chunk;
  });
  onTestFinished(() => void keeper.kill('SIGTERM'));
  return { keeper, printed: () => printed };
};

test('a client that waits at the socket is served, and the socket outlives keeper and daemon', async () => {
  const daemon = ownDaemon();
  const listening = listenFor(daemon);
  for (const name of ['first', 'second']) {
    // As systemd does: it starts the service for the first who connects.
    const connecting = daemon.connect({ start: false });
    const { keeper } = startKeeper(daemon, listening);
    const exited = once(keeper, 'exit');
    await using sessions = await connecting;
    await sessions.open({ command: ['cat'], name });
    expect(await keeperOf(daemon)).toBe(keeper.pid);
    await killDaemon(daemon);
    expect((await sessions.send(name, { text: 'still here' })).output).toBe('still here');
    const { ended } = await stop(daemon);
    expect(ended).toEqual([name]);
    expect(await exited).toEqual([0, null]);
    expect(existsSync(daemon.paths.socket)).toBe(true);
    expect(existsSync(daemon.paths.stateSocket)).toBe(false);
  }
});

const stop = async ({ env }: OwnDaemon): Promise<{ ended: string[] }> => {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  return JSON.parse(execFileSync(process.execPath, [MAIN, 'daemon', 'stop', '--json'], options));
};

test('neither the daemon nor its programs inherit anything of it', async () => {
  const daemon = ownDaemon();
  const { keeper } = startKeeper(daemon, listenFor(daemon));
  await using sessions = await daemon.connect({ start: false });
  const { output } = await sessions.open({
    command: 'env | grep -E "LISTEN|SECRET"; ls -1 /proc/self/fd',
  });
  expect(output).toBe('0\n1\n2\n3');
  keeper.kill('SIGTERM');
  await once(keeper, 'exit');
});

test('variables that are meant for another process are ignored', async () => {
  const daemon = ownDaemon();
  const listening = listenFor(daemon);
  // Nobody listens at our own path: a daemon would be taken for ours.
  rmSync(daemon.paths.socket);
  const { keeper } = startKeeper(daemon, listening, 'LISTEN_FDS=1 LISTEN_PID=1');
  await until('it has created its own', () => isListeningInState(daemon.paths));
  await using sessions = await daemon.connect({ start: false });
  expect(await sessions.list()).toEqual([]);
  const exited = once(keeper, 'exit');
  keeper.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  // It has taken its own away again.
  expect(existsSync(daemon.paths.socket)).toBe(false);
});

test.each([
  [
    'a file',
    'LISTEN_FDS=1 LISTEN_PID=$$',
    /descriptor 3 of LISTEN_FDS is no listening unix socket/,
  ],
  ['several sockets', 'LISTEN_FDS=2 LISTEN_PID=$$', /LISTEN_FDS is 2/],
])('%s instead of one socket: the keeper says so and ends', async (_what, variables, message) => {
  const daemon = ownDaemon();
  const file = openSync(join(folderWith({ file: '' }), 'file'), 'r');
  onTestFinished(() => closeSync(file));
  const { keeper, printed } = startKeeper(daemon, file, variables);
  expect(await once(keeper, 'close')).toEqual([1, null]);
  expect(printed()).toMatch(message);
});

test('a daemon that a client has started is not replaced', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const pid = await daemon.pid();
  // systemd takes the path of a socket that exists.
  rmSync(daemon.paths.socket);
  const { keeper, printed } = startKeeper(daemon, listenFor(daemon));
  const inode = () => statSync(daemon.paths.socket, { throwIfNoEntry: false })?.ino;
  const activated = inode();
  expect(await once(keeper, 'close')).toEqual([1, null]);
  expect(printed()).toContain('which systemd has not started');
  // Nobody answers at the other one.
  await until('the daemon listens again', () => inode() !== undefined && inode() !== activated);
  expect(await daemon.pid()).toBe(pid);
  expect(isAlive(pid)).toBe(true);
  expect(await sessions.list()).toMatchObject([{ session: 'cat' }]);
});

test('`repartee daemon unit` prints a socket and a service, and installs nothing', () => {
  const { env, paths, folder } = ownDaemon();
  const options = { env: { ...process.env, ...env, HOME: folder }, encoding: 'utf8' } as const;
  const printed = execFileSync(process.execPath, [MAIN, 'daemon', 'unit'], options);
  expect(printed).toContain('# ~/.config/systemd/user/repartee.socket\n[Unit]');
  expect(printed).toContain(`\nListenStream=${paths.socket}\n`);
  expect(printed).toContain('# ~/.config/systemd/user/repartee.service\n[Unit]');
  expect(printed).toMatch(/\nExecStart='.*node' '.*keeper\/main.js' '{"daemon":/);
  expect(printed).toContain('\nKillMode=process\nOOMPolicy=continue\n');
  expect(existsSync(join(folder, '.config'))).toBe(false);
  const json = execFileSync(process.execPath, [MAIN, 'daemon', 'unit', '--json'], options);
  expect(JSON.parse(json)).toMatchObject({ units: [{ name: 'repartee.socket' }, {}] });
});

test('what means something to systemd is quoted in a unit', () => {
  expect(quoteForUnit(`{"a":"100% of $HOME, it's \\ "}`)).toBe(
    `'{"a":"100%% of $$HOME, it\\'s \\\\ "}'`,
  );
});

/** Not among the programs that tests need: it comes with all of systemd. */
const isSystemdThere = isInstalled('systemd-analyze');
test.skipIf(!isSystemdThere)('systemd finds no fault with the units', () => {
  const daemon = ownDaemon();
  const units = folderWith();
  const files = systemdUnits(daemon.paths).map(({ name, text }) => {
    // The command of the build, not that of the sources.
    const built = text.replaceAll(/\S+\/src\/(\S*?)\.js/g, (found) =>
      found.replace('/src/', '/dist/'),
    );
    writeFileSync(join(units, name), built);
    return join(units, name);
  });
  const options = { env: { ...process.env, ...daemon.env, SYSTEMD_LOG_LEVEL: 'warning' } };
  const args = ['verify', '--user', '--man=no', ...files];
  const printed = execFileSync('systemd-analyze', args, { ...options, encoding: 'utf8' });
  expect(printed).toBe('');
  expect(readFileSync(files[1]!, 'utf8')).toContain('ExecStart=');
});
