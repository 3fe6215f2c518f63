/**
 * Tool calls of the manual, made by a real MCP client in the order of the page. A block shows calls and
 * answers: `→ terminal_send {"session":"py","text":"6 * 7"}`, then the text that a model gets. A JSON
 * block after it is the same answer as structured content.
 */
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { dialectNames } from '../../src/dialects/dialects.ts';
import { type Told, told } from '../mcp/doors.ts';
import { at, type Block } from './pages.ts';
import { expectShown } from './shown.ts';
import type { World } from './world.ts';

const CALL = /^→ (\w+) (\{.*\})$/;

export const isConversation = ({ text }: Block): boolean => CALL.test(text.split('\n')[0]!);

export const isStructured = ({ language, text }: Block): boolean =>
  language === 'json' && /"state":/.test(text);

/** `terminal_read {"session":"vim","view":"diff"}` in a sentence. */
export const isInlineCall = (code: string): boolean => /^\w+ \{"/.test(code);

/** All tools of all dialects, from one server; it is started for the first call. */
export class ToolCaller {
  readonly #world: World;
  #client: Promise<Client> | undefined;
  #last: Told | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  async converse(block: Block): Promise<void> {
    for (const turn of block.text.split(/^(?=→ )/m)) {
      const [line, ...shown] = turn.split('\n');
      const [, tool, args] = CALL.exec(line!)!;
      const { text } = await this.call(tool!, JSON.parse(args!));
      expectShown(this.#world.told(text), shown.join('\n'), `${at(block)}: ${line}`);
    }
  }

  async callInline(code: string, page: string): Promise<void> {
    const space = code.indexOf(' ');
    const { text, failed } = await this.call(
      code.slice(0, space),
      JSON.parse(code.slice(space + 1)),
    );
    expect(failed, `${page}: ${code}\n${text}`).toBe(false);
  }

  compareStructured(block: Block): void {
    const shown = JSON.parse(block.text);
    const came = JSON.parse(this.#world.told(JSON.stringify(this.#last?.structured)));
    // Positions count bytes of escape sequences, too; times are times.
    const { position, elapsed_ms } = came;
    expect(came, at(block)).toEqual({ ...shown, position, elapsed_ms });
    expect(Object.keys(came), at(block)).toEqual(Object.keys(shown));
  }

  async call(name: string, args: Record<string, unknown>): Promise<Told> {
    this.#client ??= this.#connect();
    const client = await this.#client;
    this.#last = told((await client.callTool({ name, arguments: args })) as CallToolResult);
    return this.#last;
  }

  async close(): Promise<void> {
    await (await this.#client)?.close();
  }

  async #connect(): Promise<Client> {
    const client = new Client({ name: 'a reader of the manual', version: '1' });
    const dialects = ['native', ...dialectNames].flatMap((name) => ['--dialect', name]);
    const { home: cwd, env } = this.#world;
    await client.connect(
      new StdioClientTransport({
        command: 'repartee',
        args: ['mcp', ...dialects],
        cwd,
        env,
        stderr: 'inherit',
      }),
    );
    return client;
  }
}
