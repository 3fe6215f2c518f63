/**
 * Types a secret to programs that ask for one, then searches everything we have kept, emitted or written
 * for it.
 */
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isRoot, run, until } from '../../../conversations/scenes/run.ts';
import { scenes } from '../../../conversations/scenes.ts';
import { actorOf, ownCaller } from '../../../src/session/caller.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { GuardedAction, SendOptions } from '../../../src/session/options/options.ts';
import { openRequest } from '../../../src/session/options/requests.ts';
import { Session } from '../../../src/session/session.ts';
import type {
  CallProgress,
  SessionEvent,
  SessionEventBody,
  SessionResult,
} from '../../../src/session/sessions.ts';
import { asRoot, testWith } from '../../helpers/needs.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

/** Fifteen characters. */
const VALUE = 'Tr0ub4dor&3-xyz';
const PATH = '/usr/bin:/bin:/usr/sbin:/sbin';

const makeScene = async (name: string, folder: string) => {
  const scene = await scenes[name]!(folder);
  onTestFinished(() => scene.strike());
  return scene.env;
};

/** Sets the secret as the password of a scene's throw-away user. */
const setPassword = async (user: string): Promise<void> => {
  const hash = (await run('openssl', ['passwd', '-6', '-salt', 'repartee', VALUE])).trim();
  await until('usermod has the lock', () =>
    run('usermod', ['-p', hash, user]).then(
      () => true,
      (error) => {
        if (/cannot lock|try again/.test(String(error))) return false;
        throw error;
      },
    ),
  );
};

/** Opens a session, and keeps everything that a caller, a subscriber or a guard can see of it. */
const begin = async (command: string, folder: string, env: Readonly<Record<string, string>>) => {
  // The programs print the secret from this file, so that no test has to type it.
  writeFileSync(join(folder, 'value'), VALUE);
  writeFileSync(join(folder, 'print'), print);
  chmodSync(join(folder, 'value'), 0o644);
  if (isRoot) chmodSync(folder, 0o711);
  const seen: unknown[] = [];
  const recordings = join(folder, 'recordings');
  const sessions = new LocalSessions({
    secrets: {
      find: (name) => (name === 'it' ? { name, value: VALUE } : undefined),
      names: () => ['it'],
    },
    guard: (act: GuardedAction) => void seen.push(act),
    recordings: { folder: recordings, always: true },
  });
  onTestFinished(async () => void (await sessions.closeAll({ graceMs: 0, force: true })));
  sessions.subscribe((event: SessionEvent) => seen.push(event));
  const call = { onProgress: (progress: CallProgress) => void seen.push(progress) };
  const keep = (result: SessionResult) => {
    seen.push(result);
    return result;
  };
  const base = { PATH, HOME: folder, LANG: 'C.UTF-8', PRINT: join(folder, 'print') };
  const allEnv = { ...base, ...env, SHELL: '/bin/bash' };
  const open = { command: `exec ${command}`, name: 'it', env: allEnv, cwd: folder };
  keep(await sessions.open({ ...open, timeoutMs: 30_000 }, call));
  return {
    sessions,
    seen,
    folder,
    recordings,
    send: async (input: SendOptions) => keep(await sessions.send('it', input, call)),
  };
};

type Talk = Awaited<ReturnType<typeof begin>>;

/** Prints it in one go, in two, letter by letter, with colours, and as a title. */
const print = `
v=$(cat "\${0%/*}/value")
echo "whole: $v"
printf 'halves: %s' "\${v:0:7}"; sleep 0.1; echo "\${v:7}"
printf 'quick halves: %s' "\${v:0:8}"; echo "\${v:8}"
printf 'letters: '
for ((i = 0; i < \${#v}; i++)); do printf %s "\${v:i:1}"; sleep 0.05; done; echo
printf 'coloured: '
for ((i = 0; i < \${#v}; i++)); do printf '\\e[3%dm%s' $((i % 8)) "\${v:i:1}"; done; printf '\\e[0m\\n'
printf '\\e]2;%s\\a' "$v"
printf '\\r%*s%s\\n' $((COLUMNS - 5)) '' "$v"
echo "end of print"
`;

