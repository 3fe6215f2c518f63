/** Garbage on the socket. test/helpers/fuzz.ts says how to run it for longer. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { PROTOCOLS } from '../../../src/daemon/protocol/protocol.ts';
import { PACKAGE_VERSION } from '../../../src/package-version.ts';
import { type OwnDaemon, ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { descriptorsOf, isAlive } from '../../helpers/daemon/processes.ts';
import { frame } from '../../helpers/daemon/raw-client.ts';
import { FUZZ_TIMEOUT_MS, fuzz } from '../../helpers/fuzz.ts';
import { type Random, seeded } from '../../helpers/seeded.ts';
import { until } from '../../helpers/until.ts';

const methods = [
  'hello open send run type take giveBack read wait list resize signal close subscribe',
  'unsubscribe status constructor __proto__ $/cancelRequest $/progress $/setTrace',
].flatMap((words) => words.split(' '));

/** Values that some field does not expect. */
const oddValue = (random: Random): unknown =>
  random.pick([
    null,
    true,
    -1,
    1e308,
    0.5,
    '',
    'prey',
    '../../etc',
    'x'.repeat(100_000),
    '\u0000',
    '\ud800',
    [],
    [[]],
    {},
    { $number: 'NaN' },
    { __proto__: null, length: 1e9 },
    ['cat'],
    { until: 'ready', timeoutMs: 0, match: '(a+)+$' },
    { text: 'x', submit: 1, keys: 7, view: 'raw', maxTokens: -5, from: 1e15 },
    { command: ['cat'], cwd: 5, env: { A: 5 }, cols: 'x', rows: -1, history: { maxBytes: 'y' } },
    { command: 7, program: null, cwd: '/', env: null, cols: 80, rows: 24, limits: { nice: 'z' } },
  ]);

const oddText = [
  '',
  'x',
  '\u0000',
  '\ud800',
  '\u001b]0;',
  'C-c',
  '(a+)+$',
  'exit',
  '../..',
  'é'.repeat(3000),
];
const oddNumbers = [-1, 0, 0.5, 1, 7, 80, 65_536, 2 ** 31, 1e15, { $number: 'NaN' }];

/** A request with fields of the right types, and values that make no sense. */
const wellTypedRequest = (random: Random): string => {
  const text = () => random.pick(oddText);
  const number = () => random.pick(oddNumbers);
  const words = () => random.list(3, text);
  const wait = {
    until: random.pick(['now', 'output', 'ready', text()]),
    timeoutMs: random.below(50),
  };
  const read = {
    ...wait,
    view: random.pick(['raw', 'diff', text()]),
    from: number(),
    search: text(),
  };
  const send = { ...wait, text: text(), keys: text(), match: text(), maxTokens: number() };
  const open = {
    command: random.pick([['cat'], ['true'], words()]),
    program: text(),
    cwd: random.pick(['/', text()]),
    env: { PATH: '/usr/bin:/bin', [text()]: text() },
    cols: random.pick([80, number()]),
    rows: random.pick([24, number()]),
    tty: random.below(2) === 0,
    stdin: random.below(2) === 0,
    timeoutMs: random.below(50),
    history: { maxBytes: number(), maxLines: number() },
    limits: random.pick<object>([{}, { nice: number() }]),
    record: random.below(2) === 0,
  };
  const run = { command: text(), timeoutMs: random.below(50), maxTokens: number() };
  const session = random.pick(['prey', 'prey', text()]);
  const [method, params] = random.pick<[string, object]>([
    ['open', { request: open }],
    ['run', { request: { ...run, open } }],
    ['run', { request: { ...run, session } }],
    ['send', { session, input: send }],
    ['send', { session, input: { secret: { name: text(), value: text() } } }],
    ['type', { session, bytes: text(), actor: text() }],
    ['take', { session, actor: text() }],
    ['read', { session, options: read, reader: text() }],
    ['wait', { options: { ...wait, sessions: [session] } }],
    ['resize', { session, cols: number(), rows: number() }],
    ['signal', { session, signal: random.pick(['SIGINT', 'SIGSTOP', text()]) }],
    ['close', { session, options: { graceMs: number() } }],
    ['subscribe', { subscription: number(), types: words() }],
  ]);
  return JSON.stringify({ jsonrpc: '2.0', id: random.below(1000), method, params });
};

