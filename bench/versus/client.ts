/** The one client of every tool that speaks MCP. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { now } from './clock.ts';
import type { Schemas, Surroundings } from './peer.ts';

/** Longer than any task: who is late is late by its own time-out. */
const CALL_MS = 120_000;

export interface Call {
  /** The text that a model would read. */
  text: string;
  structured: Record<string, unknown>;
  at: number;
}

export class ToolClient {
  readonly #client = new Client({ name: 'bench', version: '1' });
  readonly #surroundings: Surroundings;

  private constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  static async connect(command: readonly string[], surroundings: Surroundings) {
    const client = new ToolClient(surroundings);
    const transport = new StdioClientTransport({
      // In a session of its own, without our terminal: nothing it starts can ask the person here.
      command: 'setsid',
      args: [...command],
      env: { ...surroundings.env, HOME: surroundings.home },
      cwd: surroundings.home,
      stderr: 'ignore',
    });
    await client.#client.connect(transport);
    return client;
  }

  async call(tool: string, args: Record<string, unknown>): Promise<Call> {
    const result = await this.#client.callTool(
      { name: tool, arguments: args },
      { timeout: CALL_MS },
    );
    const at = now();
    const parts = Array.isArray(result.content) ? result.content : [];
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    this.#surroundings.keep({ tool, args }, text);
    if (result.isError) throw new Error(text);
    return { text, structured: (result.structuredContent ?? {}) as Record<string, unknown>, at };
  }

  /** As a model is given them: names, descriptions and inputs. */
  async schemas(isTerminal: (name: string) => boolean): Promise<Schemas> {
    const { tools } = await this.#client.listTools();
    const size = (some: typeof tools) =>
      Buffer.byteLength(
        JSON.stringify(
          some.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
        ),
      );
    return {
      tools: tools.length,
      bytes: size(tools),
      terminalBytes: size(tools.filter(({ name }) => isTerminal(name))),
    };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
