/** What the manual tells clients to start: each command line must be a server that lists tools. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { at, type Block } from './pages.ts';
import type { World } from './world.ts';

interface Entry {
  command: string;
  args: string[];
}

/** A file of a client's, as a block or within a table. */
export const isConfiguration = ({ language, text }: Block): boolean =>
  language === 'toml' || (language === 'json' && isClientFile(text));

export const isClientFile = (text: string): boolean => /^\{ "(mcpServers|servers)"/.test(text);

/** `"command": "ssh", "args": ["that-machine", "npx", "-y", "repartee", "mcp"]` */
export const isRelayed = (code: string): boolean => /^"command": .*"args": /.test(code);

/** What the other machine is told to start. */
export const fromRelay = (code: string): string[] => {
  const { args } = JSON.parse(`{${code}}`) as Entry;
  return args.slice(args.indexOf('npx'));
};

/** `claude mcp add repartee -- npx -y repartee mcp` */
export const isClientCommand = (code: string): boolean => /^\w+ mcp add .* -- /.test(code);

export const checkConfiguration = (block: Block, world: World): Promise<void> =>
  servesTools(
    block.language === 'toml' ? fromToml(block.text) : fromJson(block.text),
    world,
    at(block),
  );

export const fromJson = (text: string): string[] => {
  const { mcpServers, servers = mcpServers } = JSON.parse(text) as Record<
    string,
    { repartee: Entry }
  >;
  return [servers!.repartee.command, ...servers!.repartee.args];
};

/** Strings and lists of strings are written as in JSON. */
const fromToml = (text: string): string[] => {
  expect(text).toMatch(/^\[mcp_servers\.repartee\]\n/);
  const value = (key: string) =>
    JSON.parse(new RegExp(`^${key} = (.+)$`, 'm').exec(text)?.[1] ?? 'null');
  return [value('command'), ...value('args')];
};

/** Most clients take the command line after the dashes; one, its program before them. */
export const fromClientCommand = (code: string): string[] => {
  const [before, after] = code.split(' -- ') as [string, string];
  const words = after.split(' ');
  return before.endsWith(' repartee') ? words : [before.split(' ').at(-1)!, ...words];
};

const known = new Set<string>();

/** Each command line once: pages repeat theirs for one client after another. */
export const servesTools = async (
  [command, ...args]: readonly string[],
  { home: cwd, env }: World,
  where: string,
): Promise<void> => {
  const line = [command, ...args].join(' ');
  if (known.has(line)) return;
  known.add(line);
  const client = new Client({ name: 'a reader of the manual', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: command!, args, cwd, env, stderr: 'ignore' }),
  );
  try {
    const { tools } = await client.listTools();
    expect(tools.length, where).toBeGreaterThan(0);
  } finally {
    await client.close();
  }
};
