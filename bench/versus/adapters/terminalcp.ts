/**
 * terminalcp over MCP. It shows what there is and does not wait; its documentation waits by looking
 * for a pattern every 100 ms. The end of a process is a line in its stream.
 */
import { join } from 'node:path';
import { ToolClient } from '../client.ts';
import { now, sleep } from '../clock.ts';
import { installTool } from '../installed.ts';
import { type Answer, type Conversation, type Expected, PASSWORD, type Peer } from '../peer.ts';
import { answerIn, lookUntil } from '../polling.ts';

const install = () => installTool({ packageName: '@mariozechner/terminalcp', scripts: true });

const LOOK_EVERY_MS = 100;
const LAST_LINES = 50;
const EXITED = /\n?\n\[Process exited with code [^\]]*\]\n?$/;
const KEYS = { Enter: '\r', Escape: '\u001b' } as const;

export const terminalcp: Peer = {
  name: 'terminalcp',
  how: 'MCP: `start`, `stdin`, and `stream` or `stdout` every 100 ms until the prompt it was told is there',
  install: async () => (await install()).version,
  start: async (surroundings) => {
    const main = join((await install()).folder, 'dist/index.js');
    const client = await ToolClient.connect([process.execPath, main, '--mcp'], surroundings);
    const ask = (args: Record<string, unknown>) => client.call('terminalcp', { args });

    const conversation = (
      id: string,
    ): Omit<Conversation, 'first'> & {
      until(expected: Expected, limitMs: number, typed: string): Promise<Answer>;
      untilEnded(limitMs: number): Promise<Answer>;
    } => {
      let stream = '';
      let at = now();
      const lookAtStream = async () => {
        const answer = await ask({ action: 'stream', id, since_last: true });
        at = answer.at;
        stream += answer.text;
        return { text: stream.replace(EXITED, ''), exited: EXITED.test(stream) };
      };
      const lookAtScreen = async () => {
        const answer = await ask({ action: 'stdout', id, lines: LAST_LINES });
        at = answer.at;
        return { text: answer.text.replace(EXITED, ''), exited: EXITED.test(`${answer.text}\n`) };
      };
      const until = async (expected: Expected, limitMs: number, typed: string): Promise<Answer> => {
        const look = expected.screen === undefined ? lookAtStream : lookAtScreen;
        const pace = { everyMs: LOOK_EVERY_MS, limitMs, waitFirst: false };
        const seen = await lookUntil(look, expected, pace);
        const told = seen.state === 'waiting';
        return { text: answerIn(seen.text, typed, expected), state: seen.state, at, told };
      };
      const type = async (data: string, typed: string, expected: Expected, limitMs: number) => {
        stream = '';
        await ask({ action: 'stdin', id, data });
        return until(expected, limitMs, typed);
      };
      return {
        until,
        // A busy server answers late, or that it is not there: it is asked again.
        untilEnded: async (limitMs) => {
          const pace = { everyMs: LOOK_EVERY_MS, limitMs, waitFirst: false };
          const { text, state } = await lookUntil(lookAtScreen, {}, pace);
          return { text, state, at };
        },
        say: (line, expected, limitMs) => type(`${line}\r`, line, expected, limitMs),
        press: (strokes, expected, limitMs) => {
          const data = strokes.map((stroke) => ('key' in stroke ? KEYS[stroke.key] : stroke.text));
          return type(data.join(''), '', expected, limitMs);
        },
        saySecret: (expected, limitMs) => type(`${PASSWORD}\r`, '', expected, limitMs),
        close: async () => {
          await ask({ action: 'stop', id });
        },
      };
    };

    const start = async (command: string) =>
      conversation((await ask({ action: 'start', command })).text);

    return {
      async run(command, limitMs, want = 'all') {
        const id = (await ask({ action: 'start', command })).text;
        const { until, untilEnded } = conversation(id);
        if (want === 'all') return until({ exit: true }, limitMs, '');
        // Whether it runs is cheap to ask, its screen is not.
        const isRunning = async () =>
          (await ask({ action: 'list' })).text.includes(`${id} running`);
        const end = now() + limitMs;
        while ((await isRunning()) && now() < end) await sleep(LOOK_EVERY_MS);
        return untilEnded(Math.max(0, end - now()));
      },
      async open(command, expected, limitMs) {
        const { until, untilEnded: _, ...rest } = await start(command);
        return { ...rest, first: await until(expected, limitMs, '') };
      },
      async serve(command, line, limitMs) {
        const { until, untilEnded: _, ...rest } = await start(command);
        return { ...rest, first: await until({ prompt: line }, limitMs, '') };
      },
      schemas: () => client.schemas(() => true),
      async stop() {
        await ask({ action: 'kill-server' }).catch(() => undefined);
        await client.close();
      },
    };
  },
};
