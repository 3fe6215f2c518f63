/**
 * The manual does what it says. Every fenced block of every page is run and compared, or has a line in
 * `docs/exceptions.ts` that says why it is not; `docs/world.ts` is the machine it is run on.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { loadAllCommands } from '../src/cli/command-list.ts';
import { usageLine } from '../src/cli/output/help.ts';
import { native } from '../src/dialects/native/dialect.ts';
import { UntypableKey } from '../src/errors.ts';
import { encodeKeyNames } from '../src/keys/encode-key-names.ts';
import type { KeyInputModes } from '../src/keys/input-writes.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { openFields } from '../src/session/options/calls.ts';
import { shellWords, wrongWith } from './docs/command-lines.ts';
import {
  checkConfiguration,
  fromClientCommand,
  fromJson,
  fromRelay,
  isClientCommand,
  isClientFile,
  isConfiguration,
  isRelayed,
  servesTools,
} from './docs/configurations.ts';
import { exceptionFor, exceptions } from './docs/exceptions.ts';
import { at, type Block, type Page, pages, readPage, root } from './docs/pages.ts';
import { isPrinted, isProgram, Programs } from './docs/programs.ts';
import { checkSecretFile, isSecretFile } from './docs/secret-files.ts';
import { isShell, runShell } from './docs/shells.ts';
import { isConversation, isInlineCall, isStructured, ToolCaller } from './docs/tool-calls.ts';
import { type World, world } from './docs/world.ts';
import { testWith } from './helpers/needs.ts';
import { folderWith } from './helpers/temporary-folder.ts';

const blocks = pages.flatMap((page) => page.blocks);
const run = blocks.filter((block) => exceptionFor(block) === undefined);

/** Some pages start a dozen programs, and another test may have the processors. */
const PATIENCE_MS = 90_000;

const programs = new Programs();
let mistakes: string;
beforeAll(() => {
  mistakes = programs.compile(run.filter(isProgram));
}, PATIENCE_MS);
afterAll(() => programs.remove());

/** The usage of a command, as its help has it. */
const isUsage = ({ language, text }: Block) => language === '' && /^repartee .+\n$/.test(text);

const expectUsage = async (block: Block) => {
  const usages = (await loadAllCommands()).map(usageLine);
  expect(usages, at(block)).toContain(`Usage: ${block.text.trimEnd()}`);
};

interface Reading {
  ada: World;
  tools: ToolCaller;
  previous: Block | undefined;
  next: Block | undefined;
}

interface Way {
  is(block: Block): boolean;
  check(block: Block, reading: Reading): void | Promise<void>;
}

const ways: readonly Way[] = [
  {
    is: isProgram,
    check: (block, { ada, next }) =>
      programs.run(block, next && isPrinted(next) ? next.text : undefined, ada),
  },
  // What it says has been compared with what the program before it printed.
  {
    is: isPrinted,
    check: (block, { previous }) => expect(previous && isProgram(previous), at(block)).toBe(true),
  },
  { is: isShell, check: (block, { ada }) => runShell(block, ada) },
  { is: isConversation, check: (block, { tools }) => tools.converse(block) },
  { is: isStructured, check: (block, { tools }) => tools.compareStructured(block) },
  { is: isConfiguration, check: (block, { ada }) => checkConfiguration(block, ada) },
  { is: isSecretFile, check: (block, { ada }) => checkSecretFile(block, ada) },
  { is: isUsage, check: expectUsage },
];

const wayOf = (block: Block): Way | undefined => ways.find(({ is }) => is(block));

