/** `sandbox` in the policy is the profile of every session of the daemon. Callers can tighten it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { readPolicy } from '../../src/policy/read-policy.ts';
import { MAIN, ownCli } from '../helpers/cli/own-cli.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const test = testWith('bwrap');

const daemonWith = (policy: object) => {
  const cli = ownCli();
  const path = join(cli.daemon.env.XDG_CONFIG_HOME!, 'repartee/policy.json');
  const write = (written: object) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(written), { mode: 0o600 });
  };
  write(policy);
  const workspace = folderWith();
  const connect = (profile?: string) =>
    cli.daemon.connect({
      caller: { door: 'library', sandbox: { workspace, ...(profile && { profile }) } },
    });
  return { cli, write, workspace, connect };
};

test('every session has the profile, whatever door opens it, or a tighter one', async () => {
  const { cli, workspace, connect } = daemonWith({ sandbox: 'workspace' });
  await using sessions = await connect();
  const open = (name: string, sandbox?: string) =>
    sessions.open({ name, command: ['cat'], cwd: workspace, ...(sandbox && { sandbox }) });
  await open('same');
  await open('tighter', 'read-only');
  await expect(open('looser', 'offline')).rejects.toMatchObject({ code: 'SANDBOX_LOOSER' });
  await using looser = await connect('offline');
  await expect(
    looser.open({ name: 'looser', command: ['cat'], cwd: workspace }),
  ).rejects.toMatchObject({ code: 'SANDBOX_LOOSER' });
  await using tighter = await connect('read-only');
  await tighter.open({ name: 'tighter-too', command: ['cat'], cwd: workspace });
  expect(await sessions.run('echo 1 > /etc/x', { cwd: workspace })).toMatchObject({ exitCode: 1 });
  const refused = await cli.run('open', '--sandbox', 'offline', '--workspace', workspace, 'cat');
  expect(refused.stderr).toContain('would allow more');
  expect(await sessions.list()).toMatchObject([
    { session: 'same', sandbox: 'workspace' },
    { session: 'tighter', sandbox: 'read-only' },
    { session: 'tighter-too', sandbox: 'read-only' },
  ]);
});

test('a caller inside a session that was opened without a sandbox gets it as well', async () => {
  const { cli, write, workspace, connect } = daemonWith({ rules: [] });
  await using sessions = await connect();
  // Otherwise what runs inside would look for the user's own daemon.
  const env = { ...cli.daemon.env };
  await sessions.open({ name: 'free', command: ['bash', '--norc'], cwd: workspace, env });
  write({ sandbox: 'read-only' });
  const inside = `'${process.execPath}' '${MAIN}'`;
  await sessions.run(`${inside} open --name made -- cat`, { session: 'free' });
  const { output } = await sessions.run(`${inside} open --sandbox offline -- cat 2>&1`, {
    session: 'free',
  });
  expect(output).toContain('would allow more');
  expect((await cli.run('ls', '--json')).json.sessions).toMatchObject([
    { session: 'free' },
    { session: 'made', sandbox: 'read-only' },
  ]);
});

test('an unknown profile opens nothing, and `policy check` says so', async () => {
  const { cli, workspace, connect } = daemonWith({ sandbox: 'wrong' });
  await using sessions = await connect();
  await expect(sessions.open({ command: ['cat'], cwd: workspace })).rejects.toMatchObject({
    code: 'UNKNOWN_PROFILE',
  });
  expect((await cli.run('policy', 'check')).stderr).toContain('wrong');
});

test('a policy needs rules or a sandbox, and a sandbox has a name', async () => {
  const read = (policy: object) => readPolicy(JSON.stringify(policy), 'p');
  expect(await read({ sandbox: 'offline' })).toMatchObject({ rules: [], sandbox: 'offline' });
  for (const broken of [{}, { sandbox: 1 }, { sandbox: '' }, { sandbox: 'x', rule: [] }])
    await expect(read(broken)).rejects.toMatchObject({ code: 'POLICY_BROKEN' });
});
