/** The package as published: what is in it, and whether it works where there is nothing else. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeDaemon } from './helpers/daemon/own-daemon.ts';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** All that packing needs. Packing builds, and other tests use the dist of this folder meanwhile. */
const published = [
  ...['src', 'scripts', 'package.json', 'tsconfig.json', 'tsconfig.build.json'],
  ...['LICENSE', 'NOTICE', 'README.md', 'SKILL.md'],
];

/**
 * `npx -y repartee` fetches this much before an agent's first call. 160,000 are the viewer's page, 76,000 the
 * font of pictures.
 */
const MAX_PACKED_BYTES = 800_000;
/** What a browser loads of the page, compressed. */
const MAX_PAGE_BYTES = 250_000;

const PATIENCE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), 'repartee-package-'));
const source = join(folder, 'source');
const home = join(folder, 'home');
const installed = join(home, 'node_modules', 'repartee');
const tarball = join(folder, `repartee-${version}.tgz`);

/** Nothing of the npm that runs the tests, and of its user's settings. */
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
  HOME: home,
  SHELL: '/bin/bash',
  npm_config_cache: join(folder, 'cache'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
};

const run = (cwd: string, program: string, ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile(program, args, { cwd, env }, (error, stdout) => {
      // A compiler says on its output what is wrong.
      if (error) reject(new Error(`${error.message}\n${stdout}`));
      else resolve(stdout);
    });
  });

const filesOf = (path: string): string[] =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .sort();

/** What npm would fetch, from here. What we need only to develop is not among it. */
const dependencies = (): string[] => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.keys(packages).filter((path) => path !== '' && !packages[path].dev);
};

beforeAll(async () => {
  for (const path of published) cpSync(join(root, path), join(source, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(source, 'node_modules'));
  await run(source, 'npm', 'pack', '--pack-destination', folder);
  for (const path of dependencies()) {
    // Those for other systems are not here.
    if (!existsSync(join(root, path))) continue;
    cpSync(join(root, path), join(home, path), { recursive: true });
  }
  writeFileSync(join(home, 'package.json'), '{"private": true}');
  await run(home, 'npm', 'install', tarball);
}, PATIENCE_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.concurrent('the package, installed into an empty folder without a network', () => {
  test('holds the program, its declarations, the licence, the readme and the skill, no more', () => {
    const files = filesOf(installed);
    const page = 'viewer/page/';
    const sources = filesOf(join(source, 'src'))
      .filter((file) => !file.startsWith(page))
      .map((file) => file.replace(/\.ts$/, ''));
    const others = files.filter((file) => !file.endsWith('.d.ts'));
    expect(others).toEqual(
      [
        ...['LICENSE', 'NOTICE', 'README.md', 'SKILL.md', 'package.json'],
        ...sources.map((name) => `dist/${name}.js`),
        ...['index.html', 'page.css', 'page.js'].map((name) => `dist/${page}${name}`),
      ].sort(),
    );
    expect(statSync(tarball).size).toBeLessThan(MAX_PACKED_BYTES);
    const pageBytes = others
      .filter((file) => file.startsWith(`dist/${page}`))
      .map((file) => gzipSync(readFileSync(join(installed, file))).length);
    expect(pageBytes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_PAGE_BYTES);
  });

  test('has every file that its package.json names, and maps to none that is missing', () => {
    const { bin, exports } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    const named = [...Object.values(bin), ...Object.values(exports['.'])] as string[];
    expect(named.filter((path) => !existsSync(join(installed, path)))).toEqual([]);
    const scripts = filesOf(installed).filter((file) => file.endsWith('.js'));
    const mapped = scripts.filter((file) =>
      readFileSync(join(installed, file), 'utf8').includes('sourceMappingURL'),
    );
    expect(mapped).toEqual([]);
  });

  test(
    'starts by its name, and holds the conversation of the demo',
    async ({ expect }) => {
      expect(await run(home, 'npx', 'repartee', '--version')).toBe(`${version}\n`);
      expect(await run(home, 'npx', 'repartee', 'demo')).toContain('all as expected');
    },
    PATIENCE_MS,
  );

  test(
    'answers an MCP client, through a daemon that it starts',
    async ({ expect, onTestFinished }) => {
      const daemon = makeDaemon();
      onTestFinished(() => daemon.end());
      const client = new Client({ name: 'a test', version: '1' });
      const transport = new StdioClientTransport({
        command: 'npx',
        args: ['repartee', 'mcp'],
        cwd: home,
        env: { ...(env as Record<string, string>), ...daemon.env },
        stderr: 'inherit',
      });
      await client.connect(transport);
      onTestFinished(() => client.close());
      const command = { name: 'terminal_run', arguments: { command: 'echo here; exit 3' } };
      const { structuredContent } = await client.callTool(command);
      expect(structuredContent).toMatchObject({ output: 'here', exit_code: 3 });
      expect((await daemon.status()).program).toContain(installed);
    },
    PATIENCE_MS,
  );

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])(
    'has types for %s that need no other package, and none that nobody can reach',
    async (resolution, module) => {
      const file = join(home, `${resolution}.mts`);
      writeFileSync(
        file,
        `import { LocalSessions, type SessionResult, type Sessions } from 'repartee';
       export const open = (sessions: Sessions = new LocalSessions()): Promise<SessionResult> =>
         sessions.open({ command: ['cat'] });
       // @ts-expect-error A command is a text or several: were there no types, this would do.
       export const wrong = (sessions: Sessions) => sessions.open({ command: 1 });`,
      );
      const options = {
        ...{ noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
        ...{
          module,
          moduleResolution: resolution,
          target: 'es2023',
          lib: 'es2023,esnext.disposable',
        },
        ...{ types: 'node', typeRoots: join(root, 'node_modules/@types'), listFiles: true },
      };
      const flags = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
      const read = await run(home, join(root, 'node_modules/.bin/tsc'), ...flags, file);
      const fromPackages = read
        .split('\n')
        .filter((path) => path.startsWith(join(home, 'node_modules')));
      const declarations = filesOf(installed).filter((path) => path.endsWith('.d.ts'));
      expect(fromPackages.sort()).toEqual(declarations.map((path) => join(installed, path)).sort());
    },
    PATIENCE_MS,
  );
});