/** Searches everything we have written, emitted and kept. */
const search = async ({ sessions, seen, recordings }: Talk) => {
  const listed = await sessions.list();
  const views = [];
  for (const view of ['text', 'screen', 'raw', 'diff'] as const)
    views.push(await sessions.read('it', { view, from: 0, maxTokens: 1e6 }));
  views.push(await sessions.read('it', { search: '.', maxTokens: 1e6 }));
  const dumps: SessionEvent[] = [];
  sessions.subscribe((event) => dumps.push(event), 'it')();
  const files = readdirSync(recordings).map((name) => readFileSync(join(recordings, name), 'utf8'));
  expect(files.length).toBeGreaterThan(0);
  const bytesOf = (type: string) =>
    Buffer.concat(
      seen.flatMap((it) =>
        (it as SessionEvent).type === type ? [(it as { bytes: Uint8Array }).bytes] : [],
      ),
    ).toString();
  const bytes = bytesOf('output');
  expect(bytesOf('input')).not.toContain(VALUE);
  for (const text of [bytes, withoutEscapes(bytes), ...files, ...files.map(unescaped)])
    expect(text).not.toContain(VALUE);
  for (const it of [...seen, ...listed, ...views, ...dumps]) {
    const text = JSON.stringify(it, (_, value) => (value instanceof Uint8Array ? '' : value));
    expect(text).not.toContain(VALUE);
    expect(withoutEscapes(String(JSON.parse(JSON.stringify(text))))).not.toContain(VALUE);
  }
  for (const { output, screen } of views) {
    expect(output).not.toContain(VALUE);
    expect(screen?.title ?? '').not.toContain(VALUE);
  }
  return { views, files, bytes };
};

