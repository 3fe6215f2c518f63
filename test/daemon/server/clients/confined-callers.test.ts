/** A caller that is confined can tighten that, and reaches only sessions that are confined as much. */
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { SessionEvent } from '../../../../src/session/sessions.ts';
import { MAIN, ownCli } from '../../../helpers/cli/own-cli.ts';
import { connectKept, killDaemonOf } from '../../../helpers/daemon/kept-daemon.ts';
import { ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { testWith } from '../../../helpers/needs.ts';
import { folderWith } from '../../../helpers/temporary-folder.ts';
import { until } from '../../../helpers/until.ts';

const test = testWith('bwrap');

const confined = (profile: string, workspace: string) => ({
  caller: { door: 'mcp', sandbox: { profile, workspace } } as const,
});

test('all that a confined client starts is confined, and it can only tighten that', async () => {
  const daemon = ownDaemon();
  const workspace = folderWith();
  const client = await daemon.connect(confined('workspace', workspace));
  const open = (name: string, sandbox?: string) =>
    client.open({ command: ['cat'], name, cwd: workspace, ...(sandbox && { sandbox }) });
  await open('same');
  await open('tighter', 'read-only');
  await expect(open('looser', 'offline')).rejects.toMatchObject({ code: 'SANDBOX_LOOSER' });
  await expect(open('unknown', 'wrong')).rejects.toMatchObject({ code: 'UNKNOWN_PROFILE' });
  expect(await client.run('echo 1 > /etc/x', { cwd: workspace })).toMatchObject({ exitCode: 1 });
  expect(await client.list()).toMatchObject([
    { session: 'same', sandbox: 'workspace' },
    { session: 'tighter', sandbox: 'read-only' },
  ]);
});

test('a confined client reaches no session that is confined less, by any call', async () => {
  const daemon = ownDaemon();
  const workspace = folderWith();
  const free = await daemon.connect();
  const client = await daemon.connect(confined('workspace', workspace));
  const events: SessionEvent[] = [];
  client.subscribe((event) => events.push(event));
  await free.open({ command: ['bash', '--norc'], name: 'free' });
  await free.open({ command: ['cat'], name: 'loose', sandbox: 'offline', cwd: '/' });
  await client.open({ command: ['cat'], name: 'own', cwd: workspace });
  const refused = { code: 'SESSION_OUT_OF_REACH' };
  for (const name of ['free', 'loose'])
    for (const attempt of [
      () => client.send(name, { text: 'id' }),
      () => client.run('id', { session: name }),
      () => client.type(name, Buffer.from('id\n')),
      () => client.read(name, { view: 'screen' }),
      () => client.wait({ sessions: [name] }),
      () => client.take(name),
      () => client.resize(name, 80, 24),
      () => client.rename(name, 'mine'),
      () => client.signal(name, 'SIGINT'),
      () => client.close(name),
    ])
      await expect(attempt()).rejects.toMatchObject(refused);
  expect((await client.list()).map(({ session }) => session)).toEqual(['own']);
  expect(await client.wait({ timeoutMs: 100 })).toMatchObject({ session: 'own' });
  await client.closeAll();
  expect((await free.list()).map(({ session }) => session)).toEqual(['free', 'loose']);
  await until('its own end is told', () => events.some(({ type }) => type === 'closed'));
  expect(new Set(events.map(({ session }) => session))).toEqual(new Set(['own']));
});

test('a caller inside a sandboxed session is confined by it, by whichever door', async () => {
  const cli = ownCli();
  const workspace = folderWith();
  const profiles = join(cli.daemon.env.XDG_CONFIG_HOME!, 'repartee/sandbox');
  mkdirSync(profiles, { recursive: true });
  // The package is read from the tree, which may lie in a temporary folder.
  const tree = join(import.meta.dirname, '../../../..');
  writeFileSync(join(profiles, 'own.json'), JSON.stringify({ write: ['workspace', tree] }));
  await cli.run('open', '--name', 'free', '--', 'bash', '--norc');
  const opened = await cli.run(
    ...['open', '--name', 'outer', '--sandbox', 'own', '--workspace', workspace],
    ...['--cwd', workspace, '--', 'bash', '--norc'],
  );
  expect(`${opened.code} ${opened.stderr}`).toMatch(/^0 /);
  // No sandbox shows the daemon's socket, so somebody outside has to let it in.
  linkSync(cli.daemon.paths.socket, join(workspace, 'socket'));
  const repartee = `REPARTEE_SOCKET=${workspace}/socket '${process.execPath}' '${MAIN}'`;
  const inside = async (args: string) => {
    const { stdout } = await cli.run('run', 'outer', '--', `${repartee} ${args} 2>&1`);
    return stdout;
  };
  expect(await inside('ls')).not.toContain('free');
  expect(await inside('send free id')).toContain('may do more than you');
  expect(await inside('open --sandbox offline cat')).toContain('would allow more');
  expect(await inside('daemon stop')).toContain('may not end the daemon');
  await inside('open --name made -- cat');
  const { sessions } = (await cli.run('ls', '--json')).json;
  expect(sessions).toMatchObject([
    { session: 'free' },
    { session: 'outer', sandbox: 'own' },
    { session: 'made', sandbox: 'own' },
  ]);
});

test('a sandboxed session goes on after the daemon was killed, as confined as before', async () => {
  const workspace = folderWith();
  const { daemon, sessions } = await connectKept(confined('workspace', workspace));
  await sessions.open({ name: 'sh', shell: '/bin/bash', clean: true, cwd: workspace });
  await sessions.run('A=1; mkdir sub; cd sub', { session: 'sh' });
  await killDaemonOf(daemon);
  expect(await sessions.list()).toMatchObject([{ session: 'sh', sandbox: 'workspace' }]);
  expect(await sessions.run('echo $A; echo 1 > /etc/x', { session: 'sh' })).toMatchObject({
    output: expect.stringMatching(/^1\n.*Read-only/),
    exitCode: 1,
    cwd: join(workspace, 'sub'),
    endMark: 'shell',
  });
  await sessions.run('setsid -f sleep 1000', { session: 'sh' });
  expect(await sessions.close('sh')).toEqual({ survivors: [] });
});
