/** Programs in a sandbox whose profile names hosts reach these, and nothing else. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { SandboxProfile } from '../../../src/sandbox/profile.ts';
import { profilesFolder } from '../../../src/sandbox/profile.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import { connectKept, restart } from '../../helpers/daemon/kept-daemon.ts';
import { killDaemon } from '../../helpers/daemon/kill-daemon.ts';
import { testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';
import { until } from '../../helpers/until.ts';
import { runWithProfile } from '../run-with-profile.ts';
import { usersFor } from '../users.ts';
import { PackageRegistry } from './package-registry.ts';

const needed = testWith('bwrap', 'nsenter', 'npm', 'python3', 'curl');

/** Not 127.0.0.1: programs ask the proxy for no such address, since they may have servers of their own. */
const openRegistry = async (address: string): Promise<PackageRegistry> => {
  const registry = await PackageRegistry.open(address);
  onTestFinished(() => registry.close());
  return registry;
};

const install = (registry: PackageRegistry) =>
  `npm install --registry http://${registry.authority} --cache ./cache --fetch-retries 0 --no-audit --no-fund --no-update-notifier tiny`;

describe.each(usersFor(needed))('as %s', (_user, uid, test) => {
  test('npm installs from the registry that is named, and from no other', async () => {
    const named = await openRegistry('127.0.0.2');
    const other = await openRegistry('127.0.0.3');
    const [installed, refused, processes] = await runWithProfile(
      uid,
      { network: [named.authority] },
      [
        `${install(named)} && node -p 'require("tiny")'`,
        `rm -rf node_modules cache; ${install(other)}`,
        // For the network, nothing runs inside.
        'cat /proc/[0-9]*/comm; true',
      ],
    );
    expect(installed).toMatchObject({ exitCode: 0 });
    expect(installed!.output).toMatch(/from the registry$/);
    expect(named.asked).toEqual(['/tiny', '/tiny.tgz']);
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining('403') });
    expect(other.asked).toEqual([]);
    expect(processes).toMatchObject({ output: expect.stringMatching(/^bwrap\n(ba)?sh$/) });
  });
});

/** In the home of all tests, under a name of its own. */
const writeProfile = (profile: Partial<SandboxProfile>, env = process.env): string => {
  const name = `hosts-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const path = join(profilesFolder(env), `${name}.json`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(profile));
  onTestFinished(() => rmSync(path));
  return name;
};

needed('it has no part in a verdict, and a server of its own is told as such', async () => {
  const { authority } = await openRegistry('127.0.0.2');
  const profile = writeProfile({ network: [authority] });
  const workspace = folderWith();
  const sessions = new LocalSessions({ sandbox: { workspace, profile } });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const opened = await sessions.open({ command: ['python3', '-q'], name: 'py', cwd: workspace });
  expect(opened).toMatchObject({ waitingFor: 'line', certainty: 'certain', prompt: '>>> ' });
  expect(opened.listening ?? []).toEqual([]);
  const asked = await sessions.send('py', {
    text: `import urllib.request as u; u.urlopen("http://${authority}/tiny").status`,
  });
  expect(asked).toMatchObject({ output: '200', waitingFor: 'line', certainty: 'certain' });
  const served = await sessions.send('py', {
    text: 'import socket; s = socket.create_server(("127.0.0.1", 0)); s.getsockname()[1]',
  });
  expect(served.listening).toEqual([Number(served.output)]);
  expect(await sessions.close('py')).toEqual({ survivors: [] });
});

needed('a sandbox may be opened within one that names more, and not the other way', async () => {
  const outer = writeProfile({ network: ['127.0.0.2:1', '127.0.0.2:2'] });
  const inner = writeProfile({ network: ['127.0.0.2:1'] });
  const more = writeProfile({ network: ['127.0.0.2:1', '127.0.0.4:2'] });
  const workspace = folderWith();
  const sessions = new LocalSessions({ sandbox: { workspace, profile: outer } });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const run = (sandbox: string) => sessions.run('echo it runs', { cwd: workspace, sandbox });
  expect(await run(inner)).toMatchObject({ output: 'it runs' });
  expect(await run('workspace')).toMatchObject({ output: 'it runs' });
  await expect(run(more)).rejects.toMatchObject({ code: 'SANDBOX_LOOSER' });
});

needed(
  'a session whose daemon was killed or restarted has its network again, from the next',
  async () => {
    const named = await openRegistry('127.0.0.2');
    const { daemon } = await connectKept();
    const profile = writeProfile({ network: [named.authority] }, daemon.env);
    const workspace = folderWith();
    const caller = { door: 'library', sandbox: { workspace, profile } } as const;
    await using sessions = await daemon.connect({ caller });
    await sessions.open({ command: ['bash', '--norc'], name: 'sh', cwd: workspace });
    const ask = async () => {
      const text = `curl -s -o /dev/null -w '%{http_code}' http://${named.authority}/tiny; echo`;
      return (await sessions.send('sh', { text })).output;
    };
    expect(await ask()).toMatch(/200/);
    await killDaemon(daemon);
    await until('it has a network again', async () => (await ask()).includes('200'));
    await restart(daemon);
    await until('it has a network once more', async () => (await ask()).includes('200'));
    await sessions.close('sh');
  },
);
