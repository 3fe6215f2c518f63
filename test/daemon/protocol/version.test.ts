import { beforeEach, expect, test, vi } from 'vitest';
import { DaemonConnection } from '../../../src/daemon/client/daemon-connection.ts';
import { type OwnDaemon, ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { until } from '../../helpers/until.ts';

// The clients in this file are of a later version than the daemon, and speak later protocols.
vi.mock('../../../src/package-version.ts', () => ({ PACKAGE_VERSION: '99.0.0' }));
const theirs = vi.hoisted(() => ({ oldest: 98, newest: 99 }));
vi.mock('../../../src/daemon/protocol/protocol.ts', async (original) => ({
  ...(await original<object>()),
  PROTOCOLS: theirs,
}));
beforeEach(() => void Object.assign(theirs, { oldest: 98, newest: 99 }));

const daemonVersion = process.env.npm_package_version ?? '0.1.0';

const connectWithSameVersion = async ({ paths }: OwnDaemon) => {
  const connection = (await DaemonConnection.open(paths))!;
  await connection.request('hello', { protocol: 2, version: daemonVersion });
  return connection;
};

test.each([
  ['newer', { oldest: 2, newest: 99 }],
  ['older', { oldest: 1, newest: 1 }],
])('a %s client that has a protocol in common is served', async (_which, range) => {
  Object.assign(theirs, range);
  const daemon = ownDaemon();
  const pid = await daemon.start();
  await using sessions = await daemon.connect();
  await sessions.open({ command: ['cat'], name: 'cat' });
  expect(await sessions.send('cat', { text: 'hello' })).toMatchObject({ output: 'hello' });
  expect(isAlive(pid)).toBe(true);
});

test('a client without a common protocol gets an error with the sessions and what to do', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const connection = await connectWithSameVersion(daemon);
  const request = { ...openCat, cwd: daemon.folder };
  await connection.request('open', { request });
  await connection.close();
  await expect(daemon.connect()).rejects.toMatchObject({
    code: 'OTHER_VERSION',
    message: expect.stringMatching(
      /sessions: precious\..* use \S+ \S+\/cli\/main\.js\..*daemon stop/,
    ),
    details: { running: daemonVersion, asking: '99.0.0', sessions: ['precious'] },
  });
  expect(isAlive(pid)).toBe(true);
});

test('so it does if another client uses the daemon', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const connection = await connectWithSameVersion(daemon);
  await expect(daemon.connect()).rejects.toMatchObject({ code: 'OTHER_VERSION' });
  expect(isAlive(pid)).toBe(true);
  await connection.close();
});

test('a daemon without a common protocol retires if it has no sessions and no other clients', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  // Without start: a new daemon would have the old version as well, and retire again.
  await expect(daemon.connect({ start: false })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  });
  await until('the old one has ended', () => !isAlive(pid));
});

test('a client that has not said hello can request status and stop, and nothing else', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const connection = (await DaemonConnection.open(daemon.paths))!;
  await expect(connection.request('list', {})).rejects.toThrow('Say hello first.');
  expect(await connection.request('status', {})).toMatchObject({
    pid,
    version: daemonVersion,
    sessions: [],
  });
  expect(await connection.request('stop', {})).toEqual({ ended: [] });
  await until('the daemon has ended', () => !isAlive(pid));
});

const openCat = {
  command: ['cat'],
  program: 'cat',
  env: { PATH: '/usr/bin:/bin' },
  name: 'precious',
  cols: 80,
  rows: 24,
  tty: true,
  stdin: true,
  timeoutMs: 5000,
  history: {},
  limits: {},
};
