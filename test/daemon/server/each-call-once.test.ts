/**
 * Calls through connections that are cut at random. `CALLS=10000` makes more of them, `SEED=5` others.
 * What they did is counted where it cannot be forged: in a file to which the programs append.
 */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { TerminalError } from '../../../src/errors.ts';
import type { SessionEvent, SessionResult } from '../../../src/session/sessions.ts';
import { CuttingProxy } from '../../helpers/daemon/cutting-proxy.ts';
import { ownDaemon } from '../../helpers/daemon/own-daemon.ts';
import { type Random, seeded } from '../../helpers/seeded.ts';
import { until } from '../../helpers/until.ts';

const CALLS = Number(process.env.CALLS ?? 1000);
const SEED = Number(process.env.SEED ?? 1);
const CLIENTS = 2;
/** Of each client, at the same time. */
const WORKERS = 3;
/** Answers are short here, so that most connections can be cut after a few calls. */
const BYTES_BEFORE_CUT = [300, 3000, 3000, 3000, 30_000];

/** Appends each line that it gets to the file, and answers it. */
const TALKER = 'stty -echo; while read -r x; do echo "$x" >> done; echo "ok $x"; done';

test(
  'each effect is done once or told as unknown, and each byte of output is read once',
  async () => {
    const daemon = ownDaemon();
    await daemon.start();
    const proxy = new CuttingProxy(daemon.paths, seeded(SEED), BYTES_BEFORE_CUT);
    await proxy.listen();
    onTestFinished(() => proxy.close());
    const connect = () => daemon.connect({ paths: proxy.paths, start: false });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, connect));
    const file = join(daemon.folder, 'done');
    writeFileSync(file, '');
    const world = new World(file, daemon.folder);
    await clients[0]!.open({ command: TALKER, cwd: daemon.folder, name: 'talk' });
    await clients[0]!.open({ shell: '/bin/bash', clean: true, cwd: daemon.folder, name: 'sh' });
    const follower = new Follower(clients[1]!);
    await until('the follower has the first screen', () => follower.isFollowing);
    const workers = clients.flatMap((client) =>
      Array.from({ length: WORKERS }, (_, at) => work(client, world, seeded(1000 * SEED + at))),
    );
    await Promise.all(workers);
    await until('all that was typed is done', () => world.missing().length === 0);
    await until('the follower has heard it all', () => follower.hasHeard(world));
    world.results.push(await clients[0]!.read('talk'));

    expect(world.missing()).toEqual([]);
    expect(world.twice()).toEqual([]);
    expect(world.linesRead()).toEqual(world.linesTyped());
    expect(follower.gaps).toEqual([]);
    const names = (await clients[0]!.list()).map(({ session }) => session);
    expect(names.sort()).toEqual(['sh', 'talk']);
    const { calls, unknown } = world;
    process.stdout.write(
      `${calls} calls, ${proxy.cuts} cuts: ${world.expected.size} effects, each once; ` +
        `${unknown} told as unknown; ${world.linesTyped().length} lines, each read once; ` +
        `${follower.restarts} restarts of the follower\n`,
    );
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  },
  60_000 + CALLS * 100,
);

/** What was asked for, what was answered, and what the file says. */
class World {
  readonly folder: string;
  /** The effects that must be done, by the line that each of them writes. */
  readonly expected = new Set<string>();
  /** The effects of calls whose outcome is not known. */
  readonly uncertain = new Set<string>();
  /** All that was read of the session `talk`. */
  readonly results: SessionResult[] = [];
  calls = 0;
  unknown = 0;
  resizes = 0;
  readonly #file: string;

  constructor(file: string, folder: string) {
    this.#file = file;
    this.folder = folder;
  }

