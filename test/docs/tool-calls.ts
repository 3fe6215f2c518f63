/**
 * Tool calls of the manual, made by a real MCP client in the order of the page. A block shows calls and
 * answers: `→ terminal_send {"session":"py","text":"6 * 7"}`, then the text that a model gets. A JSON
 * block after it is the same answer as structured content.
 */
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'vitest';
import { dialectNames } from '../../src/dialects/dialect-names.ts';
import { type Told, told } from '../helpers/mcp/doors.ts';
import { at, type Block } from './pages.ts';
import { expectShown } from './shown.ts';
import type { World } from './world.ts';

const CALL = /^→ (\w+) (\{.*\})$/;

/** As codex's and hive's tools tell the id of a session. */
const ID = /session ID (\d+)|pty_([0-9a-f]{10})/;

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
  readonly #ids = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  async converse(block: Block): Promise<void> {
    for (const turn of block.text.split(/^(?=→ )/m)) {
      const [line, ...lines] = turn.split('\n');
      const [, tool, args] = CALL.exec(line!)!;
      const shown = lines.join('\n');
      const { text } = await this.call(tool!, JSON.parse(this.#withOurIds(args!)));
      this.#learnId(shown, text);
      expectShown(this.#withTheirIds(this.#world.told(text)), shown, `${at(block)}: ${line}`);
    }
  }

  /** Dialects whose sessions bear ids: the page's own id, from its first answer on, is ours. */
  #learnId(shown: string, came: string): void {
    const [theirs, ours] = [shown, came].map((text) =>
      ID.exec(text)
        ?.slice(1)
        .find((id) => id),
    );
    if (theirs !== undefined && ours !== undefined) this.#ids.set(theirs, ours);
  }

  #withOurIds(text: string): string {
    return [...this.#ids].reduce((told, [theirs, ours]) => told.replaceAll(theirs, ours), text);
  }

  #withTheirIds(text: string): string {
    return [...this.#ids].reduce((told, [theirs, ours]) => told.replaceAll(ours, theirs), text);
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
