/**
 * Desktop Commander over MCP, as the descriptions of its tools say: `start_process` with `python3 -i`
 * or `node -i` for a REPL, `interact_with_process`, `read_process_output`. It has no terminal.
 */
import { join } from 'node:path';
import { ToolClient } from '../client.ts';
import { now } from '../clock.ts';
import { installTool } from '../installed.ts';
import { type Answer, Cannot, type Conversation, PASSWORD, type Peer } from '../peer.ts';

import { answerIn } from '../polling.ts';

const install = () =>
  installTool({
    packageName: '@wonderwhy-er/desktop-commander',
    // 1.0.6 is not in every registry.
    overrides: { 'typedarray.prototype.slice': '1.0.5' },
    scripts: false,
  });

/** Lines asked for at once: all. */
const ALL_LINES = 10_000_000;
const LAST_LINES = 50;

export const desktopCommander: Peer = {
  name: 'Desktop Commander',
  how: 'MCP: `start_process`, `interact_with_process`, `read_process_output`; its own prompt detection',
  install: async () => (await install()).version,
  start: async (surroundings) => {
    const env = { ...surroundings.env, DESKTOP_COMMANDER_DISABLE_TELEMETRY: '1' };
    const main = join((await install()).folder, 'dist/index.js');
    const client = await ToolClient.connect([process.execPath, main, '--no-onboarding'], {
      ...surroundings,
      env,
    });

    const read = async (
      pid: number,
      { offset = 0, timeoutMs = 50 }: { offset?: number; timeoutMs?: number },
    ): Promise<Answer> => {
      const args = { pid, timeout_ms: timeoutMs, offset, length: ALL_LINES };
      const { text, at } = await client.call('read_process_output', args);
      return { text: outputRead(text), state: stateSaid(text), at };
    };

    const start = async (command: string, limitMs: number) => {
      const { text, at } = await client.call('start_process', { command, timeout_ms: limitMs });
      const pid = Number(/Process started with PID (-?\d+)/.exec(text)?.[1]);
      return { pid, answer: { text: outputStarted(text), state: stateSaid(text), at } };
    };

    const conversation = (pid: number, first: Answer): Conversation => ({
      first,
      say: async (line, expected, limitMs) => {
        const args = { pid, input: line, timeout_ms: limitMs };
        const { text, at } = await client.call('interact_with_process', args);
        // It takes away the prompts it knows; who knows this one can do so too.
        const answer = answerIn(outputInteracted(text), '', expected);
        return { text: answer, state: stateSaid(text), at };
      },
      press: () => Promise.reject(new Cannot('it has no terminal and no keys, only lines')),
      async saySecret(expected, limitMs) {
        return this.say(PASSWORD, expected, limitMs);
      },
      close: async () => {
        await client.call('force_terminate', { pid });
      },
    });

    return {
      async run(command, limitMs, want = 'all') {
        const end = now() + limitMs;
        const { pid } = await start(command, limitMs);
        const offset = want === 'all' ? 0 : -LAST_LINES;
        // The end of a process is only said by read_process_output, and all of its output with it.
        let answer = await read(pid, { offset });
        while (answer.state !== 'exited' && now() < end)
          answer = await read(pid, { offset, timeoutMs: Math.max(50, end - now()) });
        return answer;
      },
      async open(command, { screen }, limitMs) {
        if (screen !== undefined) throw new Cannot('it has no terminal to draw on');
        const { pid, answer } = await start(command, limitMs);
        return conversation(pid, answer);
      },
      async serve(command, line, limitMs) {
        const end = now() + limitMs;
        // Any return with a PID is a start; what it prints is then read as it comes.
        const { pid, answer } = await start(command, 100);
        let last: Answer = answer;
        while (!last.text.includes(line) && now() < end) {
          // One waits for something new, and may leave out what completes a line; the other shows it.
          await read(pid, { timeoutMs: end - now() });
          last = await read(pid, { offset: -LAST_LINES });
        }
        const state = last.text.includes(line) ? 'waiting' : last.state;
        return conversation(pid, { ...last, state, told: true });
      },
      schemas: () => client.schemas((name) => TERMINAL_TOOLS.has(name)),
      stop: () => client.close(),
    };
  },
};

const TERMINAL_TOOLS = new Set([
  'start_process',
  'read_process_output',
  'interact_with_process',
  'force_terminate',
  'list_sessions',
  'list_processes',
  'kill_process',
]);

const stateSaid = (text: string): Answer['state'] => {
  if (/is waiting for input/.test(text)) return 'waiting';
  if (/Process completed with exit code|has finished execution/.test(text)) return 'exited';
  if (/⏳ Process is running/.test(text)) return 'working';
  return 'unknown';
};

const STATUS = /\n+(🔄|✅|⏳|⏱️)[^\n]*\s*$/u;

const outputStarted = (text: string): string =>
  text.replace(/^[\s\S]*?\nInitial output:\n/, '').replace(STATUS, '');

const outputRead = (text: string): string =>
  text
    .replace(/^\[Reading [^\n]*\n(\[WARNING[^\n]*\n)?\n/, '')
    .replace(/^\(No output in requested range\)/, '')
    .replace(STATUS, '');

const outputInteracted = (text: string): string =>
  text.includes('📤 Output:\n')
    ? text.replace(/^[\s\S]*?📤 Output:\n/, '').replace(STATUS, '')
    : '';
