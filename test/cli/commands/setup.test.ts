import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mcpClients } from '../../../src/cli/setup/clients.ts';
import { editConfig } from '../../../src/cli/setup/edit-config.ts';
import { ownCli } from '../../helpers/cli/own-cli.ts';
import { folderWith } from '../../helpers/temporary-folder.ts';

const inHome = () => {
  const home = folderWith();
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), CODEX_HOME: '' };
  const cli = ownCli();
  return { env, setup: (...args: string[]) => cli.runWith(env, 'setup', ...args) };
};

const others = {
  json: (section: string) =>
    `${JSON.stringify({ theme: 'dark', [section]: { other: { command: 'other' } } }, undefined, 4)}\n`,
  toml: (section: string) => `model = "o9"\n\n[${section}.other]\ncommand = "other"\n`,
};

describe.each(mcpClients().map(({ name }) => name))('setup %s', (name) => {
  test('adds the entry, keeps all else and a copy, and takes it out again', async () => {
    const { env, setup } = inHome();
    const { file, format, section } = mcpClients(env).find((each) => each.name === name)!;
    const before = others[format](section);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, before);

    const shown = await setup(name);
    expect(shown.stdout).toMatch(/^\+ .*repartee/m);
    expect(shown.stderr).toBe('[not written; --yes writes it]\n');
    expect(readFileSync(file, 'utf8')).toBe(before);

    const written = await setup(name, '--yes', '--json');
    expect(written.json).toMatchObject({ written: true, copy: `${file}.before-repartee` });
    const after = readFileSync(file, 'utf8');
    expect(after).toMatch(/repartee/);
    expect(after).toMatch(/other/);
    expect(after).toMatch(/"mcp"/);
    expect(readFileSync(`${file}.before-repartee`, 'utf8')).toBe(before);

    expect((await setup(name, '--yes')).stderr).toMatch(/nothing to change/);
    const listed = (await setup('--json')).json.clients as {
      client: string;
      has_repartee: string;
    }[];
    expect(listed.find(({ client }) => client === name)?.has_repartee).toBe('yes');

    await setup(name, '--remove', '--yes');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  test('makes a file that others cannot read where there is none', async () => {
    const { env, setup } = inHome();
    const { file } = mcpClients(env).find((each) => each.name === name)!;
    expect((await setup(name, '--yes')).code).toBe(0);
    expect(statSync(file).mode & 0o077).toBe(0);
    expect(existsSync(`${file}.before-repartee`)).toBe(false);
  });
});

test('a file with comments is left as it is, with what to do instead', async () => {
  const { env, setup } = inHome();
  const { file } = mcpClients(env).find(({ name }) => name === 'gemini')!;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '{ // mine\n}\n');
  const { code, stderr } = await setup('gemini', '--yes');
  expect(code).toBe(1);
  expect(stderr).toMatch(/is left as it is: it is not plain JSON .*Add the entry by hand/);
  expect(readFileSync(file, 'utf8')).toBe('{ // mine\n}\n');
});

test('an unknown client is refused with the names of those there are', async () => {
  const { setup } = inHome();
  const { code, stderr } = await setup('emacs');
  expect(code).toBe(2);
  expect(stderr).toMatch(/codex/);
});

describe('examples/clients', () => {
  const folder = join(import.meta.dirname, '../../../examples/clients');
  const server = { command: 'npx', args: ['-y', 'repartee', 'mcp'] };

  test.each(mcpClients().map((client) => [client.name, client] as const))(
    'has the file that setup writes for %s',
    (name, client) => {
      const file = join(folder, name, basename(client.file).replace(/^\./, ''));
      const copied = readFileSync(file, 'utf8');
      const written = editConfig('', client, server);
      if (client.format === 'toml') expect(copied).toBe(written);
      else expect(JSON.parse(copied)).toEqual(JSON.parse(written));
    },
  );
});

test('setup gemini says what Gemini CLI needs before it starts the server', async () => {
  const { setup } = inHome();
  expect((await setup('gemini', '--yes')).stderr).toContain('does not trust ("Disabled" in');
  expect((await setup('gemini', '--yes')).stderr).toContain('GEMINI_CLI_TRUST_WORKSPACE=true');
  expect((await setup('gemini', '--remove', '--yes')).stderr).not.toContain('trust');
  expect((await setup('qwen', '--yes')).stderr).not.toContain('trust');
});
