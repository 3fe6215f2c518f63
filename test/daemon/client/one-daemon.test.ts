/** One user, one daemon, also for clients that do not pass on where its folders are. */
import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ownCommand } from '../../../src/cli/own-command.ts';
import { daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import { folderWithCli, MAIN } from '../../helpers/cli/own-cli.ts';
import { personInTmux } from '../../helpers/cli/tmux.ts';
import { makeDaemon, type OwnDaemon, ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { RawServer } from '../../helpers/mcp/raw-client.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const cli = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const options = { env: { ...process.env, ...env } };
    execFile(process.execPath, [MAIN, ...args], options, (_error, stdout, stderr) =>
      resolve({ stdout, stderr }),
    );
  });

/** The same user, whose client passes another runtime folder on, or none. */
const elsewhere = (daemon: OwnDaemon): Record<string, string> => ({
  ...daemon.env,
  XDG_RUNTIME_DIR: folderWith(),
});

test('a person finds the session of an agent whose client has passed no runtime folder', async () => {
  const daemon = ownDaemon();
  const agent = new RawServer(elsewhere(daemon), []);
  await agent.initialize();
  await agent.call(1, 'terminal_open', { command: 'cat', name: 'pw' });
  const { stdout } = await cli(daemon.env, 'ls', '--json');
  expect(JSON.parse(stdout).sessions).toMatchObject([{ session: 'pw' }]);
  await cli(daemon.env, 'daemon', 'stop');
});

test('an agent uses the daemon of the person, and no second one is started', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'mine' });
  const agent = new RawServer(elsewhere(daemon), []);
  await agent.initialize();
  const { structuredContent } = await agent.call(1, 'terminal_read', { session: 'mine' });
  expect(structuredContent).toMatchObject({ session: 'mine', state: 'waiting' });
});

test('a daemon with a socket of its own is left alone', async () => {
  const daemon = ownDaemon();
  const separate = { ...daemon.env, REPARTEE_SOCKET: `${daemon.folder}/separate/daemon.sock` };
  await cli(separate, 'open', '--name', 'apart', '--', 'cat');
  const { stdout } = await cli(daemon.env, 'ls', '--json');
  expect(JSON.parse(stdout).sessions).toEqual([]);
  await cli(separate, 'daemon', 'stop');
});

test('where there are two daemons, ls and doctor say so, and how to reach the other', async () => {
  const daemon = ownDaemon();
  const other = makeDaemon();
  try {
    // Started before the two shared a state folder, as by an older version.
    const shared = { ...other.env, XDG_STATE_HOME: daemon.env.XDG_STATE_HOME! };
    await using theirs = await other.connect({
      paths: { ...daemonPaths(shared), stateSocketPrefix: '/nowhere/' },
      env: { ...process.env, ...shared },
    });
    await theirs.open({ command: ['cat'], name: 'theirs' });
    await using ours = await daemon.connect({
      paths: { ...daemon.paths, stateSocketPrefix: '/nowhere/' },
    });
    await ours.open({ command: ['cat'], name: 'ours' });
    const listed = await cli(daemon.env, 'ls');
    expect(listed.stdout).toMatch(/^ours\b/m);
    const [, socket = ''] =
      /another daemon of yours runs: process \d+, sessions: theirs\. REPARTEE_SOCKET=(\S+) reaches it/.exec(
        listed.stderr,
      ) ?? [];
    const there = await cli({ ...daemon.env, REPARTEE_SOCKET: socket }, 'ls', '--json');
    expect(JSON.parse(there.stdout).sessions).toMatchObject([{ session: 'theirs' }]);
    const doctor = await cli(daemon.env, 'doctor');
    expect(doctor.stdout + doctor.stderr).toMatch(/another daemon of yours runs: process \d+/);
    const missing = await cli(daemon.env, 'read', 'theirs');
    expect(missing.stderr).toMatch(/another daemon of yours runs.*theirs/);
  } finally {
    await other.end();
  }
});

test('without XDG_RUNTIME_DIR the runtime folder of the login is used, if there is one', () => {
  const uid = process.getuid?.();
  const login = `/run/user/${uid}`;
  const isThere = statSync(login, { throwIfNoEntry: false })?.uid === uid;
  const folder = isThere ? `${login}/repartee` : `/tmp/repartee-${uid}`;
  expect(daemonPaths({ HOME: '/nonexistent' }).socket).toBe(`${folder}/daemon.sock`);
});

testWith('python3', 'tmux')(
  'what the hint tells a person to type works in their shell',
  async () => {
    const daemon = ownDaemon();
    const agent = new RawServer(elsewhere(daemon), []);
    await agent.initialize();
    const { structuredContent } = await agent.call(1, 'terminal_open', {
      command: 'python3 -c "import getpass; print(len(getpass.getpass())); input()"',
      name: 'pw',
    });
    const [, command = ''] = /A person can type it: `([^`]+)`/.exec(structuredContent.hint) ?? [];
    const person = await personInTmux({ ...process.env, ...daemon.env });
    await person.enter(command);
    await person.sees(/^Password:/);
    await person.enter('12345');
    await person.sees(/^5$/);
    await cli(daemon.env, 'daemon', 'stop');
  },
);

describe('the command that is printed', () => {
  test('is the name alone where a shell finds it', () => {
    const folder = folderWithCli();
    const installed = join(folder, 'repartee');
    expect(ownCommand({ PATH: `/nowhere:${folder}` }, installed)).toBe('repartee');
  });

  test('is npx after npx, whose folder is on the PATH of what it runs alone', () => {
    const main = '/home/ada/.npm/_npx/1234/node_modules/repartee/dist/cli/main.js';
    const PATH = '/home/ada/.npm/_npx/1234/node_modules/.bin';
    expect(ownCommand({ PATH }, main)).toBe('npx -y repartee');
  });

  test('names the file otherwise, and the socket of a separate daemon', () => {
    const node = dirname(process.execPath);
    expect(ownCommand({ PATH: node, REPARTEE_SOCKET: '/run/my own.sock' }, MAIN)).toBe(
      `REPARTEE_SOCKET='/run/my own.sock' node ${MAIN}`,
    );
    expect(ownCommand({ PATH: '' }, MAIN)).toBe(`${process.execPath} ${MAIN}`);
  });
});
