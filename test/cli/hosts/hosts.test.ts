import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { bridgeTo } from '../../helpers/hosts/own-host.ts';

/** A command line whose hosts.json names another machine, and one that is away. */
const cliWithHosts = () => {
  const cli = ownCli();
  const far = ownDaemon();
  const folder = join(cli.daemon.env.XDG_CONFIG_HOME!, 'repartee');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const gone = 'command:echo "ssh: Could not resolve hostname gone" >&2; exit 255';
  const hosts = { box: `command:${bridgeTo(far)}`, gone };
  writeFileSync(join(folder, 'hosts.json'), JSON.stringify(hosts));
  return { ...cli, far };
};

test('opens, uses and closes sessions on a host, without a daemon here', async () => {
  const cli = cliWithHosts();
  const opened = await cli.run('open', '--host', 'box', '--json', '--', 'bash', '--norc');
  expect(opened).toMatchObject({ code: 0, json: { session: 'box/bash', state: 'waiting' } });
  expect((await cli.run('send', 'box/bash', 'echo $((6 * 7))')).stdout).toBe('42\n');
  expect(await cli.run('run', 'box/bash', '--', 'cd /usr; pwd; exit 3')).toMatchObject({
    stdout: '/usr\nexit\n',
  });
  expect((await cli.run('wait', 'box/bash', '--until', 'exit')).code).toBe(0);
  expect(await cli.run('run', '--host', 'box', '--', 'echo far; exit 5')).toMatchObject({
    code: 5,
    stdout: 'far\n',
  });
  expect((await cli.run('close', 'box/bash')).stderr).toBe('[closed: box/bash]\n');
  expect((await cli.run('read', 'box/bash', '--json')).json.error.code).toBe('SESSION_NOT_FOUND');
});

test('lists the sessions of all hosts, and says which are away', async () => {
  const cli = cliWithHosts();
  await cli.run('open', '--', 'cat');
  await cli.run('open', '--host', 'box', '--', 'cat');
  const listed = await cli.run('ls', '--json');
  expect(listed.json.sessions.map(({ session }: { session: string }) => session)).toEqual([
    'cat',
    'box/cat',
  ]);
  expect(listed.json.unreachable).toEqual([
    { host: 'gone', reason: expect.stringContaining('no machine of that name') },
  ]);
  expect((await cli.run('ls')).stderr).toMatch(/^\[gone: Host "gone" cannot be reached/m);
  const one = await cli.run('ls', '--host', 'box', '--json');
  expect(one.json.sessions).toMatchObject([{ session: 'box/cat' }]);
  await cli.run('close', 'box/cat', 'cat');
});

test('says what is wrong with a host', async () => {
  const cli = cliWithHosts();
  const codeOf = async (...args: string[]) => (await cli.run(...args, '--json')).json.error?.code;
  expect(await codeOf('open', '--host', 'nowhere')).toBe('UNKNOWN_HOST');
  expect(await codeOf('open', '--host', 'gone')).toBe('HOST_UNREACHABLE');
  expect(await codeOf('read', 'gone/cat')).toBe('HOST_UNREACHABLE');
  expect(await codeOf('open', '--host', 'ssh://-oProxyCommand=x')).toBe('UNUSABLE_HOST');
  const confined = await cli.run('open', '--host', 'box', '--sandbox', 'workspace');
  expect(confined).toMatchObject({ code: 2 });
  expect((await cli.run('connect', 'word')).code).toBe(2);
});

test('takes a host by its address, for a person', async () => {
  const cli = cliWithHosts();
  const address = `command:${bridgeTo(cli.far)}`;
  const opened = await cli.run('open', '--host', address, '--name', 'c', '--json', '--', 'cat');
  expect(opened.json.session).toBe(`${address}/c`);
  expect((await cli.run('send', `${address}/c`, 'hi')).stdout).toBe('hi\n');
  await cli.run('close', 'box/c');
});
