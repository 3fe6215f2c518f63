import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import type { OpenOptions } from '../../src/session/options/options.ts';
import { testWith } from '../helpers/needs.ts';
import { folderWith } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const test = testWith('bwrap');

const begin = (profile?: string) => {
  const workspace = folderWith();
  const sessions = new LocalSessions({ sandbox: { workspace, ...(profile && { profile }) } });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const open = (options: OpenOptions = {}) =>
    sessions.open({ shell: '/bin/bash', clean: true, cwd: workspace, ...options });
  const run = (command: string, more = {}) => sessions.run(command, { cwd: workspace, ...more });
  return { workspace, sessions, open, run };
};

test('a program in the profile workspace writes there and in a private /tmp, and nowhere else', async () => {
  const { workspace, run } = begin('workspace');
  expect(await run('echo 1 > a; cat a; echo 2 > /tmp/b && ls -1 /tmp')).toMatchObject({
    exitCode: 0,
    output: expect.stringMatching(/^1\nb\n/),
  });
  expect(existsSync(join(workspace, 'a'))).toBe(true);
  expect(await run('echo 1 > /etc/repartee-test')).toMatchObject({
    exitCode: 1,
    output: expect.stringContaining('Read-only file system'),
  });
});

test('read-only writes nothing, offline what the user may; neither has a network', async () => {
  const { workspace, run } = begin();
  expect(await run('echo 1 > a', { sandbox: 'read-only' })).toMatchObject({ exitCode: 1 });
  const network = 'ls /sys/class/net; (: > /dev/tcp/192.0.2.1/80) 2>&1 | grep -o unreachable';
  for (const sandbox of ['read-only', 'offline', 'workspace'])
    expect(await run(network, { sandbox })).toMatchObject({
      output: expect.stringMatching(/unreachable$/),
    });
  mkdirSync(join(workspace, 'sub'));
  expect(existsSync(join(workspace, 'a'))).toBe(false);
});

test('verdicts are the same inside: marks, cwd, exec, exit codes and signals', async () => {
  const { workspace, sessions, open } = begin('workspace');
  expect(await open({ name: 'sh' })).toMatchObject({
    waitingFor: 'command',
    certainty: 'certain',
    foreground: 'bash',
  });
  expect(await sessions.run('mkdir sub; cd sub; false', { session: 'sh' })).toMatchObject({
    exitCode: 1,
    cwd: join(workspace, 'sub'),
    endMark: 'shell',
  });
  expect(await sessions.send('sh', { text: 'sleep 100', timeoutMs: 300 })).toMatchObject({
    state: 'working',
    foreground: 'sleep',
  });
  expect(await sessions.send('sh', { keys: 'C-c' })).toMatchObject({ waitingFor: 'command' });
  expect(await sessions.send('sh', { text: 'exec python3 -q' })).toMatchObject({
    waitingFor: 'line',
    certainty: 'certain',
    prompt: '>>> ',
    foreground: expect.stringContaining('python3'),
  });
  expect(await sessions.send('sh', { text: 'import os; os.kill(os.getpid(), 9)' })).toMatchObject({
    state: 'exited',
    signal: 'SIGKILL',
  });
  expect(await open({ command: 'exit 7' })).toMatchObject({ state: 'exited', exitCode: 7 });
});

test('closing ends all that was started inside, also what has left the session', async () => {
  const { sessions, open } = begin('workspace');
  await open({ name: 'sh' });
  await sessions.run('setsid -f sh -c "while :; do date > beat; sleep 0.01; done"', {
    session: 'sh',
  });
  expect(await sessions.close('sh')).toEqual({ survivors: [] });
});

test('a job that goes on after the program still writes to the session', async () => {
  const { sessions, open, workspace } = begin('workspace');
  await open({
    name: 'job',
    command: 'trap "" HUP; (until test -e go; do sleep 0.02; done; echo late) & exit 3',
  });
  writeFileSync(join(workspace, 'go'), '');
  await until('the job has written', async () =>
    (await sessions.read('job', { from: 0 })).output.includes('late'),
  );
});