const withoutEscapes = (text: string) => text.replaceAll(/\x1b\[[\d;]*m|\\u001b\[[\d;]*m/g, '');
/** The output of a recording, as a player would put it together. */
const unescaped = (cast: string) =>
  withoutEscapes(
    cast
      .split('\n')
      .filter((line) => line.startsWith('['))
      .map((line) => JSON.parse(line))
      .filter(([, code]) => code === 'o')
      .map(([, , data]) => data)
      .join(''),
  );

const lastResult = (talk: Talk) =>
  talk.seen.findLast((it) => (it as SessionResult).elapsedMs !== undefined);

/** Prints the secret in every way in a shell, after the secret has let us in. */
const printInShell = async (talk: Talk) => {
  const result = await talk.send({ text: 'COLUMNS=80 bash "$PRINT"', match: 'end of print' });
  expect(result.matched).toBe('end of print');
  const { views } = await search(talk);
  expect(views[0]!.output).toContain(`whole: ${'*'.repeat(15)}`);
  expect(views[0]!.output).toContain(`quick halves: ${'*'.repeat(15)}`);
  expect(views[0]!.output).toContain(`coloured: ${'*'.repeat(15)}`);
};

const sudo = ['sudo', 'setpriv', 'useradd', 'bash', 'openssl'];
for (const scene of ['sudoer, relayed', 'sudoer, direct']) {
  asRoot(testWith(...sudo))(
    `a secret goes through sudo unseen (${scene})`,
    async () => {
      const folder = folderWith();
      const env = await makeScene(scene, folder);
      await setPassword(env.WHO!);
      const shell = `env PS1='root# ' HISTFILE=/dev/null PRINT=$PRINT bash --norc -i`;
      const talk = await begin(`$BECOME sudo ${shell}`, folder, env);
      expect(lastResult(talk)).toMatchObject({
        waitingFor: 'secret',
        secrets: ['it'],
        foreground: 'sudo',
      });
      const inside = await talk.send({ secret: 'it' });
      expect(inside).toMatchObject({ state: 'waiting', prompt: 'root# ' });
      expect((await talk.send({ text: 'id -u' })).output).toBe('0');
      await printInShell(talk);
    },
    60_000,
  );
}

asRoot(testWith(...sudo))(
  'input without echo on a terminal within a terminal is not recorded',
  async () => {
    const folder = folderWith();
    const env = await makeScene('sudoer, relayed', folder);
    await setPassword(env.WHO!);
    const script = `read -sp 'Word: ' w; echo; read -sp 'Again: ' w; echo; cat`;
    const talk = await begin(`$BECOME sudo bash -c "${script}"`, folder, env);
    expect(await talk.send({ secret: 'it' })).toMatchObject({
      waitingFor: 'secret',
      prompt: 'Word: ',
    });
    expect(await talk.send({ text: 'sesame-open' })).toMatchObject({ prompt: 'Again: ' });
    // Key by key, as a person's terminal sends them, while no caller waits for the program.
    for (const key of 'sesame-open\r') await talk.sessions.type('it', Buffer.from(key));
    await talk.sessions.wait();
    await talk.send({ text: 'visible' });
    const { files } = await search(talk);
    expect(files.join('')).not.toContain('sesame');
    const typed = talk.seen.filter((it) => (it as SessionEvent).type === 'input');
    const bytes = typed.map((it) => Buffer.from((it as { bytes: Uint8Array }).bytes).toString());
    expect(bytes.join('')).toBe('visible\r');
  },
  60_000,
);

asRoot(testWith('su', 'setpriv', 'useradd', 'bash', 'openssl'))(
  'a secret goes through su unseen',
  async () => {
    const folder = folderWith();
    const env = await makeScene('ordinary user', folder);
    await setPassword(env.WHO!);
    const talk = await begin('$BECOME su "$WHO"', folder, env);
    expect(lastResult(talk)).toMatchObject({ waitingFor: 'secret', prompt: 'Password: ' });
    expect(await talk.send({ secret: 'it' })).toMatchObject({ waitingFor: 'command' });
    expect((await talk.send({ text: 'id -un' })).output).toBe(env.WHO);
    await printInShell(talk);
  },
  60_000,
);

asRoot(testWith('ssh', 'sshd', 'unshare', 'ssh-keygen', 'setpriv', 'useradd', 'bash', 'openssl'))(
  'a secret goes through ssh unseen, and not to the shell behind it',
  async () => {
    const folder = folderWith();
    const env = await makeScene('sshd', folder);
    const [, user] = /User (\S+)/.exec(readFileSync(env.SSH_CONFIG!, 'utf8'))!;
    await setPassword(user!);
    const options = '-o PubkeyAuthentication=no -o StrictHostKeyChecking=no';
    const shell = `env HOME=$HOME HISTFILE=/dev/null PRINT=$PRINT PS1='remote\\$ ' bash --norc -i`;
    const talk = await begin(`ssh -F "$SSH_CONFIG" ${options} -t box "${shell}"`, folder, env);
    expect(lastResult(talk)).toMatchObject({ waitingFor: 'secret', foreground: 'ssh' });
    const inside = await talk.send({ secret: 'it' });
    expect(inside).toMatchObject({ waitingFor: 'line', prompt: 'remote$ ' });
    await expect(talk.send({ secret: 'it' })).rejects.toMatchObject({ code: 'SECRET_REFUSED' });
    await printInShell(talk);
  },
  60_000,
);

testWith(
  'psql',
  'initdb',
  'setpriv',
  'bash',
)(
  'a secret goes through psql unseen',
  async () => {
    const folder = folderWith();
    const env = await makeScene('postgres', folder);
    const talk = await begin('psql -X -W', folder, env);
    expect(lastResult(talk)).toMatchObject({ waitingFor: 'secret', foreground: 'psql' });
    expect(await talk.send({ secret: 'it' })).toMatchObject({ prompt: 'postgres=# ' });
    const shown = await talk.send({ text: `\\! cat "$HOME/value"; echo; echo told` });
    expect(shown.output).toBe(`${'*'.repeat(15)}\ntold`);
    await search(talk);
  },
  60_000,
);

testWith('python3', 'bash')('a secret goes through getpass unseen', async () => {
  const folder = folderWith();
  const script = `
import getpass, os, time
word = getpass.getpass("Word: ")
print("it has", len(word), "letters:", word)
for letter in word: print(letter, end="", flush=True); time.sleep(0.05)
print(f"\\x1b[1m{word[:5]}\\x1b[0m{word[5:]}\\x1b]0;{word}\\x07")
again = getpass.getpass(f"Not {word[:-2]}")
os.execvp("bash", ["bash", "--norc", "-i"])
`;
  writeFileSync(join(folder, 'ask.py'), script);
  const talk = await begin('python3 ask.py', folder, { PS1: '$ ' });
  expect(lastResult(talk)).toMatchObject({ waitingFor: 'secret', prompt: 'Word: ' });
  const answer = await talk.send({ secret: 'it' });
  // The prompt ends with the first part of the secret, and is shown all the same.
  expect(answer).toMatchObject({ waitingFor: 'secret', prompt: `Not ${'*'.repeat(13)}` });
  expect(answer.output).toMatch(/^it has 15 letters: \*{15}\nT?r?0?\*{27,30}$/);
  await talk.send({ secret: 'it' });
  await printInShell(talk);
});

test('neither the bytes nor the lines nor the screen in memory hold a secret', async () => {
  const folder = folderWith({ value: VALUE });
  const events: SessionEventBody[] = [];
  const script = `stty -echo; printf 'Word: '; read w; stty echo; yes "of many: $w" | head -n 20000; for i in $(seq 300); do echo "$i $w $(cat value)"; done; printf '\\e[?1049h%s' "$w"; read x`;
  const request = openRequest({ command: ['bash', '-c', script], cwd: folder });
  const session = await Session.open('it', request, {
    openedBy: ownCaller(),
    guard: () => undefined,
    emit: (event) => events.push(event),
    secretNames: () => [],
  });
  onTestFinished(async () => void (await session.close({ graceMs: 0 })));
  await session.input.typeSecret({ name: 'it', value: VALUE }, true, actorOf({}));
  await until('it is on the other screen', () => session.screen.modes.alternateScreen);
  const { screen } = session;
  const bytes = Buffer.concat(
    [...screen.history.bytes.slices(0, screen.position)].map(({ bytes }) => bytes),
  );
  expect(bytes.toString()).toContain(`300 ${'*'.repeat(15)} ${'*'.repeat(15)}`);
  expect(bytes.toString()).not.toContain(VALUE);
  // Pieces of output end anywhere. If the next one is late, at most three letters are shown.
  const many = bytes.toString().match(/of many: (\*{15}|T\*{14}|Tr\*{13}|Tr0\*{12})\r\n/g);
  expect(many).toHaveLength(20_000);
  const lines = [...screen.lines()].map(({ text }) => text).join('\n');
  expect(lines).toContain(`300 ${'*'.repeat(15)} ${'*'.repeat(15)}`);
  expect(lines + screen.dump()).not.toContain(VALUE);
});

test('a known secret that a person pastes visibly is masked in events', async () => {
  const talk = await begin(`bash -c 'read -sp "Word: " w; echo; exec cat'`, folderWith(), {});
  await talk.send({ secret: 'it' });
  await talk.sessions.type('it', Buffer.from(`so: ${VALUE}\r`), { actor: 'Ada' });
  const { output } = await talk.sessions.wait({ match: 'so: .*\nso: .*' });
  expect(output).toBe(`so: ${'*'.repeat(15)}\nso: ${'*'.repeat(15)}`);
  await search(talk);
  expect(JSON.stringify(talk.seen)).toContain(`"input":"so: ${'*'.repeat(15)}`);
});
