/**
 * Codex's own engine: `codex app-server`, `command/exec` with `tty`. It streams output and says when a
 * command has ended; whose turn it is remains for the caller, who may look for a prompt as it comes.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { now } from '../clock.ts';
import { installTool } from '../installed.ts';
import {
  type Answer,
  type Conversation,
  type Expected,
  PASSWORD,
  type Peer,
  type Surroundings,
} from '../peer.ts';
import { answerIn, stateOf } from '../polling.ts';

const install = () => installTool({ packageName: '@openai/codex', scripts: false });

/** More than a screen with its colours. */
const END_CHARS = 20_000;
const KEYS = { Enter: '\r', Escape: '\u001b' } as const;
const base64 = (text: string) => Buffer.from(text).toString('base64');

export const codex: Peer = {
  name: 'Codex',
  how: '`codex app-server`, JSON-RPC: `command/exec` with `tty`, `command/exec/write`; the prompt it was told is looked for in every piece of output',
  install: async () => (await install()).version,
  start: async (surroundings) => {
    const server = await AppServer.start(surroundings);
    let processes = 0;
    const begin = (command: string): Running => server.run(`p${++processes}`, command);
    const conversation = (running: Running, first: Answer): Conversation => {
      const type = async (parts: readonly string[], typed: string, next: Expected, ms: number) => {
        running.forget();
        for (const part of parts) await running.write(part);
        const answer = await running.until(next, ms);
        return { ...answer, text: answerIn(answer.text, typed, next) };
      };
      return {
        first,
        say: (line, next, ms) => type([`${line}\r`], line, next, ms),
        press: (strokes, next, ms) =>
          type(
            strokes.map((stroke) => ('key' in stroke ? KEYS[stroke.key] : stroke.text)),
            '',
            next,
            ms,
          ),
        saySecret: (next, ms) => type([`${PASSWORD}\r`], '', next, ms),
        close: () => running.terminate(),
      };
    };
    return {
      run: (command, limitMs) => begin(command).until({ exit: true }, limitMs),
      async open(command, expected, limitMs) {
        const running = begin(command);
        return conversation(running, await running.until(expected, limitMs));
      },
      async serve(command, line, limitMs) {
        const running = begin(command);
        return conversation(running, await running.until({ prompt: line }, limitMs));
      },
      stop: () => server.stop(),
    };
  },
};

/** One command, as its output comes. */
class Running {
  exited = false;
  /** Told of every piece of output, and of the end. */
  changed: () => void = () => {};
  readonly #server: AppServer;
  readonly #processId: string;
  #pieces: string[] = [];
  /** The prompt can only be here: to look through all of a long output for every piece takes too long. */
  #end = '';

  constructor(server: AppServer, processId: string) {
    this.#server = server;
    this.#processId = processId;
  }

  until(expected: Expected, limitMs: number): Promise<Answer> {
    return new Promise((resolve) => {
      const answer = (): void => {
        clearTimeout(limit);
        this.changed = () => {};
        const text = plain(this.#pieces.join(''));
        const state = stateOf({ text, exited: this.exited }, expected);
        const told = state === 'waiting';
        resolve({ text: answerIn(text, '', expected), state, at: now(), told });
      };
      const limit = setTimeout(answer, limitMs);
      this.changed = () => {
        const end = { text: plain(this.#end), exited: this.exited };
        if (stateOf(end, expected) !== 'unknown') answer();
      };
      this.changed();
    });
  }

  take(text: string): void {
    this.#pieces.push(text);
    this.#end = (this.#end + text).slice(-END_CHARS);
    this.changed();
  }

  /** What comes from now on is the answer to what is typed now. */
  forget(): void {
    this.#pieces = [];
    this.#end = '';
  }

  async write(text: string): Promise<void> {
    const params = { processId: this.#processId, deltaBase64: base64(text) };
    await this.#server.ask('command/exec/write', params);
  }

  async terminate(): Promise<void> {
    if (!this.exited)
      await this.#server.ask('command/exec/terminate', { processId: this.#processId });
  }
}

class AppServer {
  readonly #process: ChildProcess;
  readonly #keep: Surroundings['keep'];
  readonly #pending = new Map<number, (reply: Reply) => void>();
  readonly #running = new Map<string, Running>();
  #asked = 0;

  private constructor(process_: ChildProcess, keep: Surroundings['keep']) {
    this.#process = process_;
    this.#keep = keep;
    createInterface({ input: process_.stdout! }).on('line', (line) => this.#hear(line));
  }

  static async start({ home, env, keep }: Surroundings): Promise<AppServer> {
    const main = join((await install()).folder, 'bin/codex.js');
    const child = spawn('setsid', [process.execPath, main, 'app-server'], {
      cwd: home,
      env: { ...env, HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const server = new AppServer(child, keep);
    const clientInfo = { name: 'bench', title: 'bench', version: '1' };
    await server.ask('initialize', { clientInfo, capabilities: null });
    server.#say({ method: 'initialized' });
    return server;
  }

  run(processId: string, command: string): Running {
    const running = new Running(this, processId);
    this.#running.set(processId, running);
    const params = {
      command: ['/bin/bash', '-c', command],
      processId,
      tty: true,
      size: { rows: 40, cols: 120 },
      disableTimeout: true,
      disableOutputCap: true,
      sandboxPolicy: { type: 'dangerFullAccess' },
    };
    const ended = () => {
      running.exited = true;
      running.changed();
    };
    void this.ask('command/exec', params).then(ended, ended);
    return running;
  }

  ask(method: string, params: unknown): Promise<unknown> {
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, ({ result, error }) => {
        this.#keep({ method, params }, error ?? result);
        if (error === undefined) resolve(result);
        else reject(new Error(error.message));
      });
      this.#say({ id, method, params });
    });
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.stdin!.end();
    this.#process.kill();
    await ended;
  }

  #say(message: object): void {
    this.#process.stdin!.write(`${JSON.stringify(message)}\n`);
  }

  #hear(line: string): void {
    const message = JSON.parse(line) as Reply & { id?: number; method?: string; params?: Delta };
    if (message.method === 'command/exec/outputDelta') {
      const { processId, deltaBase64 } = message.params!;
      const running = this.#running.get(processId);
      if (running === undefined) return;
      const text = Buffer.from(deltaBase64, 'base64').toString();
      this.#keep('outputDelta', text);
      running.take(text);
    } else if (message.id !== undefined && message.method === undefined) {
      this.#pending.get(message.id)?.(message);
      this.#pending.delete(message.id);
    }
  }
}

interface Reply {
  result?: unknown;
  error?: { message: string };
}

interface Delta {
  processId: string;
  deltaBase64: string;
}

const plain = (text: string): string =>
  text.replace(/\u001b\[[?0-9;]*[a-zA-Z]|\u001b[()][A-Z0-9]|\u001b[=>]/g, '');
