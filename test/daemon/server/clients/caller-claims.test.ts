/** What a client says of itself is compared with what the kernel knows of it. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { PROTOCOLS } from '../../../../src/daemon/protocol/protocol.ts';
import {
  identifyCaller,
  type Peer,
} from '../../../../src/daemon/server/clients/identify-caller.ts';
import { PACKAGE_VERSION } from '../../../../src/package-version.ts';
import { MAIN, ownCli } from '../../../helpers/cli/own-cli.ts';
import { ownDaemon } from '../../../helpers/daemon/own-daemon.ts';
import { RawClient } from '../../../helpers/daemon/raw-client.ts';
import { testWith } from '../../../helpers/needs.ts';
import { open } from '../../../helpers/open-terminal.ts';
import { until } from '../../../helpers/until.ts';

const hello = (caller?: object) => ({
  protocol: PROTOCOLS.newest,
  version: PACKAGE_VERSION,
  ...(caller && { caller }),
});

const own = { uid: process.getuid?.(), kind: 'agent', pid: process.pid };

test.each([
  ['nothing, as a client of version 0.1.0 does', undefined, { ...own, door: 'unknown' }],
  ['a door that this version does not know', { door: 'window' }, { ...own, door: 'unknown' }],
  [
    'its program',
    { door: 'library', client: { name: 'my agent', version: '7' } },
    { ...own, door: 'library', client: { name: 'my agent', version: '7' } },
  ],
  [
    'a name with escape sequences and no end',
    { door: 'mcp', client: { name: `\x1b[31m\nred${'d'.repeat(1000)}` } },
    { ...own, door: 'mcp', client: { name: `␛[31m␊red${'d'.repeat(91)}` } },
  ],
])('a client that says %s is told as whom the daemon knows it', async (_, claim, known) => {
  const daemon = ownDaemon();
  await daemon.start();
  const { result } = await new RawClient(daemon).request('hello', hello(claim));
  expect(result).toMatchObject({ caller: known });
  expect((await daemon.status()).callers).toMatchObject([known]);
});

test.each([
  [{ door: 7 }],
  [{ door: 'cli', person: 'yes' }],
  [{ door: 'cli', client: 'me' }],
  [{ door: 'cli', client: { name: ['me'] } }],
  ['me'],
])('a claim of the wrong shape is refused: %j', async (caller) => {
  const daemon = ownDaemon();
  await daemon.start();
  const { error } = await new RawClient(daemon).request('hello', { ...hello(), caller });
  expect(error?.message).toMatch(/^hello\.caller/);
});

testWith('cat')(
  'a client without a terminal of its own is no person: nothing is done, nothing is lost',
  async () => {
    const daemon = ownDaemon();
    await using sessions = await daemon.connect();
    await sessions.open({ command: ['cat'] });
    const answers = await outputWithoutTerminal(personProgram(daemon.paths.socket));
    expect(JSON.parse(answers)).toMatchObject([
      { error: { data: { code: 'NOT_A_PERSON' } } },
      // It may still be what it is.
      { result: { caller: { kind: 'agent', door: 'attach' } } },
    ]);
    expect(await sessions.list()).toMatchObject([{ session: 'cat', state: 'waiting' }]);
    const { callers } = await daemon.status();
    expect(callers?.map(({ door }) => door)).toEqual(['library']);
  },
);

/** Runs a program in a process session of its own, which has no terminal, wherever the tests run. */
const outputWithoutTerminal = async (program: string): Promise<string> => {
  const child = spawn(process.execPath, ['-e', program], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return text(child.stdout);
};

/** Says hello as a person, then as nobody special, and prints both answers. */
const personProgram = (socket: string): string => `
const { connect } = require('node:net');
const client = connect('${socket}');
const ask = (id, caller) => {
  const params = { protocol: ${PROTOCOLS.newest}, version: '${PACKAGE_VERSION}', caller };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'hello', params });
  client.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body);
};
let received = '';
client.on('data', (chunk) => {
  received += chunk;
  const answers = received.split(/Content-Length: \\d+\\r\\n\\r\\n/).slice(1);
  if (answers.length === 1) ask(2, { door: 'attach' });
  else { console.log('[' + answers.join() + ']'); client.end(); }
});
ask(1, { door: 'attach', person: true });
`;

testWith('bash')(
  'a person inside a session is that session’s agent: attach is refused',
  async () => {
    const cli = ownCli();
    await cli.run('open', '--name', 'one', '--', 'bash', '--norc');
    await cli.run('open', '--name', 'two', '--', 'cat');
    const attach = `'${process.execPath}' '${MAIN}' attach two; echo code $?`;
    const { stdout } = await cli.run('send', 'one', attach, '--match', 'code \\d');
    expect(stdout).toMatch(/Only a person can do this.*inside session "one"/s);
    expect(stdout).toContain('code 1');
    expect((await cli.run('send', 'two', 'goes on')).stdout).toContain('goes on');
  },
);

test('a command that somebody types at a terminal outside our sessions is a person’s', async () => {
  const cli = ownCli();
  const env = { ...cli.env, PATH: process.env.PATH };
  const line = [MAIN, 'open', '--name', 'made', '--', 'cat'];
  const { pty } = await open(process.execPath, line, { env });
  expect(await pty.exited).toEqual({ code: 0 });
  const { sessions } = (await cli.run('ls', '--long', '--json')).json;
  expect(sessions[0].opened_by).toMatchObject({ door: 'cli', kind: 'person', pid: pty.pid });
});

test('a client that was killed before the daemon looked is an agent of the same user', async () => {
  const daemon = ownDaemon();
  const pid = await daemon.start();
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  // It connects to a daemon that is stopped, says hello and is gone.
  const { pty } = await open(process.execPath, ['-e', goneProgram(daemon.paths.socket)]);
  await pty.exited;
  process.kill(pid, 'SIGCONT');
  const { result } = await new RawClient(daemon).request('hello', hello());
  expect(result).toMatchObject({ caller: own });
  await until('the other is gone', async () => (await daemon.status()).clients === 1);
});

const goneProgram = (socket: string): string => `
const { connect } = require('node:net');
const client = connect('${socket}', () => process.kill(process.pid, 'SIGKILL'));
`;

test('of a process that cannot be seen only the user is known', () => {
  const lineage = { processes: [], isOurs: false, sessionTokens: [] };
  const peer: Peer = { pid: 0, uid: 54_321, lineage, terminal: 0, isOnTerminal: false };
  expect(identifyCaller(peer, { door: 'cli' }, [])).toEqual({
    door: 'cli',
    user: 'user 54321',
    uid: 54_321,
    kind: 'agent',
  });
  expect(() => identifyCaller(peer, { door: 'attach', person: true }, [])).toThrow(/person/);
});