/** A request with fields of any type. */
const untypedRequest = (random: Random): string => {
  const names = ['session', 'options', 'input', 'request', 'bytes', 'cols', 'rows', 'signal'];
  const more = ['subscription', 'types', 'actor', 'reader', 'progress', 'protocol', 'version'];
  const params = Object.fromEntries(
    [...names, ...more].filter(() => random.below(3) > 0).map((name) => [name, oddValue(random)]),
  );
  // With a session that exists, some requests get further.
  if (random.below(2) === 0) params.session = 'prey';
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(random.below(5) > 0 && { id: random.pick([1, 2, 'a', null, -1, 1e20]) }),
    method: random.pick(methods),
    params: random.below(8) === 0 ? oddValue(random) : params,
  });
};

const hello = frame(
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'hello',
    params: { protocol: PROTOCOLS.newest, version: PACKAGE_VERSION },
  }),
);

const framesOf = (random: Random, request: (random: Random) => string): string =>
  Array.from({ length: 1 + random.below(8) }, () => frame(request(random))).join('');

const garbage = (random: Random): string | Buffer => {
  const untyped = framesOf(random, untypedRequest);
  const helloAndWellTyped = () => hello + framesOf(random, wellTypedRequest);
  return random.pick<() => string | Buffer>([
    () => untyped,
    () => hello + untyped,
    // Three times, since these get furthest.
    helloAndWellTyped,
    helloAndWellTyped,
    helloAndWellTyped,
    () => hello + untyped.slice(0, random.below(untyped.length)),
    () => Buffer.from(Array.from({ length: random.below(5000) }, () => random.below(256))),
    () => `Content-Length: 1000000000\r\n\r\n${'x'.repeat(random.below(100_000))}`,
    () => `${hello}Content-Length: ${random.pick(['99999999', '-5', '0', 'x', '1e9'])}\r\n\r\n{}`,
    () => `${hello}${frame('{"jsonrpc":"2.0"')}`,
    () => `${hello}${frame(random.pick(['null', '7', '[]', '"x"', '{}', '[{}]']))}`,
    () => 'x'.repeat(random.below(1_000_000)),
    () => `${hello}${frame(`{"a":${'['.repeat(100_000)}`)}`,
  ])();
};

/** Connects, sends garbage, and disconnects: at once, after a moment, or when it is cut off. */
const attack = (daemon: OwnDaemon, random: Random): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(daemon.paths.socket);
    socket.on('error', () => {});
    socket.on('close', () => resolve());
    socket.on('connect', () => {
      socket.write(garbage(random));
      if (random.below(3) > 0) socket.resume();
      const disconnect = () => (random.below(2) === 0 ? socket.end() : socket.destroy());
      setTimeout(disconnect, random.below(30));
      setTimeout(() => socket.destroy(), 100);
    });
  });

test(
  'the daemon survives garbage, half messages and headers of gigabytes, and keeps nothing of them',
  async () => {
    const daemon = ownDaemon();
    await using sessions = await daemon.connect();
    await sessions.open({ command: ['cat'], name: 'kept' });
    const pid = await daemon.pid();
    const descriptors = descriptorsOf(pid);
    await fuzz(async (_, seed) => {
      // Some garbage happens to be valid and closes this session.
      await sessions.open({ command: ['cat'], name: 'prey' }).catch(() => {});
      const seeds = Array.from({ length: 20 }, (_, at) => 20 * seed + at);
      await Promise.all(seeds.map((each) => attack(daemon, seeded(each))));
      expect(isAlive(pid)).toBe(true);
    });
    expect(await sessions.send('kept', { text: 'hello' })).toMatchObject({ output: 'hello' });
    await sessions.closeAll({ graceMs: 0 });
    await sessions.open({ command: ['cat'] });
    await until('no descriptor is left', () => descriptorsOf(pid) <= descriptors, 60_000);
  },
  FUZZ_TIMEOUT_MS,
);

test('a thousand silent connections keep no other client out, and are cut off', async () => {
  const daemon = ownDaemon();
  await using sessions = await daemon.connect();
  const pid = await daemon.pid();
  const before = descriptorsOf(pid);
  const sockets = Array.from({ length: 1000 }, () =>
    connect(daemon.paths.socket).on('error', () => {}),
  );
  await using other = await daemon.connect();
  await other.open({ command: ['cat'] });
  expect(await sessions.send('cat', { text: 'hello' })).toMatchObject({ output: 'hello' });
  await other.close('cat');
  await until('they are cut off', () => descriptorsOf(pid) <= before + 2, 15_000);
  for (const socket of sockets) socket.destroy();
});