describe('every block of the manual', () => {
  test('is run, or is excepted for a reason', () => {
    expect(run.filter((block) => wayOf(block) === undefined).map(at)).toEqual([]);
  });

  test('that is a program agrees with the types that are shipped', () => {
    expect(mistakes).toBe('');
  });

  test('that is a program writes nowhere but where it is run', () => {
    const absolute = run.filter((block) => isProgram(block) && /'\/\w/.test(block.text));
    expect(absolute.map(at)).toEqual([]);
  });

  test.each(exceptions)('$page, $begins: the exception has its block', ({ page, begins }) => {
    const excepted = blocks.filter((block) => block.page === page && block.text.startsWith(begins));
    expect(excepted).not.toEqual([]);
  });
});

/** What is there on a page that is nothing but advice, before its calls are made. */
const scenes: Readonly<Record<string, (tools: ToolCaller) => Promise<void>>> = {
  'SKILL.md': async (tools) => {
    await tools.call('terminal_open', { command: 'vim notes.txt' });
    await tools.call('terminal_open', { command: 'sudo apt-get update' });
  },
};

const examplesOf = ({ path, blocks: all, inline }: Page) => ({
  blocks: all.filter((block) => exceptionFor(block) === undefined),
  calls: inline.filter(isInlineCall),
  clients: [
    ...inline.filter(isClientCommand).map(fromClientCommand),
    ...inline.filter(isClientFile).map(fromJson),
    ...inline.filter(isRelayed).map(fromRelay),
  ],
  path,
});

const withPrograms = testWith('python3', 'vim', 'make', 'npm');

const withExamples = pages
  .map(examplesOf)
  .filter(({ blocks, calls, clients }) => blocks.length + calls.length + clients.length > 0);

describe('every example does what its page says', () => {
  for (const { path, blocks, calls, clients } of withExamples) {
    withPrograms(path, { timeout: PATIENCE_MS }, async () => {
      const ada = world();
      const tools = new ToolCaller(ada);
      onTestFinished(() => tools.close());
      for (const [index, block] of blocks.entries()) {
        const [previous, next] = [blocks[index - 1], blocks[index + 1]];
        await wayOf(block)?.check(block, { ada, tools, previous, next });
      }
      await scenes[path]?.(tools);
      for (const call of calls) await tools.callInline(call, path);
      for (const line of clients) await servesTools(line, ada, path);
    });
  }
});

describe('what the manual names is there', () => {
  const more = ['AGENTS.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'].map(readPage);
  const all = [...pages, ...more];

  test('commands, their options, scripts and benches', async () => {
    const commands = await loadAllCommands();
    const wrong = all.flatMap(({ path, inline }) =>
      inline.flatMap((code) => {
        const problem = wrongWith(code, commands);
        return problem ? [`${path}: ${code}: ${problem}`] : [];
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('every command, with its usage, in docs/reference/cli.md', async () => {
    const shown = readPage('docs/reference/cli.md').blocks.filter(isUsage);
    const usages = (await loadAllCommands()).map(usageLine);
    expect(shown.map(({ text }) => `Usage: ${text.trimEnd()}`).sort()).toEqual(usages.sort());
  });

  test('every option of open, in the library, the tool and the command', async () => {
    const page = readFileSync(join(root, 'docs/reference/open.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `([\w.]+)` \|([^|]*)\|([^|]*)\|/gm)];
    const options = Object.entries(openFields).flatMap(([name, field]) =>
      'optional' in field ? Object.keys(field.optional).map((part) => `${name}.${part}`) : [name],
    );
    expect(rows.map(([, name]) => name)).toEqual(options);

    const ofTool = rows.flatMap(([, , tool]) => tool!.match(/\w+/g) ?? []);
    const open = native(new LocalSessions()).tools.find(({ name }) => name === 'terminal_open')!;
    expect(ofTool.sort()).toEqual(Object.keys(open.input.properties as object).sort());

    const flags = rows.flatMap(([, , , command]) => command!.match(/--[a-z-]+/g) ?? []);
    const { options: ofCommand } = (await loadAllCommands()).find(({ name }) => name === 'open')!;
    const known = Object.keys(ofCommand).map((name) => `--${name}`);
    expect([...flags, '--json'].sort()).toEqual(known.sort());
  });

  test('keys and mouse actions, and combinations that no terminal can send', () => {
    const page = readFileSync(join(root, 'docs/reference/keys.md'), 'utf8');
    const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
    const rows = codes((page.match(/^\|.*\|$/gm) ?? []).join('\n'));
    const modes: KeyInputModes = {
      applicationCursor: false,
      bracketedPaste: false,
      mouse: 'any',
      mouseEncoding: 'sgr',
      cols: 80,
      rows: 24,
    };
    expect(rows.length).toBeGreaterThan(50);
    for (const row of rows)
      expect(encodeKeyNames(row.replaceAll('col,row', '3,2'), modes), row).not.toEqual([]);
    const [, refused] = /none for (.*?): those are refused/s.exec(page)!;
    for (const key of codes(refused!))
      expect(() => encodeKeyNames(key, modes), key).toThrow(UntypableKey);
  });

  test('pages: each is linked to from another', () => {
    const linked = pages.flatMap(({ path, links }) =>
      links.map((target) => join(dirname(path), target.split('#')[0]!)),
    );
    const lonely = pages.map(({ path }) => path).filter((path) => !linked.includes(path));
    expect(lonely.filter((path) => path.startsWith('docs/'))).toEqual([]);
  });

  test('pages and pictures that the sources name', () => {
    const folders = ['src', 'test', 'bench', 'conversations', 'scripts', 'examples'];
    const sources = folders.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.[jt]s$/.test(file))
        .map((file) => join(folder, file)),
    );
    const dead = sources.flatMap((file) =>
      (readFileSync(join(root, file), 'utf8').match(/\bdocs\/[\w./-]+\.(?:md|svg|cast)\b/g) ?? [])
        .filter((page) => !existsSync(join(root, page)))
        .map((page) => `${file}: ${page}`),
    );
    expect(dead).toEqual([]);
  });

  test('files and folders of the sources', () => {
    const dead = all.flatMap(({ path }) =>
      (readFileSync(join(root, path), 'utf8').match(/\b(?:src|test)\/[\w./-]*\w/g) ?? [])
        .filter((named) => !existsSync(join(root, named)))
        .map((named) => `${path}: ${named}`),
    );
    expect(dead).toEqual([]);
  });

  test('files and headings that are linked to', () => {
    const dead = all.flatMap(({ path, links }) =>
      links.filter((target) => !isThere(path, target)).map((target) => `${path}: ${target}`),
    );
    expect(dead).toEqual([]);
  });
});

const isThere = (page: string, target: string): boolean => {
  const [path, heading] = target.split('#') as [string, string | undefined];
  const file = path === '' ? join(root, page) : join(root, dirname(page), path);
  if (heading === undefined) return existsSync(file);
  const headings = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
  const anchors = headings.map((line) =>
    line
      .replace(/^#+ /, '')
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );
  return anchors.includes(heading);
};

describe('an example in the help of a command', () => {
  const understood: Readonly<Record<string, string>> = {
    attach: 'This is no terminal',
    replay: 'there is no such file',
    recordings: '0',
    completion: '0',
    setup: '0',
    policy: '0',
  };

  test('is understood by that command', async () => {
    const folder = folderWith();
    // A place where no daemon can be: most commands fail there, once they have understood their words.
    vi.stubEnv('REPARTEE_SOCKET', join(folder, 'x'.repeat(200)));
    vi.stubEnv('XDG_STATE_HOME', folder);
    const printing = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    onTestFinished(() => {
      vi.unstubAllEnvs();
      printing.mockRestore();
    });
    for (const { name, examples = [], run } of await loadAllCommands()) {
      for (const [line] of examples) {
        const [program, command, ...words] = shellWords(line);
        // A server serves until it is told to stop: its page starts it, and ends it.
        if (name === 'mcp')
          expect(readFileSync(join(root, 'docs/guide/mcp.md'), 'utf8')).toContain(line);
        if (program !== 'repartee' || name === 'mcp') continue;
        expect(command).toBe(name);
        const outcome = await run(words).catch((error: unknown) => error);
        expect(String(outcome), line).toContain(understood[name] ?? "A socket's path");
      }
    }
  });
});
