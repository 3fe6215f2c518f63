/** A daemon is found in its state folder while its runtime folder is gone, as after the last logout. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isListeningInState, openDaemonSocket } from '../../../src/daemon/client/find-daemon.ts';
import { startDaemon } from '../../../src/daemon/client/start-daemon.ts';
import { daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../../../src/daemon/protocol/path-ownership.ts';
import { libc } from '../../../src/system/libc.ts';
import { MAX_SOCKET_PATH_BYTES } from '../../../src/system/socket-path.ts';
import { listenOnPath } from '../../../src/system/unix-listener.ts';
import { MAIN } from '../../helpers/cli/own-cli.ts';
import { killDaemon } from '../../helpers/daemon/kill-daemon.ts';
import {
  DAEMON_PROGRAM,
  KEEPER_PROGRAM,
  type OwnDaemon,
  type OwnDaemonOptions,
  ownDaemon,
} from '../../helpers/daemon/own-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { environment } from '../../helpers/mcp/doors.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';

/** By the library, the command line and MCP. None of them knows paths from before. */
const sessionsByEveryDoor = async ({ env, connect: connectTo }: OwnDaemon): Promise<string[][]> => {
  await using library = await connectTo({ start: false, paths: daemonPaths(env) });
  const listed = await library.list();
  const printed = await new Promise<string>((resolve) => {
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, [MAIN, 'ls', '--json'], options, (_error, stdout) =>
      resolve(stdout),
    );
  });
  const client = new Client({ name: 'a test', version: '1' });
  const args = [MAIN, 'mcp'];
  const server = { command: process.execPath, args, env: environment(env) };
  await client.connect(new StdioClientTransport({ ...server, stderr: 'inherit' }));
  const { structuredContent } = await client.callTool({
    name: 'terminal_list',
    arguments: { all: true },
  });
  await client.close();
  const byMcp = (structuredContent as { sessions: { session: string }[] }).sessions;
  const { sessions: byCommand } = JSON.parse(printed) as { sessions: { session: string }[] };
  return [listed, byCommand, byMcp].map((all) => all.map(({ session }) => session));
};

const everywhere = [['cat'], ['cat'], ['cat']];

const deep: OwnDaemonOptions = {
  runtime: 'run',
  state: join(...Array(5).fill('a-long-name-of-a-folder')),
};

describe.each([
  ['a daemon without a keeper', false as const, { runtime: 'run' }],
  ['a daemon', KEEPER_PROGRAM, { runtime: 'run' }],
  ['a daemon without a keeper whose state folder is too deep for a socket', false as const, deep],
  ['a daemon whose state folder is too deep', KEEPER_PROGRAM, deep],
])('%s', (_what, keeper, options) => {
  test('is found by every door while its runtime folder is gone, and after it is back', async () => {
    const daemon = ownDaemon(options);
    const { paths, env } = daemon;
    const isDeep = Buffer.byteLength(paths.stateSocket) > MAX_SOCKET_PATH_BYTES;
    expect(isDeep).toBe(options === deep);
    await using sessions = await daemon.connect({ keeper });
    await sessions.open({ command: ['cat'], name: 'cat' });
    const pid = await daemon.pid();
    expect(statSync(paths.stateSocket).mode & 0o777).toBe(0o600);

    rmSync(env.XDG_RUNTIME_DIR!, { recursive: true });
    expect(daemonPaths(env).socket).not.toBe(paths.socket);
    expect(await sessionsByEveryDoor(daemon)).toEqual(everywhere);
    expect(await daemon.pid()).toBe(pid);
    expect(existsSync(dirname(paths.runtimeFolder))).toBe(false);

    mkdirSync(env.XDG_RUNTIME_DIR!, { mode: 0o700 });
    expect(await sessionsByEveryDoor(daemon)).toEqual(everywhere);
    await until('it listens again in the runtime folder', () => existsSync(paths.socket));
    expect(await sessionsByEveryDoor(daemon)).toEqual(everywhere);
    expect(await daemon.pid()).toBe(pid);
    expect((await sessions.send('cat', { text: 'still here' })).output).toBe('still here');
  });
});

