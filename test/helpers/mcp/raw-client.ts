/** Direct access to the server's stdin and stdout, to send what no well-behaved client would. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { until } from '../until.ts';
import { environment, MAIN } from './doors.ts';

// biome-ignore lint/suspicious/noExplicitAny: what comes from the wire has no type.
type Message = any;

export class RawServer {
  readonly process: ChildProcess;
  readonly exited: Promise<void>;
  /** Every line of stdout, parsed. A line that is not JSON fails here. */
  readonly messages: Message[] = [];
  log = '';

  constructor(
    env: Record<string, string> = {},
    args: readonly string[] = ['--embedded'],
    options: SpawnOptions = {},
  ) {
    const started = { env: environment(env), ...options };
    this.process = spawn(process.execPath, [MAIN, 'mcp', ...args], started);
    this.exited = new Promise((resolve) => this.process.once('exit', () => resolve()));
    let rest = '';
    this.process.stdout!.on('data', (chunk: Buffer) => {
      const lines = (rest + chunk.toString()).split('\n');
      rest = lines.pop()!;
      this.messages.push(...lines.map((line) => JSON.parse(line)));
    });
    this.process.stderr!.on('data', (chunk: Buffer) => {
      this.log += chunk.toString();
    });
    // In some tests the server has exited.
    this.process.stdin!.on('error', () => {});
    onTestFinished(async () => {
      this.process.kill('SIGKILL');
      await this.exited;
    });
  }

  write(text: string): void {
    this.process.stdin!.write(text);
  }

  send(message: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async answerTo(id: unknown, withinMs?: number): Promise<Message> {
    const find = () => this.messages.find((message) => message.id === id && !message.method);
    await until(`an answer to ${id}`, () => find() !== undefined, withinMs);
    return find();
  }

  async request(id: number, method: string, params: object = {}): Promise<Message> {
    this.send({ id, method, params });
    return this.answerTo(id);
  }

  async initialize(): Promise<void> {
    await this.request(0, 'initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'raw', version: '1' },
    });
    this.send({ method: 'notifications/initialized' });
  }

  async call(id: number, name: string, args: unknown = {}): Promise<Message> {
    const { result, error } = await this.request(id, 'tools/call', { name, arguments: args });
    return result ?? error;
  }
}
