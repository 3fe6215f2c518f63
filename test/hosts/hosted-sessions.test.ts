import { describe, expect, onTestFinished, test } from 'vitest';
import { native } from '../../src/dialects/native/dialect.ts';
import { HostedSessions } from '../../src/hosts/hosted-sessions.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import { fileSecrets } from '../../src/session/secrets/secret-sources.ts';
import type { SessionEvent } from '../../src/session/sessions.ts';
import { ownDaemon } from '../helpers/daemon/own-daemon.ts';
import { bridgeTo, openHost } from '../helpers/hosts/own-host.ts';
import { folderWith, makeGate } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

/** Two machines beside this one, of which the second cannot be reached. */
const begin = (secrets = fileSecrets('/nowhere')) => {
  const far = ownDaemon();
  const connect = (host: string) =>
    openHost(
      host,
      host === 'box' ? bridgeTo(far) : 'echo "Connection refused" >&2; exit 255',
      secrets,
    ).sessions;
  const sessions = new HostedSessions({
    local: new LocalSessions(),
    hosts: ['box', 'gone'],
    connect,
  });
  onTestFinished(async () => {
    await sessions.closeAll({ graceMs: 0, force: true });
    await sessions[Symbol.asyncDispose]();
  });
  return sessions;
};

const cat = { command: ['cat'] };

describe('sessions on several machines', () => {
  test('have the name of their host before their own', async () => {
    const sessions = begin();
    const near = await sessions.open(cat);
    const far = await sessions.open({ ...cat, host: 'box' });
    expect([near.session, far.session]).toEqual(['cat', 'box/cat']);
    const answer = await sessions.send('box/cat', { text: 'far' });
    expect(answer).toMatchObject({ session: 'box/cat', output: 'far', certainty: 'certain' });
    expect((await sessions.read('cat')).output).toBe('');
    const listed = (await sessions.list()).map(({ session }) => session);
    expect(listed).toEqual(['cat', 'box/cat']);
    await sessions.rename('box/cat', 'dog');
    await sessions.rename('box/dog', 'box/bird');
    await expect(sessions.rename('box/bird', 'gone/bird')).rejects.toMatchObject({
      code: 'UNUSABLE_ARGUMENT',
    });
    await sessions.resize('box/bird', 90, 20);
    expect((await sessions.read('box/bird', { view: 'screen' })).screen).toMatchObject({
      cols: 90,
    });
    await sessions.close('box/bird');
    await expect(sessions.read('box/bird')).rejects.toMatchObject({
      code: 'SESSION_NOT_FOUND',
      details: { session: 'box/bird' },
    });
  });

  test('run a command on a host, and in the shell of a session there', async () => {
    const sessions = begin();
    expect((await sessions.run('echo $0; exit 3', { host: 'box' })).exitCode).toBe(3);
    const { session } = await sessions.open({ command: ['bash', '--norc'], host: 'box' });
    expect(await sessions.run('cd /usr', { session })).toMatchObject({ exitCode: 0, cwd: '/usr' });
  });

  test('are waited for together, and none loses its output', async () => {
    const sessions = begin();
    const gates = [makeGate(), makeGate()];
    await sessions.open({ command: `${gates[0]!.wait}; echo near`, name: 'n', timeoutMs: 0 });
    const far = { command: `${gates[1]!.wait}; echo far`, name: 'f', timeoutMs: 0, host: 'box' };
    await sessions.open(far);
    const both = { sessions: ['n', 'box/f'], until: 'exit' } as const;
    expect(await sessions.wait({ ...both, timeoutMs: 100 })).toMatchObject({ timedOut: true });
    const waiting = sessions.wait(both);
    gates[1]!.open();
    expect(await waiting).toMatchObject({ session: 'box/f', output: 'far', exitCode: 0 });
    gates[0]!.open();
    const rest = { ...both, sessions: ['n', 'box/f'], match: 'near' };
    expect(await sessions.wait({ ...rest, sessions: ['n'] })).toMatchObject({ output: 'near' });
    const next = sessions.wait();
    expect((await next).session).toMatch(/^(n|box\/f)$/);
  });

  test('are told of to subscribers, also those of a host that is used later', async () => {
    const sessions = begin();
    const events: SessionEvent[] = [];
    const stop = sessions.subscribe((event) => events.push(event), undefined, ['opened', 'closed']);
    await sessions.open(cat);
    await sessions.open({ ...cat, host: 'box' });
    const named = (type: string) =>
      events.filter((event) => event.type === type).map(({ session }) => session);
    await until('both are told', () => named('opened').length >= 2);
    expect(named('opened')).toEqual(['cat', 'box/cat']);
    await sessions.closeAll();
    await until('both are closed', () => named('closed').length >= 2);
    stop();
  });

  test('say which host is unknown, and which cannot be reached', async () => {
    const sessions = begin();
    await expect(sessions.open({ host: 'nowhere' })).rejects.toMatchObject({
      code: 'UNKNOWN_HOST',
      details: { host: 'nowhere', known: ['box', 'gone'] },
    });
    await expect(sessions.open({ host: 'gone' })).rejects.toMatchObject({
      code: 'HOST_UNREACHABLE',
    });
    await expect(sessions.read('ssh://anywhere/cat')).rejects.toMatchObject({
      code: 'UNKNOWN_HOST',
    });
    expect(await sessions.reachHosts()).toEqual([
      { host: 'gone', reason: expect.stringContaining('nothing listens') },
    ]);
    expect(await sessions.list()).toEqual([]);
    await expect(new LocalSessions().open({ host: 'box' })).rejects.toMatchObject({
      code: 'UNKNOWN_HOST',
    });
  });

  test('get a secret only if its owner has allowed their host', async () => {
    const folder = folderWith({
      here: 'open sesame',
      there: 'open barley\nallow: raw, host box\n',
    });
    const { chmodSync } = await import('node:fs');
    for (const name of ['here', 'there']) chmodSync(`${folder}/${name}`, 0o600);
    const sessions = begin(fileSecrets(folder));
    const opened = await sessions.open({
      command: [
        'bash',
        '--norc',
        '-c',
        'read -s -p "Word: " w; echo; printf "got %d" $(printf %s "$w" | wc -c)',
      ],
      name: 'ask',
      host: 'box',
    });
    expect(opened).toMatchObject({ waitingFor: 'secret', secrets: ['there'] });
    await expect(sessions.send('box/ask', { secret: 'here' })).rejects.toMatchObject({
      code: 'UNUSABLE_SECRET',
    });
    expect((await sessions.send('box/ask', { secret: 'there' })).output).toBe('got 11');
  });
});