test('a daemon that was killed goes on without its runtime folder, and is found', async () => {
  const daemon = ownDaemon({ runtime: 'run' });
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  rmSync(daemon.env.XDG_RUNTIME_DIR!, { recursive: true });
  await killDaemon(daemon);
  expect(await sessionsByEveryDoor(daemon)).toEqual(everywhere);
  mkdirSync(daemon.env.XDG_RUNTIME_DIR!, { mode: 0o700 });
  await until('it listens again in the runtime folder', () => existsSync(daemon.paths.socket));
  expect(await sessionsByEveryDoor(daemon)).toEqual(everywhere);
});

test.each([false as const, KEEPER_PROGRAM])(
  'a second socket that is gone too is created again (keeper: %s)',
  async (keeper) => {
    const daemon = ownDaemon({ runtime: 'run' });
    await using sessions = await daemon.connect({ keeper });
    await sessions.open({ command: ['cat'], name: 'cat' });
    rmSync(daemon.paths.stateFolder, { recursive: true });
    rmSync(daemon.env.XDG_RUNTIME_DIR!, { recursive: true });
    await until('the second socket is back', () => isListeningInState(daemon.paths));
    expect(await sessionsByEveryDoor(daemon)).toEqual(everywhere);
  },
);

test('a daemon that ends leaves neither socket behind, and a killed one is no hindrance', async () => {
  const daemon = ownDaemon({ runtime: 'run' });
  for (const keeper of [false as const, KEEPER_PROGRAM]) {
    const sessions = await daemon.connect({ keeper });
    const pid = await daemon.pid();
    expect(existsSync(daemon.paths.stateSocket)).toBe(true);
    await sessions[Symbol.asyncDispose]();
    process.kill(pid, 'SIGTERM');
    await until('both are gone', () =>
      [daemon.paths.socket, daemon.paths.stateSocket].every((path) => !existsSync(path)),
    );
    await until('it has ended', () => !isAlive(pid));
  }
  await using killed = await daemon.connect();
  expect(await killed.list()).toEqual([]);
  await killDaemon(daemon);
  expect(existsSync(daemon.paths.stateSocket)).toBe(true);
  await using next = await daemon.connect();
  expect(await next.list()).toEqual([]);
  expect(
    readdirSync(daemon.paths.stateFolder).filter((name) => name.endsWith('.sock')),
  ).toHaveLength(1);
});

test('no second daemon is started by one that was begun before the folder was gone', async () => {
  const daemon = ownDaemon({ runtime: 'run' });
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  const moved = `${daemon.env.XDG_RUNTIME_DIR}-moved`;
  renameSync(daemon.env.XDG_RUNTIME_DIR!, moved);
  const env = { ...process.env, ...daemon.env };
  for (const keeper of [false as const, KEEPER_PROGRAM]) {
    const second = startDaemon(daemon.paths, { program: DAEMON_PROGRAM, env, keeper });
    await until('it has ended', () => second.exitCode !== undefined);
    expect(second.exitCode).toBe(0);
  }
  expect(await sessions.list()).toMatchObject([{ session: 'cat' }]);
});

describe('a socket that takes no more connections', () => {
  /** Listens, but nobody takes connections, and two fill it. */
  const fullSocket = async () => {
    const folder = join(folderWith(), 'repartee');
    ensurePrivateFolder(folder, 'runtime');
    const socket = join(folder, 'daemon.sock');
    const listening = listenOnPath(socket);
    libc().listen(listening, 0);
    const waiting: Socket[] = [];
    for (let isFull = false; !isFull; ) {
      const client = connect(socket);
      waiting.push(client);
      isFull = await once(client, 'connect').then(
        () => false,
        () => true,
      );
    }
    onTestFinished(() => {
      for (const client of waiting) client.destroy();
    });
    return {
      listening,
      paths: { ...daemonPaths({ ...process.env, REPARTEE_SOCKET: socket }), stateSocket: socket },
    };
  };

  test('is waited for, and nothing is started', async () => {
    const { paths, listening } = await fullSocket();
    const opening = openDaemonSocket(paths, 30_000);
    const server = createServer(() => {}).listen({ fd: listening });
    onTestFinished(() => void server.close());
    expect((await opening)?.destroy().destroyed).toBe(true);
  });

  test('is told as a daemon that is stuck, if that lasts', async () => {
    const { paths, listening } = await fullSocket();
    onTestFinished(() => closeSync(listening));
    await expect(openDaemonSocket(paths, 50)).rejects.toMatchObject({ code: 'DAEMON_SILENT' });
  });
});
