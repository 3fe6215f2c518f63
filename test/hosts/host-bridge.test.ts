import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { HostBridge } from '../../src/hosts/host-bridge.ts';
import { StartMarkReader, startMark } from '../../src/hosts/start-mark.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { bridgeTo, byShell, connectHost, endBridges } from '../helpers/hosts/own-host.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const greeting = { version: '1', folder: '/', env: { A: 'b' }, shell: '/bin/sh', umask: 0o22 };

describe('a bridge', () => {
  test('ignores what a login shell prints before it', async () => {
    const noise = `printf 'Welcome!\\n\\0\\033[2J You have mail.'; seq 1 30000; `;
    const { sessions } = connectHost('box', bridgeTo(ownDaemon(), noise));
    expect((await sessions.run('echo there')).output).toBe('there');
    await sessions.closeAll();
  });

  test('starts a daemon where none runs, and programs get what belongs to its user', async () => {
    const daemon = ownDaemon();
    const { sessions } = connectHost(
      'box',
      `cd /usr; umask 027; export FAR=yes; ${bridgeTo(daemon)}`,
    );
    const { output } = await sessions.run('echo $PWD $FAR $HOME $(umask)');
    expect(output).toBe('/usr yes / 0027');
    const relative = await sessions.open({ command: 'pwd', cwd: 'share' });
    expect(relative.output).toBe('/usr/share');
    await sessions.closeAll();
  });

  test('prints nothing but its mark and what the daemon says', async () => {
    const daemon = ownDaemon();
    await daemon.start();
    const printed = execFileSync('/bin/sh', ['-c', bridgeTo(daemon)], { input: '' });
    const reader = new StartMarkReader();
    const found = reader.receive(printed)!;
    expect(reader.before).toBe('');
    expect(found.rest).toHaveLength(0);
    expect(found.greeting).toMatchObject({ folder: process.cwd() });
    expect(Object.keys(found.greeting.env).filter((name) => /REPARTEE_SECRET/.test(name))).toEqual(
      [],
    );
  });

  test.each([
    ['in one piece', 1000],
    ['byte by byte', 1],
  ])('finds the mark %s', (_how, size) => {
    const bytes = Buffer.concat([
      Buffer.from('noise\0re'),
      startMark(greeting),
      Buffer.from('rest'),
    ]);
    const reader = new StartMarkReader();
    let at = 0;
    let found: ReturnType<StartMarkReader['receive']>;
    for (; found === undefined; at += size) found = reader.receive(bytes.subarray(at, at + size));
    expect(found.greeting).toEqual(greeting);
    expect(`${found.rest}${bytes.subarray(at)}`).toBe('rest');
  });

  test.each(['null', '[]', '{}', '{', JSON.stringify({ ...greeting, umask: '1' })])(
    'refuses the greeting %s',
    (json) => {
      expect(() =>
        new StartMarkReader().receive(Buffer.from(`\0repartee-connect 1 ${json}\n`)),
      ).toThrow();
    },
  );
});

/** What ssh, docker and shells say, word for word. */
const failures = [
  [
    'unknown-machine',
    'echo "ssh: Could not resolve hostname box: Name or service not known" >&2; exit 255',
  ],
  [
    'refused-connection',
    'echo "ssh: connect to host box port 22: Connection refused" >&2; exit 255',
  ],
  ['no-answer', 'echo "ssh: connect to host box port 22: Connection timed out" >&2; exit 255'],
  ['no-answer', 'echo "ssh: connect to host box port 22: No route to host" >&2; exit 255'],
  ['refused-login', 'echo "ann@box: Permission denied (publickey,password)." >&2; exit 255'],
  ['unknown-key', 'echo "Host key verification failed." >&2; exit 255'],
  ['no-repartee', 'exec no-such-program-as-this 2>/dev/null'],
  ['no-repartee', 'echo "bash: line 1: exec: repartee: not found" >&2; exit 127'],
  [
    'no-repartee',
    'echo \'OCI runtime exec failed: exec: "repartee": executable file not found in $PATH\' >&2; exit 126',
  ],
  ['no-node', 'echo "/usr/bin/env: ‘node’: No such file or directory" >&2; exit 127'],
  ['no-container', 'echo "Error response from daemon: No such container: box" >&2; exit 1'],
  [
    'wrong-architecture',
    'echo "bash: /usr/bin/node: cannot execute binary file: Exec format error" >&2; exit 126',
  ],
  ['no-room', 'echo "Error: ENOSPC: no space left on device, write" >&2; exit 1'],
  ['no-bridge', 'echo hello'],
  ['failed', 'echo "something else" >&2; exit 3'],
] as const;

describe('what keeps a host from being reached is said in plain words:', () => {
  test.each(failures)('%s, of %s', async (problem, command) => {
    const { sessions } = connectHost('box', command);
    const error = await sessions.list().catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'HOST_UNREACHABLE', details: { host: 'box', problem } });
    expect(error.message).not.toMatch(/undefined/);
  });

  test('a bridge that says nothing is given up', async () => {
    const bridge = new HostBridge({ host: 'box', command: byShell('exec sleep 60'), startMs: 200 });
    await expect(bridge.open('binary')).rejects.toMatchObject({
      details: { problem: 'no-bridge', said: 'no answer within 0.2 s' },
    });
  });

  test('escape sequences in it do not reach a terminal', async () => {
    const { sessions } = connectHost('box', `printf '\\033[2Jbad\\n' >&2; exit 1`);
    const error = await sessions.list().catch((thrown) => thrown);
    expect(error.message).not.toContain('\x1b');
    expect(error.message).toContain('bad');
  });
});

describe('there is no storm of bridges', () => {
  test('one that fails is not tried again before its pause is over', async () => {
    const { sessions, bridge } = connectHost(
      'box',
      'exit 1',
      undefined,
      new HostBridge({
        host: 'box',
        command: byShell('exit 1'),
        firstPauseMs: 60_000,
      }),
    );
    for (let calls = 0; calls < 20; calls++)
      await expect(sessions.list()).rejects.toMatchObject({ code: 'HOST_UNREACHABLE' });
    expect(bridge.started).toBe(1);
  });

  test('one that opens and breaks at once is given up after a few', async () => {
    const daemon = ownDaemon();
    // The second and later ones say that they are bridges, and end.
    const folder = folderWith();
    const mark = startMark(greeting).toString('latin1').slice(1).trimEnd();
    const broken = `printf '\\0%s\\n' '${mark}'; exit 0`;
    const command = `if test -e ${folder}/once; then ${broken}; fi; touch ${folder}/once; ${bridgeTo(daemon)}`;
    const { sessions, bridge } = connectHost('box', command);
    await sessions.open({ command: ['cat'] });
    const waiting = sessions.wait({ until: 'exit', timeoutMs: 60_000 });
    await endBridges(daemon);
    await expect(waiting).rejects.toMatchObject({ code: expect.stringMatching(/DAEMON_|HOST_/) });
    expect(bridge.started).toBeLessThan(12);
  });
});
