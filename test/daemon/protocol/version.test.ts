import { expect, test, vi } from 'vitest';
import { DaemonConnection } from '../../../src/daemon/client/daemon-connection.ts';
import { PROTOCOL } from '../../../src/daemon/protocol/protocol.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { isAlive } from '../../helpers/daemon/processes.ts';
import { until } from '../../helpers/until.ts';

// The clients of this file are of another version than the daemon, which runs as built.
vi.mock('../../../src/daemon/protocol/version.ts', () => ({ VERSION: '99.0.0' }));

const helloOf = (version: string) => ({ protocol: PROTOCOL, version });
const built = process.env.npm_package_version ?? '0.1.0';

/** Somebody of the daemon's own version. */
const equal = async (daemon: ReturnType<typeof ownDaemon>) => {
  const link = (await DaemonConnection.open(daemon.paths))!;
  await link.request('hello', helloOf(built));
  return link;
};

test('a client of another version is told which sessions there are, and how to go on', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const link = await equal(daemon);
  const request = { ...openCat, cwd: daemon.folder };
  await link.request('open', { request });
  await link.close();
  await expect(daemon.connect()).rejects.toMatchObject({
    code: 'OTHER_VERSION',
    message: expect.stringMatching(
      /sessions: precious\..* use \S+ \S+\/cli\/main\.js\..*daemon stop/,
    ),
    details: { running: built, asking: '99.0.0', sessions: ['precious'] },
  });
  expect(isAlive(pid)).toBe(true);
});

test('it is told so, too, where another client uses the daemon', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const link = await equal(daemon);
  await expect(daemon.connect()).rejects.toMatchObject({ code: 'OTHER_VERSION' });
  expect(isAlive(pid)).toBe(true);
  await link.close();
});

test('a daemon of another version that nobody needs makes way', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  // The next daemon is of the old version as well, and makes way again.
  await expect(daemon.connect({ start: false })).rejects.toMatchObject({
    code: 'DAEMON_NOT_RUNNING',
  });
  await until('the old one has ended', () => !isAlive(pid));
});

test('whoever does not say hello may ask for the status and for the end, and for nothing else', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  const link = (await DaemonConnection.open(daemon.paths))!;
  await expect(link.request('list', {})).rejects.toThrow('Say hello first.');
  expect(await link.request('status', {})).toMatchObject({ pid, version: built, sessions: [] });
  expect(await link.request('stop', {})).toEqual({ ended: [] });
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
  record: undefined,
};
