/** Attempts to get out of each profile, as root and as a user. Every one must fail. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { testWith } from '../helpers/needs.ts';
import { escapes, promised } from './escapes.ts';
import { usersFor } from './users.ts';

const RUNNER = join(import.meta.dirname, 'run-in-sandbox.js');
/** In what must not be read. */
const SECRET = 'SECRET-OF-THE-SCENE';

/** A profile of the user's own: the host that it names is none of the scene's. */
const NAMED_HOSTS = 'named-hosts';

const files: Readonly<Record<string, string>> = {
  [`.config/repartee/sandbox/${NAMED_HOSTS}.json`]: '{"network": ["127.0.0.9:9", "localhost:9"]}',
  '.ssh/id': SECRET,
  '.config/repartee/secrets/one': SECRET,
  '.local/state/repartee/recordings/one.cast': SECRET,
  outside: 'as it was',
  'work/.git/hooks/pre-commit': 'as it was',
  'work/.git/config': 'as it was',
  'work/.mcp.json': 'as it was',
  'work/.claude/settings.json': 'as it was',
};

interface Result {
  output?: string;
  exitCode?: number;
  error?: string;
}

/** A home with keys, a workspace, sockets and a process: all of one user. */
class Scene {
  readonly home = mkdtempSync(join(tmpdir(), 'repartee-'));
  readonly workspace = join(this.home, 'work');
  readonly arrived: string[] = [];
  readonly #uid: number;
  readonly #abstract = `repartee-${process.pid}-${Math.random()}`;
  readonly #servers: Server[] = [];
  readonly #udp = createSocket('udp4', () => this.arrived.push('UDP'));
  #victim!: ChildProcess;

  constructor(uid: number) {
    this.#uid = uid;
  }

  async begin(): Promise<void> {
    this.#give(this.home);
    for (const [name, content] of Object.entries(files))
      this.#write(join(this.home, name), content);
    mkdirSync(join(this.home, 'sockets'));
    await this.#listen(join(this.home, 'sockets/one'));
    chmodSync(join(this.home, 'sockets/one'), 0o777);
    await this.#listen(`\0${this.#abstract}`);
    await this.#listen({ port: 0, host: '127.0.0.1' });
    await new Promise<void>((resolve) => this.#udp.bind(0, '127.0.0.1', resolve));
    this.#victim = spawn('sleep', ['1000'], {
      uid: this.#uid,
      env: { PATH: '/usr/bin:/bin', VICTIM_KEY: SECRET },
      stdio: 'ignore',
    });
  }

  async run(profile: string, commands: readonly string[]): Promise<Result[]> {
    const { port } = this.#servers[2]!.address() as { port: number };
    const child = spawn(process.execPath, [RUNNER], {
      uid: this.#uid,
      gid: this.#uid,
      cwd: '/',
      env: {
        PATH: '/usr/bin:/bin',
        HOME: this.home,
        SHELL: '/bin/bash',
        VICTIM: String(this.#victim.pid),
        TCP_PORT: String(port),
        UDP_PORT: String(this.#udp.address().port),
        ABSTRACT: this.#abstract,
        SOME_TOKEN: SECRET,
        SSH_AUTH_SOCK: SECRET,
      },
    });
    child.stdin.end(JSON.stringify({ profile, workspace: this.workspace, commands }));
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    if (output === '') throw new Error(errors);
    return JSON.parse(output);
  }

  /** What has changed outside, or was reached there. */
  get harm(): string[] {
    const isAsBefore = ([name, content]: [string, string]) => {
      try {
        return readFileSync(join(this.home, name), 'utf8') === content;
      } catch {
        return false;
      }
    };
    const changed = Object.entries(files).filter((file) => !isAsBefore(file));
    return [
      ...changed.map(([name]) => name),
      ...this.arrived,
      ...(this.#victim.exitCode === null && this.#victim.signalCode === null ? [] : ['the victim']),
    ];
  }

  end(): void {
    this.#victim.kill('SIGKILL');
    this.#udp.close();
    for (const server of this.#servers) server.close();
    rmSync(this.home, { recursive: true, force: true });
  }

  async #listen(where: string | { port: number; host: string }): Promise<void> {
    const server = createServer((socket) => {
      this.arrived.push(String(where));
      socket.destroy();
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(where, resolve));
  }

  #write(path: string, content: string): void {
    this.#makeFolder(dirname(path));
    writeFileSync(path, content);
    this.#give(path);
  }

  #makeFolder(path: string): void {
    if (path === this.home) return;
    this.#makeFolder(dirname(path));
    mkdirSync(path, { recursive: true });
    this.#give(path);
  }

  #give(path: string): void {
    if (process.getuid!() === 0) chownSync(path, this.#uid, this.#uid);
  }
}

const needed = testWith('bwrap', 'nsenter', 'python3', 'git', 'npm', 'sudo');

describe.each(usersFor(needed))('as %s', (_user, uid, test) => {
  describe.each(['workspace', 'read-only', 'offline', NAMED_HOSTS])(
    'in the profile %s',
    (profile) => {
      const scene = new Scene(uid);
      beforeAll(() => scene.begin());
      afterAll(() => scene.end());

      test('every attempt to get out fails, and nothing outside has changed', async () => {
        const tried = escapes.filter(
          ({ allowedIn, only = profile }) => only === profile && !allowedIn?.includes(profile),
        );
        const results = await scene.run(
          profile,
          tried.map(({ command }) => command),
        );
        const succeeded = tried.filter((_, at) => {
          const { output = '', error } = results[at]!;
          // What could not be tried has not failed.
          return error !== undefined || output.includes('ESCAPED') || output.includes(SECRET);
        });
        expect(
          succeeded.map(({ name }) => [
            name,
            results[tried.findIndex((each) => each.name === name)],
          ]),
        ).toEqual([]);
        expect(scene.harm).toEqual([]);
      });

      test('what is promised works', async () => {
        const tried = promised.filter(({ only = profile }) => only === profile);
        const results = await scene.run(
          profile,
          tried.map(({ command }) => command),
        );
        for (const [at, { name, prints }] of tried.entries())
          expect({ name, ...results[at] }).toMatchObject({
            name,
            output: expect.stringMatching(prints),
          });
      });
    },
  );

  test('without a sandbox the same attempts succeed, so the scene is worth something', async () => {
    const scene = new Scene(uid);
    await scene.begin();
    try {
      const free = [
        'cat $HOME/.ssh/id',
        ...escapes
          .filter(({ name }) =>
            [
              'TCP',
              'a Unix socket',
              'an abstract Unix socket',
              'signal another process',
              'write outside',
            ].includes(name),
          )
          .map(({ command }) => command),
      ];
      const results = await scene.run('', free);
      expect(results.filter(({ output = '' }) => !/ESCAPED|SECRET/.test(output))).toEqual([]);
    } finally {
      scene.end();
    }
  });
});
