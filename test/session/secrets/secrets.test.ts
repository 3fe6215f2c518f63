import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { scenes } from '../../../conversations/scenes.ts';
import { ownCaller } from '../../../src/session/caller.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { GuardedAction, SessionsOptions } from '../../../src/session/options/options.ts';
import { secretRefusal } from '../../../src/session/secrets/secret-refusal.ts';
import {
  environmentSecrets,
  fileSecrets,
  secretsFolder,
  standardSecrets,
} from '../../../src/session/secrets/secret-sources.ts';
import type { Secret, SecretSource } from '../../../src/session/secrets/secrets.ts';
import type { SessionEvent } from '../../../src/session/sessions.ts';
import type { Evidence } from '../../../src/state/judge.ts';
import type { Verdict } from '../../../src/state/verdict.ts';
import { asRoot, testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const VALUE = 'Tr0ub4dor&3-xyz';

const one = (more: Partial<Secret> = {}): SecretSource => ({
  find: (name) => (name === 'db' ? { name, value: VALUE, ...more } : undefined),
  names: () => ['db'],
});

const begin = (options: SessionsOptions = { secrets: one() }) => {
  const sessions = new LocalSessions(options);
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  const events: SessionEvent[] = [];
  sessions.subscribe((event) => events.push(event));
  const typed = () => events.filter(({ type }) => type === 'input');
  return { sessions, events, typed };
};

const ask = ['bash', '--norc', '-c', `read -sp "Word: " w; echo; echo "\${#w} letters"; cat`];

describe('a secret is typed', () => {
  test('where a program asks for one, and Enter is pressed after it', async () => {
    const { sessions, typed } = begin();
    const question = await sessions.open({ command: ask });
    expect(question).toMatchObject({ waitingFor: 'secret', secrets: ['db'] });
    const answer = await sessions.send('bash', { secret: 'db', match: 'letters' });
    expect(answer).toMatchObject({ output: '15 letters', matched: 'letters' });
    expect(answer).not.toHaveProperty('secrets');
    const hidden = {
      type: 'input',
      hidden: true,
      secret: 'db',
      actor: 'agent',
      bytes: new Uint8Array(),
    };
    expect(typed()).toEqual([expect.objectContaining(hidden), expect.objectContaining(hidden)]);
  });

  testWith('python3')('and is not shown as the name of a program', async () => {
    const { sessions } = begin();
    const rename = `import ctypes, getpass
word = getpass.getpass()
while True:
    ctypes.CDLL(None).prctl(15, word.encode())
    word = "\\x1b[2J" if input() else word[:9]`;
    await sessions.open({ command: ['python3', '-c', rename], name: 'it' });
    const renamed = await sessions.send('it', { secret: 'db' });
    expect(renamed).toMatchObject({ waitingFor: 'line', foreground: '*'.repeat(15) });
    expect(await sessions.send('it', { text: '' })).toMatchObject({ foreground: '*'.repeat(9) });
    expect(await sessions.send('it', { text: 'x' })).toMatchObject({ foreground: '␛[2J' });
  });

  testWith('python3')('nor as the name of one that survives its session', async () => {
    const { sessions } = begin();
    const survive = `import ctypes, getpass, os, signal
word = getpass.getpass()
signal.signal(signal.SIGHUP, signal.SIG_IGN)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    ctypes.CDLL(None).prctl(15, word.encode())
    print("ready")
signal.pause()`;
    await sessions.open({ command: ['python3', '-c', survive], name: 'it' });
    await sessions.send('it', { secret: 'db', match: 'ready' });
    const both = [sessions.close('it', { graceMs: 0 }), sessions.close('it', { graceMs: 0 })];
    const [first, second] = await Promise.all(both);
    process.kill(first!.survivors[0]!.pid, 'SIGKILL');
    expect(first).toMatchObject({ survivors: [{ name: '*'.repeat(15) }] });
    expect(second).toEqual(first);
  });

  test('without Enter, if asked', async () => {
    const { sessions } = begin();
    await sessions.open({ command: ask });
    await sessions.send('bash', { secret: 'db', submit: false, until: 'now' });
    expect((await sessions.send('bash', { keys: 'Enter', match: 'letters' })).output).toBe(
      '15 letters',
    );
  });

  test('if the caller has found it and passes it on', async () => {
    const { sessions } = begin({});
    expect(await sessions.open({ command: ask })).not.toHaveProperty('secrets');
    const secret = { name: 'db', value: VALUE };
    const answer = await sessions.send('bash', { secret, match: 'letters' });
    expect(answer.output).toBe('15 letters');
  });

  test('when a program that was just started asks a moment later', async () => {
    const { sessions } = begin();
    const command = [
      'bash',
      '--norc',
      '-c',
      `sleep 0.3; read -sp "Word: " w; echo; echo \${#w}; cat`,
    ];
    await sessions.open({ command, timeoutMs: 0 });
    expect((await sessions.send('bash', { secret: 'db', match: '15' })).matched).toBe('15');
  });

  test('and a guard sees its name and never its value', async () => {
    const actions: GuardedAction[] = [];
    const guard = (action: GuardedAction) => {
      actions.push(action);
      return actions.length > 2 ? 'enough' : undefined;
    };
    const { sessions } = begin({ secrets: one(), guard });
    await sessions.open({ command: ask });
    await sessions.send('bash', { secret: 'db', match: 'letters' }, { actor: 'Ada' });
    expect(actions[1]).toEqual({
      act: 'type',
      session: 'bash',
      input: '',
      secret: 'db',
      actor: 'Ada',
      caller: ownCaller(),
    });
    await expect(sessions.send('bash', { secret: 'db' })).rejects.toMatchObject({
      code: 'REFUSED_BY_GUARD',
    });
  });

  test('only to the programs it is for', async () => {
    const { sessions, typed } = begin({ secrets: one({ programs: ['psql', 'pg_dump'] }) });
    await sessions.open({ command: ask });
    await expect(sessions.send('bash', { secret: 'db' })).rejects.toMatchObject({
      code: 'SECRET_REFUSED',
      message:
        'The secret "db" was not typed: it is only for psql, pg_dump, and bash asks. A person can ' +
        'attach to the session and type it, or its owner can add bash to its programs.',
    });
    expect(typed()).toEqual([]);
    const bound = begin({ secrets: one({ programs: ['bash'] }) });
    await bound.sessions.open({ command: ask });
    const answer = await bound.sessions.send('bash', { secret: 'db', match: 'letters' });
    expect(answer.output).toBe('15 letters');
  });
});

describe('a secret is refused, and nothing is typed,', () => {
  const cases: [string, readonly string[], Partial<Secret>, RegExp][] = [
    ['at cat', ['cat'], {}, /cat would show it: the terminal prints/],
    [
      'at cat, though allowed elsewhere',
      ['cat'],
      { allow: ['raw', 'remote'] },
      /cat would show it/,
    ],
    ['at a prompt of bash', ['bash', '--norc'], {}, /bash would show it: it edits lines/],
    [
      'at a prompt of bash, though allowed in raw mode',
      ['bash', '--norc'],
      { allow: ['raw'] },
      /edits lines/,
    ],
    ['at a prompt of dash', ['dash', '-i'], {}, /dash would show it: the terminal prints/],
    ['at a prompt of python', ['python3', '-q'], {}, /python3/],
    ['in vim', ['vim', '-u', 'NONE', '-i', 'NONE'], {}, /vim/],
    ['in less', ['less', '/etc/passwd'], {}, /nobody can tell whether less in raw mode/],
    ['while a program works', ['sleep', '1000'], {}, /does not ask for anything now/],
  ];
  for (const [where, command, settings, reason] of cases) {
    testWith(command[0]!)(where, async () => {
      const { sessions, typed } = begin({ secrets: one(settings) });
      const { session } = await sessions.open({
        command,
        timeoutMs: command[0] === 'sleep' ? 0 : 5000,
      });
      const before = await sessions.read(session, { view: 'raw', from: 0 });
      await expect(sessions.send(session, { secret: 'db' })).rejects.toMatchObject({
        code: 'SECRET_REFUSED',
        message: expect.stringMatching(/^The secret "db" was not typed: .*\. [A-Z].*\.$/),
        details: { secret: 'db', reason: expect.stringMatching(reason) },
      });
      expect(typed()).toEqual([]);
      const after = await sessions.read(session, { view: 'raw', from: 0 });
      expect(after.output).toBe(before.output);
    });
  }

  testWith('socat', 'bash')('at a shell in a container, though allowed remotely', async () => {
    const scene = await scenes.container!(folderWith());
    onTestFinished(() => scene.strike());
    const command = `exec socat -,raw,echo=0 UNIX-CONNECT:"$SOCKET"`;
    for (const allow of [[], ['remote']] as const) {
      const { sessions, typed } = begin({ secrets: one({ allow }) });
      const open = await sessions.open({ command, env: { ...scene.env } });
      expect(open).toMatchObject({ prompt: 'inside$ ', waitingFor: 'line' });
      await expect(sessions.send(open.session, { secret: 'db' })).rejects.toMatchObject({
        code: 'SECRET_REFUSED',
      });
      expect(typed()).toEqual([]);
    }
  });

  test('together with text or keys', async () => {
    const { sessions, typed } = begin();
    await sessions.open({ command: ask });
    for (const more of [{ text: 'a' }, { keys: 'Up' }]) {
      await expect(sessions.send('bash', { secret: 'db', ...more })).rejects.toMatchObject({
        code: 'UNUSABLE_ARGUMENT',
      });
    }
    expect(typed()).toEqual([]);
  });

  test('if there is none of that name', async () => {
    const { sessions } = begin();
    await sessions.open({ command: ask });
    await expect(sessions.send('bash', { secret: 'bd' })).rejects.toMatchObject({
      code: 'UNKNOWN_SECRET',
      message: expect.stringMatching(/^There is no secret "bd"\. There are: db\. A person can/),
    });
  });

  test.each([
    ['is too short', 'abc', /fewer than 4 characters/],
    ['has two lines', 'two\nlines', /control character/],
    ['has a control character', 'erase\x15it', /control character/],
    ['is too long', 'x'.repeat(5000), /longer than a line/],
  ])('if its value %s', async (_, value, reason) => {
    const { sessions } = begin({ secrets: one({ value }) });
    await sessions.open({ command: ask });
    const refused = sessions.send('bash', { secret: 'db' });
    await expect(refused).rejects.toMatchObject({
      code: 'UNUSABLE_SECRET',
      details: { reason: expect.stringMatching(reason) },
    });
    await expect(refused).rejects.not.toThrow(value);
  });

  test('after the keyboard was taken', async () => {
    const { sessions, typed } = begin();
    await sessions.open({ command: ask });
    await sessions.take('bash', { actor: 'Ada' });
    await expect(sessions.send('bash', { secret: 'db' })).rejects.toMatchObject({
      code: 'KEYBOARD_TAKEN',
    });
    expect(typed()).toEqual([]);
  });
});

describe('with the permission of its owner', () => {
  testWith('python3')('a secret is typed to a program that reads it in raw mode', async () => {
    const script = `
import sys, termios, tty
old = termios.tcgetattr(0)
tty.setraw(0)
sys.stdout.write("PIN: "); sys.stdout.flush()
word = ""
while not word.endswith("\\r"): word += sys.stdin.read(1); sys.stdout.write("*"); sys.stdout.flush()
termios.tcsetattr(0, termios.TCSADRAIN, old)
print("\\nit was", word)
input()
`;
    const command = ['python3', '-c', script];
    const strict = begin();
    await strict.sessions.open({ command });
    await expect(strict.sessions.send('python3', { secret: 'db' })).rejects.toMatchObject({
      message: expect.stringMatching(/its owner can allow it: "allow: raw" in the file of "db"/),
    });
    expect(strict.typed()).toEqual([]);

    const { sessions, typed } = begin({ secrets: one({ allow: ['raw'] }) });
    await sessions.open({ command });
    const answer = await sessions.send('python3', { secret: 'db', match: 'it was .*' });
    expect(answer.matched).toBe(`it was ${'*'.repeat(15)}`);
    expect(typed().every((event) => 'hidden' in event)).toBe(true);
  });

  testWith('socat', 'bash')('a secret is typed to what is behind a connection', async () => {
    const scene = await scenes.container!(folderWith());
    onTestFinished(() => scene.strike());
    const { sessions } = begin({ secrets: one({ allow: ['remote'] }) });
    const command = `exec socat -,raw,echo=0 UNIX-CONNECT:"$SOCKET"`;
    const { session } = await sessions.open({ command, env: { ...scene.env } });
    await sessions.send(session, { text: 'read -sp "Word: " w; echo; echo "it was $w"' });
    const answer = await sessions.send(session, { secret: 'db', match: 'it was .*' });
    expect(answer.matched).toBe(`it was ${'*'.repeat(15)}`);
  });
});

describe('whether a secret may be typed is decided', () => {
  const terminal = { bracketedPaste: false } as Evidence['terminal'];
  const waiting = (waitingFor: string, foreground = 'login'): Verdict =>
    ({ state: 'waiting', waitingFor, foreground, certainty: 'likely', because: '' }) as Verdict;
  const kernel = (mode: object, wait: object = {}) =>
    ({
      lineMode: { canonical: false, echo: false, ...mode },
      threads: [{ doing: 'blocked', terminalWait: wait }],
    }) as unknown as NonNullable<Evidence['kernel']>;
  const decide = (secret: Partial<Secret>, verdict: Verdict, evidence: Partial<Evidence>) =>
    secretRefusal({ name: 'db', ...secret }, verdict, { terminal, ...evidence })?.reason;

  test('by the verdict first', () => {
    expect(decide({}, waiting('secret'), { kernel: kernel({ canonical: true }) })).toBe(undefined);
    const working = { state: 'working', because: 'busy' } as Verdict;
    expect(decide({ allow: ['raw', 'remote'] }, working, {})).toMatch(/busy/);
  });

  test('by what the kernel keeps of a long program name', () => {
    const secret = { programs: ['a-very-long-program-name'] };
    const asking = { kernel: kernel({ canonical: true }) };
    expect(decide(secret, waiting('secret', 'a-very-long-pro'), asking)).toBe(undefined);
    expect(decide({ programs: [] }, waiting('secret'), {})).toMatch(/no program/);
  });

  test('by the permission that is needed', () => {
    const local = { kernel: kernel({}) };
    expect(decide({}, waiting('line'), local)).toMatch(/raw mode/);
    expect(decide({ allow: ['remote'] }, waiting('key'), local)).toMatch(/raw mode/);
    expect(decide({ allow: ['raw'] }, waiting('key'), local)).toBe(undefined);
    // It reads key by key after a prompt for a password, but may print more than stars.
    expect(decide({}, waiting('secret'), local)).toMatch(/raw mode/);
    const remote = { kernel: kernel({}, { alsoWaitsForPeer: true }) };
    expect(decide({ allow: ['raw'] }, waiting('line'), remote)).toMatch(/behind login/);
    expect(decide({ allow: ['remote'] }, waiting('line'), remote)).toBe(undefined);
  });

  test('against the permission, if it would certainly be printed', () => {
    const allow = ['raw', 'remote'] as const;
    expect(decide({ allow }, waiting('line'), { kernel: kernel({ echo: true }) })).toMatch(
      /prints/,
    );
    expect(decide({ allow }, waiting('command'), { kernel: kernel({}) })).toMatch(/edits lines/);
    const pasting = { terminal: { ...terminal, bracketedPaste: true }, kernel: kernel({}) };
    expect(decide({ allow }, waiting('line'), pasting)).toMatch(/edits lines/);
    expect(decide({ allow }, waiting('line'), {})).toMatch(/would show it/);
  });
});

describe('secrets come', () => {
  /** A folder like the one for secrets in the configuration folder. */
  const files = (contents: Readonly<Record<string, string>>, mode = 0o600) => {
    const folder = folderWith();
    for (const [name, text] of Object.entries(contents)) {
      writeFileSync(join(folder, name), text);
      chmodSync(join(folder, name), mode);
    }
    return { folder, source: fileSecrets(folder) };
  };

  test('from the environment, by names of either kind', async () => {
    const source = environmentSecrets({ REPARTEE_SECRET_MY_DB: VALUE, REPARTEE_SECRET_NONE: '' });
    expect(source.names()).toEqual(['my_db']);
    for (const name of ['my_db', 'my-db', 'MY_DB'])
      expect(await source.find(name)).toEqual({ name, value: VALUE });
    expect(await source.find('none')).toBe(undefined);
  });

  test('from files, with their settings', async () => {
    const { source } = files({
      plain: VALUE,
      ended: `${VALUE}\r\n`,
      bound: `${VALUE}\nprograms: psql, pg_dump\n\n# for the server\nallow: raw remote\n`,
      '.hidden': VALUE,
    });
    expect(await source.find('plain')).toEqual({ name: 'plain', value: VALUE });
    expect(await source.find('ended')).toEqual({ name: 'ended', value: VALUE });
    expect(await source.find('bound')).toEqual({
      name: 'bound',
      value: VALUE,
      programs: ['psql', 'pg_dump'],
      allow: ['raw', 'remote'],
    });
    expect(source.names()).toEqual(['bound', 'ended', 'plain']);
    expect(source.names('ssh')).toEqual(['ended', 'plain']);
    for (const name of ['none', '.hidden', '../plain', 'a/b', ''])
      expect(await source.find(name)).toBe(undefined);
    expect(fileSecrets('/nonexistent').names()).toEqual([]);
  });

  test('not from a file that others can read, and the error has the command that mends it', () => {
    const { folder, source } = files({ db: VALUE }, 0o640);
    const path = join(folder, 'db');
    expect(() => source.find('db')).toThrow(
      `The secret in "${path}" was not used: others can read the file. Run: chmod 600 '${path}'`,
    );
    chmodSync(path, 0o600);
    expect(source.find('db')).toMatchObject({ value: VALUE });
  });

  asRoot(test)('not from a file of somebody else', () => {
    const { folder, source } = files({ db: VALUE });
    chownSync(join(folder, 'db'), 65534, 65534);
    expect(() => source.find('db')).toThrow(/belongs to user 65534\. Run: chown 0 '.*db' && chmod/);
  });

  test.each([['a\nb\n'], ['value\nallow: everything\n'], ['value\nprogram: psql\n']])(
    'not from a file with unknown lines, which the error does not show: %j',
    (text) => {
      const { source } = files({ db: `${VALUE}\n${text}` });
      expect(() => source.find('db')).toThrow(/"db" cannot be used: after its first line only/);
    },
  );

  test('not from a folder or a device', () => {
    const { folder, source } = files({});
    mkdirSync(join(folder, 'sub'), { mode: 0o700 });
    expect(() => source.find('sub')).toThrow(/no small text file/);
  });

  test('not from a file that is too large for one', async () => {
    const { source } = files({ most: 'x'.repeat(65_536), more: 'x'.repeat(65_537) });
    expect(await source.find('most')).toMatchObject({ name: 'most' });
    expect(() => source.find('more')).toThrow(/no small text file/);
  });

  test('not from a file in place of the folder', async () => {
    const { folder } = files({ db: VALUE });
    expect(await fileSecrets(join(folder, 'db')).find('web')).toBe(undefined);
  });

  test('from the environment of the caller first, then from its configuration folder', async () => {
    const config = folderWith();
    const folder = join(config, 'repartee', 'secrets');
    mkdirSync(folder, { recursive: true });
    for (const name of ['db', 'web'])
      writeFileSync(join(folder, name), `${name}-file`, { mode: 0o600 });
    const env = { XDG_CONFIG_HOME: config, REPARTEE_SECRET_DB: 'db-environment' };
    const source = standardSecrets(env);
    expect(await source.find('db')).toMatchObject({ value: 'db-environment' });
    expect(await source.find('web')).toMatchObject({ value: 'web-file' });
    expect([...source.names()].sort()).toEqual(['db', 'web']);
    expect(secretsFolder({ HOME: '/home/ada', XDG_CONFIG_HOME: 'relative' })).toBe(
      '/home/ada/.config/repartee/secrets',
    );
  });
});

test('no program gets the secrets in the caller’s environment, nor those in its own options', async () => {
  process.env.REPARTEE_SECRET_TEST = VALUE;
  onTestFinished(() => {
    delete process.env.REPARTEE_SECRET_TEST;
  });
  const { sessions } = begin({});
  const env = { REPARTEE_SECRET_OTHER: VALUE, ORDINARY: 'yes' };
  const { output } = await sessions.open({ command: 'env | grep -e SECRET -e ORDINARY', env });
  expect(output).toBe('ORDINARY=yes');
});

test('a value that a program prints out of order is masked in what is read', async () => {
  const { sessions } = begin();
  const script = `
import getpass, sys
word = getpass.getpass("Word: ")
# Its end first.
sys.stdout.write(f"\\r\\x1b[{len(word) - 5}C{word[-5:]}\\r{word[:-5]}\\n")
sys.stdout.write(f"\\x1b[{120 - 5}C{word}\\nwrapped\\n"); input()
`;
  await sessions.open({ command: ['python3', '-c', script] });
  const { output } = await sessions.send('python3', { secret: 'db', match: 'wrapped' });
  expect(output).not.toContain(VALUE);
  const screen = await sessions.read('python3', { view: 'screen' });
  expect(screen.output).not.toContain(VALUE);
  expect(screen.output).not.toContain(VALUE.slice(0, 5));
  const { picture } = await sessions.read('python3', { view: 'image' });
  const drawn = picture!.runs.map((row) => row.map(({ text }) => text).join('')).join('');
  expect(drawn).toContain('wrapped');
  expect(drawn).not.toContain(VALUE);
  for (const search of ['Tr0', VALUE.slice(-5)]) {
    expect((await sessions.read('python3', { search })).output).not.toContain(VALUE);
  }
});
