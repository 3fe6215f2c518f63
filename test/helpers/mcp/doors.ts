/** A real MCP client of any era, connected to the built package over stdio or HTTP. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export const MAIN = join(import.meta.dirname, '../../../dist/cli/main.js');

export const eras = ['2025-06-18', '2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export const isModern = (era: Era) => era === '2026-07-28';

export interface Door {
  client: Client;
  close(): Promise<void>;
}

export type OpenDoor = (era: Era, args?: readonly string[]) => Promise<Door>;

/** The same environment for every test, whatever the user's own is. */
export const environment = (extra: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  SHELL: '/bin/bash',
  LANG: 'C.UTF-8',
  ...extra,
});

export const createClient = (era: Era) =>
  new Client(
    { name: 'a test', version: '1' },
    isModern(era)
      ? { versionNegotiation: { mode: { pin: era } } }
      : { supportedProtocolVersions: [era] },
  );

export const overStdio: OpenDoor = async (era, args = []) => {
  const client = createClient(era);
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', '--embedded', ...args],
    env: environment(),
    stderr: 'inherit',
  });
  await client.connect(transport);
  return { client, close: () => client.close() };
};

/** Connects a client to a server whose sessions are kept by this daemon. */
export const connectOverStdio = (
  client: Client,
  daemon: Record<string, string>,
  args: readonly string[] = [],
): Promise<void> =>
  client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...args],
      env: environment(daemon),
      stderr: 'inherit',
    }),
  );

export const overHttp: OpenDoor = async (era, args = []) => {
  const server = await httpServer(args);
  const client = createClient(era);
  const transport = new StreamableHTTPClientTransport(new URL(server.url), {
    requestInit: { headers: { authorization: `Bearer ${server.token}` } },
  });
  await client.connect(transport);
  return {
    client,
    async close() {
      await client.close();
      await server.stop();
    },
  };
};

export interface HttpServer {
  url: string;
  token: string;
  process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts a server on any free port. Its address and token are parsed from what it prints. `daemon`: the
 * environment of the one that keeps its sessions.
 */
export const httpServer = async (
  args: readonly string[] = [],
  daemon?: Record<string, string>,
): Promise<HttpServer> => {
  const embedded = daemon === undefined ? ['--embedded'] : [];
  const child = spawn(process.execPath, [MAIN, 'mcp', ...embedded, '--http', '0', ...args], {
    env: environment(daemon),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let printed = '';
  const { url, token } = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    void exited.then(() => reject(new Error(`The server ended: ${printed}`)));
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
      const url = /serving (\S+)/.exec(printed)?.[1];
      const token = args.includes('--token-file') ? '' : /token: (\S+)\n/.exec(printed)?.[1];
      if (url !== undefined && token !== undefined) resolve({ url, token });
    });
  });
  return {
    url,
    token,
    process: child,
    async stop() {
      child.kill();
      await exited;
    },
  };
};

export interface Told {
  text: string;
  failed: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what a client gets from the wire has no type.
  structured: any;
}

export const told = (result: CallToolResult): Told => ({
  text: result.content.map((part) => ('text' in part ? part.text : '')).join('\n'),
  failed: result.isError === true,
  structured: result.structuredContent,
});

/** Calls a tool as a model does. */
export const caller =
  (client: Client) =>
  async (name: string, args: Record<string, unknown> = {}): Promise<Told> =>
    told((await client.callTool({ name, arguments: args })) as CallToolResult);