describe('the tools', () => {
  const call = {};
  const toolOf = (sessions: HostedSessions | LocalSessions, name: string) =>
    native(sessions).tools.find((tool) => tool.name === name)!;

  test('mention hosts only where some are configured', () => {
    const withHosts = toolOf(begin(), 'terminal_open').input.properties;
    const without = toolOf(new LocalSessions(), 'terminal_open').input.properties;
    expect(withHosts).toHaveProperty('host');
    expect(without).not.toHaveProperty('host');
  });

  test('open on a host, list its sessions as their own, and name hosts that are away', async () => {
    const sessions = begin();
    const { tools } = native(sessions);
    const use = async (name: string, args: object) =>
      (await tools.find((tool) => tool.name === name)!.run(args, call)) as {
        text: string;
        // biome-ignore lint/suspicious/noExplicitAny: as a client gets it.
        structured: any;
      };
    const opened = await use('terminal_open', { command: 'exec cat', host: 'box' });
    expect(opened.structured).toMatchObject({ session: 'box/cat', waiting_for: 'line' });
    expect(opened.structured).not.toHaveProperty('hint');
    const listed = await use('terminal_list', {});
    expect(listed.structured.sessions).toMatchObject([{ session: 'box/cat' }]);
    expect(listed.structured.unreachable).toMatchObject([{ host: 'gone' }]);
    expect(listed.text).toMatch(/^box\/cat: .*\n\[gone: Host "gone" cannot be reached/);
    const answer = await use('terminal_send', { session: 'box/cat', text: 'hi' });
    expect(answer.structured).toMatchObject({ output: 'hi' });
    const closed = await use('terminal_close', { session: '*' });
    expect(closed.structured.closed).toEqual(['box/cat']);
  });
});