  get lines(): string[] {
    return readFileSync(this.#file, 'utf8').split('\n').slice(0, -1);
  }

  missing(): string[] {
    const lines = new Set(this.lines);
    return [...this.expected].filter((line) => !lines.has(line));
  }

  twice(): string[] {
    const seen = new Set<string>();
    return this.lines.filter((line) => seen.has(line) || !seen.add(line));
  }

  /** As `talk` got them. */
  linesTyped(): string[] {
    return this.lines.filter((line) => line.startsWith('talk'));
  }

  /** The outputs one after another, by their positions. */
  linesRead(): string[] {
    const lines: string[] = [];
    for (const { output, continues } of this.results
      .filter((result) => result.output !== '')
      .sort((one, other) => one.position - other.position)) {
      const [first = '', ...rest] = output.split('\n');
      if (continues) lines.push(`${lines.pop()}${first}`, ...rest);
      else lines.push(first, ...rest);
    }
    return lines.map((line) => line.replace(/^ok /, ''));
  }

  note(line: string): void {
    appendFileSync(this.#file, `${line}\n`);
  }
}

/** Follows the output of `talk`, and finds what is missing or comes twice. */
class Follower {
  readonly gaps: string[] = [];
  /** How often it was told that it has missed something: after five seconds without a connection. */
  restarts = 0;
  #resizes = 0;
  #position: number | undefined;
  #heard = '';

  constructor(sessions: DaemonSessions) {
    const types = ['screen', 'output', 'resized', 'closed'] as const;
    sessions.subscribe((event) => this.#onEvent(event), 'talk', types);
  }

  get isFollowing(): boolean {
    return this.#position !== undefined;
  }

  hasHeard(world: World): boolean {
    const last = world.linesTyped().at(-1);
    const hasAllResizes = this.restarts > 0 || this.#resizes === world.resizes;
    return hasAllResizes && (last === undefined || this.#heard.includes(last));
  }

  #onEvent(event: SessionEvent): void {
    if (event.type === 'resized') this.#resizes++;
    if (event.type === 'closed') {
      this.restarts++;
      this.#position = undefined;
    }
    if (event.type === 'screen') {
      if (this.#position !== undefined) this.gaps.push(`a screen at ${event.position}`);
      this.#position = event.position;
      this.#heard += event.dump;
    }
    if (event.type !== 'output') return;
    if (event.position !== this.#position)
      this.gaps.push(`${event.position} after ${this.#position}`);
    this.#position = event.position + event.bytes.length;
    this.#heard = (this.#heard + Buffer.from(event.bytes).toString()).slice(-100_000);
  }
}

/** One call after another, until there were enough of all workers. */
const work = async (sessions: DaemonSessions, world: World, random: Random): Promise<void> => {
  while (world.calls < CALLS) {
    const number = ++world.calls;
    const [effect, call] = pickCall(sessions, world, random, number);
    try {
      await call();
      if (effect !== undefined) world.expected.add(effect);
    } catch (error) {
      const isUnknown = error instanceof TerminalError && error.code === 'OUTCOME_UNKNOWN';
      if (!isUnknown) throw new Error(`call ${number} failed: ${error}`, { cause: error });
      world.unknown++;
      if (effect !== undefined) world.uncertain.add(effect);
    }
  }
};

type Call = [effect: string | undefined, call: () => Promise<unknown>];

const pickCall = (sessions: DaemonSessions, world: World, random: Random, number: number): Call => {
  const line = `talk ${number}`;
  const note = async (result: Promise<SessionResult>) => void world.results.push(await result);
  const until = random.pick(['now', 'ready', 'output'] as const);
  const input = { text: line, until, timeoutMs: 1000 };
  const kinds: [share: number, () => Call][] = [
    [40, () => [line, () => note(sessions.send('talk', input))]],
    [15, () => [line, () => sessions.type('talk', Buffer.from(`${line}\n`))]],
    [20, () => [undefined, () => note(sessions.read('talk'))]],
    [5, () => [undefined, () => note(sessions.wait({ sessions: ['talk'], timeoutMs: 1000 }))]],
    [5, () => [undefined, () => sessions.list()]],
    [5, () => [undefined, () => resize(sessions, world, number)]],
    [7, () => [`run ${number}`, () => sessions.run(`echo run ${number} >> done`, inFolder(world))]],
    [3, () => [`open ${number}`, () => openAndClose(sessions, world, number)]],
  ];
  let at = random.below(100);
  for (const [share, make] of kinds) {
    if (at < share) return make();
    at -= share;
  }
  throw new Error('the shares make 100');
};

const inFolder = ({ folder }: World) => ({ cwd: folder, shell: '/bin/sh' });

const resize = async (sessions: DaemonSessions, world: World, number: number): Promise<void> => {
  await sessions.resize('talk', 100 + (number % 20), 30);
  world.resizes++;
};

const openAndClose = async (sessions: DaemonSessions, world: World, number: number) => {
  const command = `echo open ${number} >> done; exec cat`;
  const { session } = await sessions.open({ command, cwd: world.folder });
  // Closed twice, it would not be found.
  await sessions.close(session, { graceMs: 0 });
};
