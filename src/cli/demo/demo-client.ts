/**
 * A small MCP client over stdio: it connects, lists the tools and calls them.
 *
 * The SDK's client would be a dependency of 7 MB for every user of this package, only for the demo.
 * The tests use the SDK's client.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const PROTOCOL_VERSION = '2025-06-18';

export interface DemoToolResult {
  content: readonly { type: string; text?: string }[];
  structuredContent?: Readonly<Record<string, unknown>>;
  isError?: boolean;
}

interface Message {
  id?: number;
  result?: unknown;
  error?: { message: string };
}

interface Pending {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export class DemoClient {
  readonly #server: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<void>;
  #nextId = 1;

  constructor(command: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const [program = '', ...args] = command;
    this.#server = spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: this.#server.stdout! }).on('line', (line) => this.#receive(line));
    // Ignored: the server's exit follows, and rejects all pending requests.
    this.#server.stdin!.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      const onEnd = () => {
        for (const { reject } of this.#pending.values()) reject(new Error('The server has ended.'));
        resolve();
      };
      this.#server.once('exit', onEnd).once('error', onEnd);
    });
  }

  /** Returns the server's name and version. */
  async connect(): Promise<{ name: string; version: string }> {
    const { serverInfo } = (await this.#request('initialize', {
      protocolVersion: PROTOCOL_VERSION,
      capabilities: {},
      clientInfo: { name: 'repartee-demo', version: '1' },
    })) as { serverInfo: { name: string; version: string } };
    this.#send({ method: 'notifications/initialized' });
    return serverInfo;
  }

  async tools(): Promise<string[]> {
    const { tools } = (await this.#request('tools/list', {})) as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  }

  async call(name: string, args: object): Promise<DemoToolResult> {
    return (await this.#request('tools/call', { name, arguments: args })) as DemoToolResult;
  }

  /** An MCP server ends when its input ends. */
  async close(): Promise<void> {
    this.#server.stdin!.end();
    await this.#ended;
  }

  #request(method: string, params: object): Promise<unknown> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#send({ id, method, params });
    });
  }

  #send(message: object): void {
    this.#server.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(line: string): void {
    const { id = 0, result, error }: Message = JSON.parse(line);
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (error !== undefined) pending?.reject(new Error(error.message));
    else pending?.resolve(result);
  }
}
